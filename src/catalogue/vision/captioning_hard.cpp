// SPDX-License-Identifier: Apache-2.0
// Hard attention of an image caption: the decoder's state draws one place of an image,
//   e_tj = w . tanh(h_t W1 + a_j W2 + b),  p_t = softmax(e_t),  s_t ~ Cat(p_t),  c_t = a_{s_t}
// Xu et al. 2015 (Show, Attend and Tell), arXiv:1502.03044; Soydaner 2022, equations 4 to 7
#include "catalogue/entry.h"
#include "catalogue/parts/images/regions.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::captioning_hard_entry {
namespace {

constexpr RegionNames names{"W1", "W2", "b"};

Tensors build(const Scope& in, const Tensors& inputs) { return ask_regions(in, inputs, names); }

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array e = region_scores_by_loops(in, names);
  const Array& u = in.parameter("alignment.u");  // [N m]
  Array a(e.shape);
  for (std::size_t i = 0; i < e.rows(); ++i) {
    const Row p = softened(e.row(i));
    for (std::size_t draw = 0; draw < u.rows(); ++draw) {
      std::size_t chosen = 0;
      double passed = p[0];
      while (passed <= u(draw, i) && chosen + 1 < p.size()) passed += p[++chosen];
      a(i, chosen) += 1.0 / static_cast<double>(u.rows());
    }
  }
  return {{"scores", e}, {"weights", a}, {"context", product(a, in["key"])}};
}

extern const Mechanism record{
    .id = "captioning-hard",
    .parameters = {{"W1", "dq a"}, {"W2", "dk a"}, {"b", "a", Distribution::zero}, {"w", "a"}},
    .knobs = {size_knob("hidden", "a", "dk", 1, 256)},
    .roles = {{"query", "m dq"}, {"key", "n dk"}},
    .slots = {own_score_slot, {"alignment", Kind::alignment, "hard-sample"}},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "additive"}, {"alignment", "hard"}},
    .differentiable = false,
    .behaviour = Structure{build}};
}  // namespace attend::captioning_hard_entry
