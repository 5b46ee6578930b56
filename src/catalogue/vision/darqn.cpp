// SPDX-License-Identifier: Apache-2.0
// Soft attention of the deep attention recurrent Q-network: the state of an LSTM asks the regions,
//   e_tj = w . tanh(v_j W + h_t W_h),  c_t = softmax(e_t) V
// Sorokin et al. 2015, arXiv:1512.01693
#include "catalogue/entry.h"
#include "catalogue/parts/images/regions.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::darqn_entry {
namespace {

constexpr RegionNames names{"W_h", "W"};

Tensors build(const Scope& in, const Tensors& inputs) { return ask_regions(in, inputs, names); }

}  // namespace

Arrays reference(const ReferenceIn& in) { return regions_by_loops(in, names); }

extern const Mechanism record{.id = "darqn",
                              .parameters = {{"W_h", "dq a"}, {"W", "dk a"}, {"w", "a"}},
                              .knobs = {size_knob("hidden", "a", "dk", 1, 256)},
                              .roles = {{"query", "m dq"}, {"key", "n dk"}},
                              .slots = {own_score_slot, own_alignment_slot},
                              .coordinates = {{"scoring", "additive"}, {"alignment", "global"}},
                              .behaviour = Structure{build}};
}  // namespace attend::darqn_entry
