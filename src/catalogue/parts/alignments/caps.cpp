// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/alignments/caps.h"

#include <algorithm>

namespace attend {

constexpr double rounding = 1e-6;  // caps that are used up exactly may miss 1 by this

Var caps(const AlignmentIn& in) {
  Var u;
  if (in.given("u")) {
    u = in.rows_of(in.param("u"));  // [.. 1 n] or, of all rows, [.. m n]
  } else {
    const Var nothing = zeros(in.graph(), in.scores.shape());
    const Var spent = in.past().state("s", nothing) + in.past().weights(nothing);
    in.past().keep("s", spent);
    u = in.scalar("fertility") - spent;
  }
  u = broadcast_to(relu(u), in.scores.shape());
  if (in.mask) u = u * in.mask;
  const Var total = sum(u, -1, true);
  const Var zero = scalar(total, 0);
  in.past().rows.afterwards(
      greater(total, zero) * greater(1 - rounding - total, zero),
      [&at = in.assembler, path = in.choice.path](Var few, Var whole) {
        at.caution(path, "the caps of its keys sum to less than 1, so the weights equal the caps",
                   whole, few, true);
      });
  return u;
}

Arrays each_capped_row(const ReferenceIn& in,
                       const std::function<Row(const Row&, const Row&)>& align) {
  const bool given = in.parameters.contains("u");
  Row spent(in["scores"].cols(), 0);
  return each_row(in, [&](std::size_t t, const Row& e) {
    Row u(e.size(), 0);
    for (std::size_t j = 0; j < e.size(); ++j) {
      if (!in.allowed(t, j)) continue;
      double cap = in.number("fertility") - spent[j];
      if (given && in.parameter("u").shape.size() == 1) {
        cap = in.parameter("u")(j);
      } else if (given) {
        cap = in.parameter("u")(t, j);
      }
      u[j] = std::max(0.0, cap);
    }
    const Row a = align(e, u);
    for (std::size_t j = 0; j < e.size(); ++j) spent[j] += a[j];
    return a;
  });
}

}  // namespace attend
