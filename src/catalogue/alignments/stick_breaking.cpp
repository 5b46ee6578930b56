// SPDX-License-Identifier: Apache-2.0
// Stick breaking, from the last allowed key to the first:  a_ij = sigma(e_ij) prod_{k > j} (1 - sigma(e_ik));
// what no key takes stays as the remainder  prod_k (1 - sigma(e_ik))
// Tan et al. 2024, arXiv:2410.17980
#include "catalogue/entry.h"
#include "catalogue/result.h"

namespace attend::stick_breaking_entry {
namespace {

// In logarithms: ln sigma(e) = -softplus(-e), ln(1 - sigma(e)) = -softplus(e).
Var build(const AlignmentIn& in) {  // scores [m n]
  const Var e = in.scores;
  const std::size_t n = e.extent(-1);
  Var passed = activation("softplus", e);
  if (in.mask) passed = passed * in.mask;
  passed = let("-\\ln(1-\\sigma(E))", passed);  // [m n]
  // The sum over the keys behind each one, without taking a large sum off another.
  Shape one = e.shape();
  one.back() = 1;
  const Var none = zeros(in.graph(), one);
  const Var behind = n == 1 ? none : concat({slice(passed, -1, 1, n), none}, -1);
  const Var later = let("-\\ln \\text{left}", cumsum(behind, -1, true));  // [m n]
  const Var weights = exp(-(activation("softplus", -e) + later));         // [m n]
  in.output_rows(out::remainder, let("r", exp(-sum(passed, -1))));        // [m]
  return in.mask ? weights * in.mask : weights;
}

}  // namespace

// As the paper describes it: break off a share of what is left, key by key.
Arrays reference(const ReferenceIn& in) {
  Array rest({in["scores"].rows()}, 1);
  Arrays out = each_row(in, [&](std::size_t i, Row e) {
    for (std::size_t j = e.size(); j-- > 0;) {
      if (!in.allowed(i, j)) {
        e[j] = 0;
        continue;
      }
      const double taken = activate("sigmoid", e[j]), kept = activate("sigmoid", -e[j]);
      e[j] = rest(i) * taken;
      rest(i) *= kept;
    }
    return e;
  });
  out["remainder"] = rest;
  return out;
}

extern const Mechanism record{.id = "stick-breaking",
                              .laws = {.rows_sum_to_one = false, .permutation = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::stick_breaking_entry
