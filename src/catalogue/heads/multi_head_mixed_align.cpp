// SPDX-License-Identifier: Apache-2.0
// Heads with an alignment each, local and global ones side by side
// Galassi, Lippi, Torroni 2021, section IV-D1, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/reason.h"

namespace attend::multi_head_mixed_align_entry {
namespace {

Triple split(const HeadsIn& in, Triple x) {
  if (in.choice.all("alignments").empty())
    refuse(in.choice.path + "/alignments",
           "expected a list with an alignment for each head, found none");
  return split_heads(in, x);
}

}  // namespace

// The weights of each head times its values, and their map: the alignments have their own
// references.
Arrays reference(const ReferenceIn& in) {
  const Array &a = in["weights"], &v = in["value"];
  Array heads({a.shape[0], a.shape[1], v.shape[2]});
  for (std::size_t t = 0; t < a.shape[0]; ++t)
    put_part(heads, t, product(part_of(a, t), part_of(v, t)));
  return {{"heads", heads}, {"context", merged_by_loops(in, heads)}};
}

extern const Mechanism record{
    .id = "multi-head-mixed-align",
    .parameters = head_parameters,
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), flag_knob("bias", false)},
    .slots = {{"alignments", Kind::alignment, "", true}},
    .excludes = {{"alignment", {}, true, "heads-have-own-alignments"_reason}},
    .needs_query = true,
    .laws = {.permutation = false},  // one of its alignments may go by places
    .coordinate = "multi-head",
    .example = R"("alignments": ["softmax", {"type": "local-monotonic", "D": 1}, "sparsemax"])",
    .behaviour = Heads{split, merge_heads, nullptr, "alignments"}};
}  // namespace attend::multi_head_mixed_align_entry
