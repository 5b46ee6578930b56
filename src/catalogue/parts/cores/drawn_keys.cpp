// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/drawn_keys.h"

#include <algorithm>

namespace attend {

DrawnKeys drawn_keys(const Scope& in, std::size_t m, std::size_t n) {
  using enum Intent::Part;
  if (in.given("random")) {
    const Var random = in.param("random");
    return {random, both, {random}};
  }
  if (in.integer("random") == 0) return {fill(in.graph(), {m, n}, 0), first, {}};
  const Var R = in.param("R");  // [.. m r]
  // More keys asked for than there are come twice; a key counts once.
  return {let("[j \\in R_i]", greater(put(0 * R + 1, R, n), scalar(R, 0))), second, {R}};
}

bool is_drawn(const ReferenceIn& in, std::size_t i, std::size_t j) {
  if (in.parameters.contains("random")) return in.parameter("random")(i, j) == 1;
  if (!in.parameters.contains("R")) return false;
  const std::vector<double> row = in.parameter("R").row(i);
  return std::find(row.begin(), row.end(), static_cast<double>(j)) != row.end();
}

}  // namespace attend
