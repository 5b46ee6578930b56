// SPDX-License-Identifier: Apache-2.0
// CrossTransformer: every place of a query image finds its counterpart in a class's images,
//   A = softmax(X W_K (S W_K)^T / sqrt(p)),  T = A S W_V,  distance = |X W_V - T|^2 / m
// Doersch, Gupta, Zisserman 2020, arXiv:2007.11498
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::cross_transformer_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["query"], support = inputs["support"];  // [m d] [n d]
  in.label("m", x);
  in.label("n", support);
  const Var W_K = in.param("W_K"), W_V = in.param("W_V");  // [d p] [d dv]
  const Looked found = attend_by_slots(
      in,
      {let("Q", matmul(x, W_K)), let("K", matmul(support, W_K)), let("V", matmul(support, W_V))});
  const Var gap = let("X W_V - C", matmul(x, W_V) - found.context);  // [m dv]
  const double places = static_cast<double>(x.extent(-2));
  return {{out::scores, found.scores, "m n"},
          {out::weights, found.weights, "m n"},
          {out::context, found.context, "m dv"},
          {out::output, let("\\text{distance}", sum(sum(gap * gap, -1), -1) / places), ""}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["query"], &W_K = in.parameter("W_K"), &W_V = in.parameter("W_V");
  const AttentionTables found =
      attended(product(x, W_K), product(in["support"], W_K), product(in["support"], W_V));
  const Row gap = minus(product(x, W_V), found.context).data;
  return {{"weights", found.weights},
          {"context", found.context},
          {"output", Array(Shape{}, inner(gap, gap) / double(x.rows()))}};
}

extern const Mechanism record{
    .id = "cross-transformer",
    .parameters = {{"W_K", "d p"}, {"W_V", "d dv"}},
    .symbols = {{"p", "d"}, {"dv", "d"}},
    .roles = {{"query", "m d"}, {"support", "n d"}},
    .slots = {own_score_slot, own_alignment_slot},
    .excludes = {never_causal("images-have-no-order"_reason)},
    .coordinates = {{"scoring", "scaled multiplicative"}, {"alignment", "global"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::cross_transformer_entry
