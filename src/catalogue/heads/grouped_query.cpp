// SPDX-License-Identifier: Apache-2.0
// Grouped-query attention:  head_t = Att(Q W_Q[t], K W_K[g], V W_V[g]),  g = floor(t G / h)
// Ainslie et al. 2023, section 2.2, arXiv:2305.13245
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"

namespace attend::grouped_query_entry {
Arrays reference(const ReferenceIn& in) { return self_attention_by_loops(in); }

extern const Mechanism record{
    .id = "grouped-query",
    .aliases = {"gqa"},
    .parameters = {{"W_Q", "h dq p"},
                   {"W_K", "G dk p"},
                   {"W_V", "G dv pv"},
                   {"W_O", "h*pv dc"},
                   {"b_Q", "h p", Distribution::zero},
                   {"b_K", "G p", Distribution::zero},
                   {"b_V", "G pv", Distribution::zero},
                   {"b_O", "dc", Distribution::zero}},
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16),
              size_knob("groups", "G", 2., 1, 16).divides("count"), flag_knob("bias", false)},
    .needs_query = true,
    .coordinate = "multi-head",
    .behaviour = Heads{split_heads, merge_heads}};
}  // namespace attend::grouped_query_entry
