// SPDX-License-Identifier: Apache-2.0
// Hard attention of an image caption: the decoder's state draws one place of an image,
//   e_tj = w . tanh(h_t W1 + a_j W2 + b),  p_t = softmax(e_t),  s_t ~ Cat(p_t),  c_t = a_{s_t}
// Xu et al. 2015 (Show, Attend and Tell), arXiv:1502.03044; Soydaner 2022, equations 4 to 7
#include "catalogue/entry.h"
#include "catalogue/regions.h"
#include "catalogue/structure_parts.h"

namespace attend {
namespace {

constexpr RegionNames names{"W1", "W2", "b"};

void build(const ModuleIn& in) { ask_regions(in, names); }

Arrays reference(const ReferenceIn& in) {
  const Array e = region_scores_by_loops(in, names);
  const Array& u = in.parameter("alignment.u");  // [N m]
  Array a(e.shape);
  for (std::size_t i = 0; i < e.rows(); ++i) {
    const Row p = soft(e.row(i), [](std::size_t) { return true; });
    for (std::size_t draw = 0; draw < u.rows(); ++draw) {
      std::size_t chosen = 0;
      double passed = p[0];
      while (passed <= u(draw, i) && chosen + 1 < p.size()) passed += p[++chosen];
      a(i, chosen) += 1.0 / static_cast<double>(u.rows());
    }
  }
  return {{"scores", e}, {"weights", a}, {"context", weighted(a, in["key"])}};
}

}  // namespace

namespace catalogue {
extern const Entry captioning_hard_entry;
const Entry captioning_hard_entry{
    .words =
        {.title = "Hard attention over an image (Show, Attend and Tell)",
         .formula =
             R"(p_t = \operatorname{softmax}_j\big(w \cdot \tanh(h_t W_1 + a_j W_2 + b)\big),\quad s_t \sim \operatorname{Cat}(p_t),\quad c_t = a_{s_t})",
         .sentence =
             "For every word of a caption the decoder looks at one place of the image, drawn by "
             "its weight; on average that is what the soft form sees.",
         .note =
             "The keys are one row for each place of the image, the query rows are the decoder's states.",
         .source = {"Xu et al.", 2015, "hard attention; Soydaner 2022, equations 4 to 7",
                    "https://arxiv.org/abs/1502.03044"},
         .learns =
             "The draw has no gradient: it learns by the estimator that its alignment names."},
    .record =
        {.id = "captioning-hard",
         .parameters = {{"W1", "dq a"}, {"W2", "dk a"}, {"b", "a", Distribution::zero}, {"w", "a"}},
         .knobs = {size_knob("hidden", "Hidden width", "a", "dk", 1, 256)},
         .roles = {{"query", "m dq"}, {"key", "n dk"}},
         .slots = {own_score_slot,
                   {"alignment", "Alignment", "Alignment", Kind::alignment, "hard-sample"}},
         .laws = {.permutation = false},
         .coordinates = {{"scoring", "additive"}, {"alignment", "hard"}},
         .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
