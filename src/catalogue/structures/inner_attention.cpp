// SPDX-License-Identifier: Apache-2.0
// Inner attention: a gate on every raw input before anything has read it
//   a_j = sigmoid(q M x_j^T),  x~_j = a_j x_j
// Wang, Liu, Zhao 2016 (IARNN-WORD), aclanthology.org/P16-1122
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::inner_attention_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var q = inputs["query"], x = inputs["key"];  // [1 dq] [n dk]
  in.label("n", x);
  const Var e = let("e", scores_by(in, {q, x, x}, [&] {
                      return matmul(matmul(q, in.param("M")), x, false, true);
                    }));  // [1 n]
  const Var gate = let("a", weights_by(in, e, {q, x, x}, {}, [&] { return sigmoid(e); }));
  return {{out::scores, e, "1 n"},
          {out::weights, gate, "1 n"},
          {out::gate, gate, "1 n"},
          {out::result, let("\\tilde{X}", transpose(gate) * x), "n dk"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &x = in["key"], &M = in.parameter("M");
  Array e({1, x.rows()}), gate({1, x.rows()}), out(x.shape);
  for (std::size_t j = 0; j < x.rows(); ++j) {
    for (std::size_t a = 0; a < q.cols(); ++a) {
      for (std::size_t b = 0; b < x.cols(); ++b) e(j) += q(a) * M(a, b) * x(j, b);
    }
    gate(j) = 1 / (1 + std::exp(-e(j)));
    for (std::size_t b = 0; b < x.cols(); ++b) out(j, b) = gate(j) * x(j, b);
  }
  return {{"scores", e}, {"weights", gate}, {"gate", gate}, {"output", out}, {"context", out}};
}

extern const Mechanism record{.id = "inner-attention",
                              .aliases = {"word-attention"},
                              .parameters = {{"M", "dq dk"}},
                              .roles = {{"query", "1 dq"}, {"key", "n dk"}},
                              .slots = {own_score_slot, own_alignment_slot},
                              .coordinates = {{"scoring", "general"}, {"type", "basic"}},
                              .extents = {{"1", 1}, {"dk", 3}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::inner_attention_entry
