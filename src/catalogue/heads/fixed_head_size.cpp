// SPDX-License-Identifier: Apache-2.0
// Multi-head attention whose head width is the sequence length, p = n, whatever the number of heads
// Bhojanapalli et al. 2020 (Low-Rank Bottleneck in Multi-head Attention Models), arXiv:2002.07028
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"

namespace attend::fixed_head_size_entry {
Arrays reference(const ReferenceIn& in) { return self_attention_by_loops(in); }

extern const Mechanism record{
    .id = "fixed-head-size",
    .parameters = head_parameters,
    .symbols = {{"p", "n"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), flag_knob("bias", false)},
    .needs_query = true,
    .coordinate = "multi-head",
    .behaviour = Heads{split_heads, merge_heads}};
}  // namespace attend::fixed_head_size_entry
