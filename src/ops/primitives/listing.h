// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "ops/cost_rules.h"
#include "ops/listed.h"
#include "ops/primitive.h"
#include "ops/primitives/indexing.h"
#include "ops/primitives/matrices.h"

// What the three primitives of listed rows share; the index is their last operand.
namespace attend::listing {

// Checks that the index has the rows of the operand that has one for each of its lists.
inline void need_rows(const Shape& listed, const Shape& index) {
  if (listed.end()[-2] != index.end()[-2])
    refuse("lists for " + std::to_string(index.end()[-2]) + " rows do not fit a matrix of shape " +
           to_text(listed));
}

// Calls visit(r, i, s, j) for place s of the list of row i in matrix r, which names row j < n. The lists are operand k.
template <class Visit>
void for_each(const Forward& f, std::size_t k, std::size_t n, Visit visit) {
  const real* const index = f.in[k];
  const Shape& shape = *f.in_shapes[k];
  const std::size_t m = shape.end()[-2], t = shape.back(), matrices = matrices::count_of(shape);
  for (std::size_t r = 0; r < matrices; ++r) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t s = 0; s < t; ++s)
        visit(r, i, s, indexing::checked(index[(r * m + i) * t + s], n, f.node));
    }
  }
}

// In eight sums side by side, so that vectors can hold them.
inline real product(const real* x, const real* y, std::size_t count) {
  constexpr std::size_t lanes = 8;
  real part[lanes] = {};
  std::size_t c = 0;
  for (; c + lanes <= count; c += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) part[l] += x[c + l] * y[c + l];
  }
  real total = 0;
  for (; c < count; ++c) total += x[c] * y[c];
  for (const real one : part) total += one;
  return total;
}

inline void add(real factor, const real* x, real* to, std::size_t count) {
  for (std::size_t c = 0; c < count; ++c) to[c] += factor * x[c];
}

// A multiply-add for each number of each row that a list names. How many rows are read hangs on the lists.
inline Cost cost_of(const Sizes& s, std::size_t width, std::size_t from) {
  Cost cost = cost::moved(s);
  const std::uint64_t named = cost::cells(*s.in[2]);
  cost.multiply_adds = named * width;
  const std::uint64_t rows = cost::cells(*s.in[from]) / std::max<std::size_t>(width, 1);
  if (named < rows) cost.bytes -= (rows - named) * width * sizeof(real);
  cost.exact = false;
  return cost;
}

}  // namespace attend::listing
