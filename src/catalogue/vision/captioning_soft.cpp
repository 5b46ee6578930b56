// SPDX-License-Identifier: Apache-2.0
// Soft attention of an image caption: the decoder's state asks the places of an image,
//   e_tj = w . tanh(h_t W1 + a_j W2 + b),  c_t = softmax(e_t) A
// Xu et al. 2015 (Show, Attend and Tell), arXiv:1502.03044
#include "catalogue/entry.h"
#include "catalogue/parts/images/regions.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::captioning_soft_entry {
namespace {

constexpr RegionNames names{"W1", "W2", "b"};

Tensors build(const Scope& in, const Tensors& inputs) { return ask_regions(in, inputs, names); }

}  // namespace

Arrays reference(const ReferenceIn& in) { return regions_by_loops(in, names); }

extern const Mechanism record{
    .id = "captioning-soft",
    .parameters = {{"W1", "dq a"}, {"W2", "dk a"}, {"b", "a", Distribution::zero}, {"w", "a"}},
    .knobs = {size_knob("hidden", "a", "dk", 1, 256)},
    .roles = {{"query", "m dq"}, {"key", "n dk"}},
    .slots = {own_score_slot, own_alignment_slot},
    .coordinates = {{"scoring", "additive"}, {"alignment", "global"}},
    .behaviour = Structure{build}};
}  // namespace attend::captioning_soft_entry
