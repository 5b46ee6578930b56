// SPDX-License-Identifier: Apache-2.0
// Multi-head attention:  head_t = Att(Q W_Q[t], K W_K[t], V W_V[t]),  C = [head_1; ..; head_h] W_O
// Vaswani et al. 2017, section 3.2.2, arXiv:1706.03762;
// Brauwers & Frasincar 2022, equations 38 to 40
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"

namespace attend::multi_head_entry {
Arrays reference(const ReferenceIn& in) { return self_attention_by_loops(in); }

extern const Mechanism record{
    .id = "multi-head",
    .parameters = head_parameters,
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), flag_knob("bias", false)},
    .needs_query = true,
    .coordinate = "multi-head",
    .behaviour = Heads{split_heads, merge_heads}};
}  // namespace attend::multi_head_entry
