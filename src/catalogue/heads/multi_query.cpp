// SPDX-License-Identifier: Apache-2.0
// Multi-query attention:  head_t = Att(Q W_Q[t], K W_K, V W_V): one head of keys and values for all
// Shazeer 2019, section 3, arXiv:1911.02150
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"

namespace attend::multi_query_entry {
Arrays reference(const ReferenceIn& in) { return self_attention_by_loops(in); }

extern const Mechanism record{
    .id = "multi-query",
    .aliases = {"mqa"},
    .parameters = {{"W_Q", "h dq p"},
                   {"W_K", "1 dk p"},
                   {"W_V", "1 dv pv"},
                   {"W_O", "h*pv dc"},
                   {"b_Q", "h p", Distribution::zero},
                   {"b_K", "1 p", Distribution::zero},
                   {"b_V", "1 pv", Distribution::zero},
                   {"b_O", "dc", Distribution::zero}},
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), flag_knob("bias", false)},
    .needs_query = true,
    .coordinate = "multi-head",
    .behaviour = Heads{split_heads, merge_heads}};
}  // namespace attend::multi_query_entry
