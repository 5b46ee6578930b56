// SPDX-License-Identifier: Apache-2.0
// Top-down attention over regions that a detector proposed bottom-up,
//   e_tj = w . tanh(v_j W_v + h_t W_h),  c_t = softmax(e_t) V
// Anderson et al. 2018, arXiv:1707.07998
#include "catalogue/entry.h"
#include "catalogue/regions.h"
#include "catalogue/structure_parts.h"

namespace attend {
namespace {

constexpr RegionNames names{"W_h", "W_v"};

void build(const ModuleIn& in) { ask_regions(in, names); }

Arrays reference(const ReferenceIn& in) { return regions_by_loops(in, names); }

}  // namespace

namespace catalogue {
extern const Entry bottom_up_top_down_entry;
const Entry bottom_up_top_down_entry{
    .words =
        {.title = "Bottom-up and top-down attention",
         .formula =
             R"(e_{tj} = w \cdot \tanh(v_j W_v + h_t W_h),\quad c_t = \sum_j \operatorname{softmax}_j(e_t)\,v_j)",
         .sentence =
             "A detector proposes regions of an image (bottom-up); the state of the decoder, "
             "which writes a sentence about it, chooses among them (top-down).",
         .note =
             "The keys are the features of proposed regions; whoever proposes them is not part of it.",
         .source = {"Anderson et al.", 2018, "top-down attention",
                    "https://arxiv.org/abs/1707.07998"}},
    .record = {.id = "bottom-up-top-down",
               .parameters = {{"W_h", "dq a"}, {"W_v", "dk a"}, {"w", "a"}},
               .knobs = {size_knob("hidden", "Hidden width", "a", "dk", 1, 256)},
               .roles = {{"query", "m dq"}, {"key", "n dk"}},
               .slots = {own_score_slot, own_alignment_slot},
               .coordinates = {{"scoring", "additive"}, {"alignment", "global"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
