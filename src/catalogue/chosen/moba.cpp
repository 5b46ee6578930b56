// SPDX-License-Identifier: Apache-2.0
// Mixture of block attention: each query attends by softmax to the keys j <= i of `top` blocks: its own block and, of
// the blocks before it, those whose mean key has the largest product with the query.
// Lu et al. 2025, arXiv:2502.13189
#include "catalogue/entry.h"
#include "catalogue/parts/cores/block_choice.h"

namespace attend::moba_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const KeyBlocks blocks = key_blocks(in, "block");
  const Var means = let("\\bar{k}", block_means(in.k, blocks));  // [.. C p]
  const std::size_t top = in.integer("top");
  const auto choice = [=](Var q, Var i) {  // [.. r C]
    const Var own = own_block(i, blocks), c = block_index(in, blocks);
    return chosen(matmul(q, means, false, true), equal(c, own), greater(own + 1, c), top);
  };
  if (pairs_fit(in)) {
    in.output(OutputKind{"chosen", TensorRole::mask, NumberKind::zero_one},
              choice(in.q, in.row_index()),
              in.family.heads > 0 ? "h m blocks:feature" : "m blocks:feature");
  }
  return weighed_by_rows(
      in,
      {{in.q},
       [=](const std::vector<Var>& rows, Var i) {
         const Var e = matmul(rows[0] * in.scalar("scale"), in.k, false, true);  // [.. r n]
         return softmax(e, on_keys(in, choice(rows[0], i), blocks) * past_of(in, i));
       }},
      true);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const std::size_t b = in.integer("block"), count = (k.rows() + b - 1) / b;
  Array picked({q.rows(), count});
  Arrays all = rows_of_weights(in, [&](std::size_t i) {
    Row scores(count), e(k.rows());
    std::vector<bool> own(count), before(count);
    for (std::size_t c = 0; c < count; ++c) {
      own[c] = c == i / b;
      before[c] = c <= i / b;
      std::size_t keys = 0;
      for (std::size_t j = c * b; j < std::min(k.rows(), (c + 1) * b); ++j, ++keys)
        scores[c] += inner(q.row(i), k.row(j));
      scores[c] /= static_cast<double>(keys);
    }
    const std::vector<bool> in_it = loops::chosen(scores, own, before, in.integer("top"));
    for (std::size_t c = 0; c < count; ++c) picked(i, c) = in_it[c] ? 1 : 0;
    for (std::size_t j = 0; j < k.rows(); ++j)
      e[j] = in.number("scale") * inner(q.row(i), k.row(j));
    return soft(e, [&](std::size_t j) { return j <= i && in_it[j / b]; });
  });
  all["chosen"] = picked;
  return all;
}

extern const Mechanism record{
    .id = "moba",
    .aliases = {"mixture-of-block-attention"},
    .knobs = {integer_knob("block", 4., 1, 16).at_least(1),
              integer_knob("top", 3., 1, 8).at_least(1), number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.permutation = false},
    .coordinates = core_coordinates,
    .example = R"("block": 2, "top": 2)",
    .extents = {{"m", 6}, {"n", 6}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::moba_entry
