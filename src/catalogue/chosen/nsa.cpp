// SPDX-License-Identifier: Apache-2.0
// Native sparse attention: three attentions over the past, mixed by gates g of the query row.
//   compressed: softmax p over the means of complete blocks; chosen: softmax over the keys of `top` blocks, first of
//   all block 0, the block before the own and the own, then those with the largest p; window: 0 <= i - j < window;
//   o = g_1 o_compressed + g_2 o_chosen + g_3 o_window;  gates from the token:  g = sigmoid(x W_g + b_g)
// Yuan et al. 2025, arXiv:2502.11089
#include "catalogue/entry.h"
#include "catalogue/parts/cores/block_choice.h"

namespace attend::nsa_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const Var g = let("g", in.text("gates") == "given"
                             ? in.param("g")
                             : sigmoid(matmul(in.whole.q, in.param("W_g")) + in.param("b_g")));
  const KeyBlocks blocks = key_blocks(in, "block");
  const Var means = let("\\bar{k}", block_means(in.k, blocks));  // [.. C p]
  const std::size_t top = in.integer("top");
  const Var c = block_index(in, blocks);
  const auto compressed = [=](Var q, Var i) {  // [.. r C]
    const Var e = matmul(q * in.scalar("scale"), means, false, true);
    const Var ends = (c + 1) * in.number("block") - 1;  // a block longer than n never ends
    return softmax(e, greater(i + 1, ends));
  };
  const auto choice = [=](Var p, Var i) {  // [.. r C], of heads that share keys one for all
    const Var own = own_block(i, blocks);
    const Var near = greater(c + 2, own) * greater(own + 1, c);
    const Var forced = maximum(near, equal(c, scalar(c, 0)));
    const Var each = in.family.shares_keys() ? mean(p, -3, true) : p;
    return chosen(each, forced, greater(own + 1, c), top);
  };
  if (pairs_fit(in)) {
    const Var p = compressed(in.q, in.row_index()), picked = choice(p, in.row_index());
    const std::string axes = in.family.heads > 0 ? "h m blocks:feature" : "m blocks:feature";
    in.output(OutputKind{"compressed", TensorRole::weights, NumberKind::probability}, p, axes);
    in.output(OutputKind{"chosen", TensorRole::mask, NumberKind::zero_one},
              broadcast_to(picked, p.shape()), axes);
  }
  const auto part = [](Var x, std::size_t k) { return slice(x, -1, k, k + 1); };
  return weighed_by_rows(
      in,
      {{in.q, g},
       [=](const std::vector<Var>& rows, Var i) {
         const Var e = matmul(rows[0] * in.scalar("scale"), in.k, false, true);  // [.. r n]
         const Var past = past_of(in, i), p = compressed(rows[0], i);
         const Var near = greater(in.scalar("window"), i - in.key_index());
         return part(rows[1], 0) *
                    on_keys(in, p / transpose(block_sizes(in.graph(), blocks)), blocks) +
                part(rows[1], 1) * softmax(e, on_keys(in, choice(p, i), blocks) * past) +
                part(rows[1], 2) * softmax(e, past * near);
       }},
      false);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const auto size = [&](const char* knob) { return static_cast<std::size_t>(in.number(knob)); };
  const std::size_t b = size("block"), n = k.rows(), count = (n + b - 1) / b;
  const auto gate = [&](std::size_t i, std::size_t part) {
    if (in.text("gates") == "given") return in.parameter("g")(i, part);
    double x = in.parameter("b_g")(part);
    for (std::size_t c = 0; c < q.cols(); ++c) x += q(i, c) * in.parameter("W_g")(c, part);
    return 1 / (1 + std::exp(-x));
  };
  Array compressed({q.rows(), count}), picked({q.rows(), count});
  Arrays all = rows_of_weights(in, [&](std::size_t i) {
    Row e(n), scores(count);
    std::vector<bool> forced(count), before(count);
    for (std::size_t j = 0; j < n; ++j) {
      e[j] = in.number("scale") * inner(q.row(i), k.row(j));
      scores[j / b] += e[j] / static_cast<double>(std::min(b, n - j / b * b));
    }
    for (std::size_t c = 0; c < count; ++c) {
      before[c] = c <= i / b;
      forced[c] = c == 0 || c == i / b || c + 1 == i / b;
    }
    const Row p = soft(scores, [&](std::size_t c) { return (c + 1) * b <= i + 1; });
    const std::vector<bool> in_it = loops::chosen(p, forced, before, size("top"));
    const Row near = soft(e, [&](std::size_t j) { return j <= i && i - j < size("window"); });
    Row a = soft(e, [&](std::size_t j) { return j <= i && in_it[j / b]; });
    for (std::size_t j = 0; j < n; ++j) {
      a[j] = gate(i, 1) * a[j] + gate(i, 2) * near[j] +
             gate(i, 0) * p[j / b] / static_cast<double>(std::min(b, n - j / b * b));
    }
    for (std::size_t c = 0; c < count; ++c) {
      compressed(i, c) = p[c];
      picked(i, c) = in_it[c] ? 1 : 0;
    }
    return a;
  });
  all["compressed"] = compressed;
  all["chosen"] = picked;
  return all;
}

extern const Mechanism record{
    .id = "nsa",
    .aliases = {"native-sparse-attention"},
    .parameters = {{"g", "m 3", Distribution::half},
                   {"W_g", "dxq 3"},
                   {"b_g", "3", Distribution::zero}},
    .knobs = {gates_knob, integer_knob("block", 4., 1, 16).at_least(1),
              integer_knob("top", 2., 1, 8).at_least(1),
              integer_knob("window", 4., 1, 16).at_least(0),
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .example = R"("block": 2, "top": 4, "window": 2)",
    .extents = {{"m", 7}, {"n", 7}},
    .behaviour =
        Core{.build = build, .masks = causal_mask, .always_causal = true, .group_decides = true}};
}  // namespace attend::nsa_entry
