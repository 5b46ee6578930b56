// SPDX-License-Identifier: Apache-2.0
// Quest: keys lie in pages, and the score of a page is the largest product that a key between its smallest and its
// largest features could have with the query:  sum_c max(q_c min_c, q_c max_c);
// each query attends by softmax to the keys j <= i of `top` pages, its own always among them.
// Tang et al. 2024, arXiv:2406.10774
#include "catalogue/entry.h"
#include "catalogue/parts/cores/block_choice.h"

namespace attend::quest_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const KeyBlocks pages = key_blocks(in, "page");
  constexpr double far = 1e30;  // beyond all features
  const Var most = let("k^{max}", max(in_blocks(in.k, pages, -far), -2)),
            least = let("k^{min}", -max(-in_blocks(in.k, pages, far), -2));  // [.. C p]
  const std::size_t top = in.integer("top");
  // max(q min, q max) is q max where q is positive, else q min.
  const auto scores = [=](Var q) {  // [.. r C]
    return matmul(relu(q), most, false, true) - matmul(relu(-q), least, false, true);
  };
  const auto choice = [=](Var q, Var i) {
    const Var own = own_block(i, pages), c = block_index(in, pages);
    return chosen(scores(q), equal(c, own), greater(own + 1, c), top);
  };
  if (pairs_fit(in)) {
    const std::string axes = in.family.heads > 0 ? "h m blocks:feature" : "m blocks:feature";
    in.output(OutputKind{"index", TensorRole::scores}, scores(in.q), axes);
    in.output(OutputKind{"chosen", TensorRole::mask, NumberKind::zero_one},
              choice(in.q, in.row_index()), axes);
  }
  return weighed_by_rows(
      in,
      {{in.q},
       [=](const std::vector<Var>& rows, Var i) {
         const Var e = matmul(rows[0] * in.scalar("scale"), in.k, false, true);  // [.. r n]
         return softmax(e, on_keys(in, choice(rows[0], i), pages) * past_of(in, i));
       }},
      true);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const std::size_t b = in.integer("page"), count = (k.rows() + b - 1) / b;
  Array picked({q.rows(), count}), index({q.rows(), count});
  Arrays all = rows_of_weights(in, [&](std::size_t i) {
    Row scores(count), e(k.rows());
    std::vector<bool> own(count), before(count);
    for (std::size_t c = 0; c < count; ++c) {
      own[c] = c == i / b;
      before[c] = c <= i / b;
      for (std::size_t f = 0; f < k.cols(); ++f) {
        double best = q(i, f) * k(c * b, f);
        for (std::size_t j = c * b; j < std::min(k.rows(), (c + 1) * b); ++j)
          best = std::max(best, q(i, f) * k(j, f));
        scores[c] += best;
      }
      index(i, c) = scores[c];
    }
    const std::vector<bool> in_it = loops::chosen(scores, own, before, in.integer("top"));
    for (std::size_t c = 0; c < count; ++c) picked(i, c) = in_it[c] ? 1 : 0;
    for (std::size_t j = 0; j < k.rows(); ++j)
      e[j] = in.number("scale") * inner(q.row(i), k.row(j));
    return soft(e, [&](std::size_t j) { return j <= i && in_it[j / b]; });
  });
  all["chosen"] = picked;
  all["index"] = index;
  return all;
}

extern const Mechanism record{
    .id = "quest",
    .knobs = {integer_knob("page", 4., 1, 16).at_least(1),
              integer_knob("top", 2., 1, 8).at_least(1), number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.permutation = false},
    .coordinates = core_coordinates,
    .example = R"("page": 2)",
    .extents = {{"m", 6}, {"n", 6}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::quest_entry
