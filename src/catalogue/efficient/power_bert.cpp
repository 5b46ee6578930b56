// SPDX-License-Identifier: Apache-2.0
// Word-vector elimination: a token's significance is the weight that all rows give it; the best
// `keep` tokens go on,  significance_j = sum_i A_ij
// Goyal et al. 2020 (PoWER-BERT), arXiv:2001.08950
#include <numeric>

#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::power_bert_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);  // [n p] [n p] [n dv]
  const std::size_t n = rows.k.extent(-2), keep = in.integer("keep");
  if (keep > n)
    refuse(in.choice.path + "/keep",
           "keep is the number of tokens that are passed on; it is at most " + std::to_string(n) +
               " here, found " + std::to_string(keep));
  const Looked all = attend_by_slots(in, rows);
  const Var significance = let("\\operatorname{sig}", sum(all.weights, -2, true));  // [1 n]
  const Var best = slice(argsort(squeeze(significance, 0)), -1, 0, keep);           // [keep]
  const Var kept = let("\\text{kept}", take(best, argsort(-best)));  // in the order of the text
  const Var columns = transpose(all.context);                        // [dv n]
  return {{out::scores, all.scores, "n:query n"},
          {out::weights, all.weights, "n:query n"},
          {"significance", significance, "1 n"},
          {OutputKind{"kept", TensorRole::output, NumberKind::index}, kept, "keep:query"},
          {out::context, all.context, "n dv"},
          {out::output, let("C_{\\text{kept}}", transpose(take(columns, kept))), "keep:query dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& q = in["query"];
  const AttentionTables all = attended(q, in["key"], in["value"]);
  const Array significance = sum_of_rows(all.weights);
  std::vector<std::size_t> order(q.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return significance(a) > significance(b); });
  order.resize(in.integer("keep"));
  std::sort(order.begin(), order.end());
  Array kept({order.size()});
  kept.data.assign(order.begin(), order.end());
  return {
      {"weights", all.weights},
      {"significance", significance},
      {"kept", kept},
      {"context", all.context},
      {"output", rows_by(order.size(), [&](std::size_t i) { return all.context.row(order[i]); })}};
}

extern const Mechanism record{
    .id = "power-bert",
    .aliases = {"word-vector-elimination"},
    .knobs = {integer_knob("keep", "ceil(n/2)", 1, 16).at_least(1)},
    .roles = {{"query", "n p"}, {"key", "n p", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {own_score_slot, own_alignment_slot},
    .excludes = {never_causal("looks-summed-over-all"_reason)},
    .coordinates = {{"scoring", "scaled multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .example = R"("keep": 3)",
    .extents = {{"n", 16}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::power_bert_entry
