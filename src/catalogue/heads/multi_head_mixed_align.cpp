// SPDX-License-Identifier: Apache-2.0
// Heads with an alignment each, local and global ones side by side
// Galassi, Lippi, Torroni 2021, section IV-D1, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/projected_heads.h"

namespace attend {
namespace {

Triple split(const HeadsIn& in, Triple x) {
  if (in.choice.all("alignments").empty())
    refuse(in.choice.path + "/alignments",
           "expected a list with an alignment for each head, found none");
  return split_heads(in, x);
}

// The weights of each head times its values, and their map: the alignments have their own
// references.
Arrays reference(const ReferenceIn& in) {
  const Array &a = in["weights"], &v = in["value"];
  Array heads({a.shape[0], a.shape[1], v.shape[2]});
  for (std::size_t t = 0; t < a.shape[0]; ++t) {
    for (std::size_t i = 0; i < a.shape[1]; ++i) {
      for (std::size_t j = 0; j < a.shape[2]; ++j) {
        for (std::size_t c = 0; c < v.shape[2]; ++c) heads(t, i, c) += a(t, i, j) * v(t, j, c);
      }
    }
  }
  return {{"heads", heads}, {"context", merged_by_loops(in, heads)}};
}

}  // namespace

namespace catalogue {
extern const Entry multi_head_mixed_align_entry;
const Entry multi_head_mixed_align_entry{
    .words =
        {.title = "Multi-head, mixed alignments",
         .formula =
             R"(\text{head}_t = \operatorname{align}_t(E_t)\,V_t,\quad C = [\text{head}_1;\dots;\text{head}_h]\,W_O)",
         .sentence =
             "Every head turns its scores into weights in its own way: one soft, one local, ...",
         .source = {"Galassi, Lippi, Torroni", 2021, "section IV-D1",
                    "https://arxiv.org/abs/1902.02181"}},
    .record = {.id = "multi-head-mixed-align",
               .parameters = head_parameters,
               .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
               .knobs = {size_knob("count", "Heads", "h", 4., 1, 16),
                         flag_knob("bias", "Biases", false)},
               .slots = {{"alignments", "Alignment of each head", "General", Kind::alignment, "",
                          true}},
               .excludes = {{"alignment",
                             {},
                             true,
                             "Each head has an alignment of its own, in the list alignments."}},
               .needs_query = true,
               .laws = {.permutation = false},  // one of its alignments may go by places
               .coordinate = "multi-head",
               .example =
                   R"("alignments": ["softmax", {"type": "local-monotonic", "D": 1}, "sparsemax"])",
               .behaviour = Heads{split, merge_heads, nullptr, "alignments"}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
