// SPDX-License-Identifier: Apache-2.0
// eXtra hop attention: the hub token of a document asks those that its document links to,
//   x_i = sum_{j in N(i)} softmax_j(q_i k_j^T / sqrt(p)) v_j,  joined  [s_i ; x_i] W + b
// Zhao et al. 2020 (Transformer-XH), ICLR 2020
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::transformer_xh_entry {
namespace {

// The links [m n] of 0 and 1.
Var links(const Scope& in, std::size_t m, std::size_t n) {
  const Tensor& table = in.matrix("adjacency");
  const std::string path = in.choice.path + "/adjacency";
  if (table.shape != Shape{m, n})
    refuse(path,
           "expected a row for each document and a column for each document it may link to, " +
               to_text(Shape{m, n}) + "; found " + to_text(table.shape));
  for (const double number : table.data)
    if (number != 0 && number != 1) refuse(path, "links are 0 or 1");
  return in.constant("adjacency", table);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);  // [m p] [n p] [n dv]
  const Var mask = let("M", links(in, rows.q.extent(-2), rows.k.extent(-2)));
  const Looked hop = attend_by_slots(in, rows, mask);
  const Tensors maps{{out::scores, hop.scores, "m n"},
                     {out::mask, mask, "m n"},
                     {out::weights, hop.weights, "m n"}};
  const Var sequence = inputs.find("sequence");  // [m ds]
  if (!sequence) return maps + Tensors{{out::result, hop.context, "m dv"}};
  const Var joined = concat({sequence, hop.context}, -1);  // [m ds+dv]
  const Var after = let("\\hat{H}", matmul(joined, in.param("W")) + in.param("b"));
  return maps + Tensors{{out::context, hop.context, "m dv"}, {out::output, after, "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& q = in["query"];
  const Array links(std::get<Tensor>(in.knobs.at("adjacency")));
  const AttentionTables hop = attended(
      q, in["key"], in["value"], [&](std::size_t i, std::size_t j) { return links(i, j) == 1; });
  const Array joined = beside({in["sequence"], hop.context});
  return {{"weights", hop.weights},
          {"context", hop.context},
          {"output", affine(joined, in.parameter("W"), in.parameter("b"))}};
}

extern const Mechanism record{
    .id = "transformer-xh",
    .aliases = {"extra-hop-attention"},
    .parameters = {{"W", "ds+dv d"}, {"b", "d", Distribution::zero}},
    .symbols = {{"d", "ds"}},
    .knobs = {matrix_knob("adjacency")},
    .roles = {{"query", "m p"},
              {"key", "n p", false, "query"},
              {"value", "n dv", false, "key"},
              {"sequence", "m ds", false}},
    .slots = {own_score_slot, own_alignment_slot},
    .excludes = {never_causal("links-have-no-order"_reason)},
    .coordinates = {{"scoring", "scaled multiplicative"}},
    .example = R"("adjacency": [[1,1,0,0],[0,1,0,1],[0,0,0,0],[1,1,1,1]])",
    .extents = {{"n", 4}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::transformer_xh_entry
