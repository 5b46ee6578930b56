// SPDX-License-Identifier: Apache-2.0
#include "catalogue/structure_parts.h"

#include "catalogue/masking.h"
#include "catalogue/preparation.h"

namespace attend {

ModuleIn sized(const ModuleIn& in) { return {in.sized()}; }

Var masked_tokens(const ModuleIn& in, Var rows) {
  return Preparation(in.assembler, in.choice).ready({rows, rows, rows}).q;
}

Var masked_softmax(const ModuleIn& in, Var rows, Var scores) {
  const std::size_t n = rows.extent(-2);
  const Masking masking(in.assembler, in.choice, {rows, rows, rows});
  Var mask = masking.mask(n);
  if (mask) in.output(out::mask, mask = let("M", mask), "m n");
  const Var energies = masking.energies(scores, n, 0);
  return masking.weights(mask ? softmax(energies, mask) : softmax(energies), n, 0);
}

Var softmax_by_feature(Var scores, Var mask) {
  const Var keys_last = transpose(scores);  // [.. d n]
  return transpose(mask ? softmax(keys_last, expand(mask, -2)) : softmax(keys_last));
}

}  // namespace attend
