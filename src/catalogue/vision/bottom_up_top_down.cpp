// SPDX-License-Identifier: Apache-2.0
// Top-down attention over regions that a detector proposed bottom-up,
//   e_tj = w . tanh(v_j W_v + h_t W_h),  c_t = softmax(e_t) V
// Anderson et al. 2018, arXiv:1707.07998
#include "catalogue/entry.h"
#include "catalogue/parts/images/regions.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::bottom_up_top_down_entry {
namespace {

constexpr RegionNames names{"W_h", "W_v"};

Tensors build(const Scope& in, const Tensors& inputs) { return ask_regions(in, inputs, names); }

}  // namespace

Arrays reference(const ReferenceIn& in) { return regions_by_loops(in, names); }

extern const Mechanism record{.id = "bottom-up-top-down",
                              .parameters = {{"W_h", "dq a"}, {"W_v", "dk a"}, {"w", "a"}},
                              .knobs = {size_knob("hidden", "a", "dk", 1, 256)},
                              .roles = {{"query", "m dq"}, {"key", "n dk"}},
                              .slots = {own_score_slot, own_alignment_slot},
                              .coordinates = {{"scoring", "additive"}, {"alignment", "global"}},
                              .behaviour = Structure{build}};
}  // namespace attend::bottom_up_top_down_entry
