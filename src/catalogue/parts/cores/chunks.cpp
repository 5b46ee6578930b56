// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/chunks.h"

#include "ops/compose.h"

namespace attend {

Var rows_of_blocks(Var blocks, std::size_t n) {
  std::vector<long> axes;
  const long rank = static_cast<long>(blocks.rank());
  for (long i = 1; i + 2 < rank; ++i) axes.push_back(i);
  for (const long axis : {0L, rank - 2, rank - 1}) axes.push_back(axis);
  Shape flat(blocks.shape().begin() + 1, blocks.shape().end());
  flat.end()[-2] *= blocks.extent(0);
  return slice(reshape(rank == 3 ? blocks : permute(blocks, axes), flat), -2, 0, n);
}

}  // namespace attend
