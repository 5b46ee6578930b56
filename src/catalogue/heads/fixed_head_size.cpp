// SPDX-License-Identifier: Apache-2.0
// Multi-head attention whose head width is the sequence length, p = n, whatever the number of heads
// Bhojanapalli et al. 2020 (Low-Rank Bottleneck in Multi-head Attention Models), arXiv:2002.07028
#include "catalogue/entry.h"
#include "catalogue/projected_heads.h"

namespace attend::catalogue {
extern const Entry fixed_head_size_entry;
const Entry fixed_head_size_entry{
    .words =
        {.title = "Multi-head, fixed head width",
         .formula =
             R"(\text{head}_t = \operatorname{Att}(Q W^Q_t, K W^K_t, V W^V_t),\quad W^Q_t \in \mathbb{R}^{d_q \times n})",
         .sentence =
             "Every head is as wide as the sequence is long; so its scores can form any map, as "
             "long as the tokens are linearly independent.",
         .source = {"Bhojanapalli et al.", 2020, "section 3", "https://arxiv.org/abs/2002.07028"}},
    .record = {.id = "fixed-head-size",
               .parameters = head_parameters,
               .symbols = {{"p", "n"}, {"pv", "p"}, {"dc", "dv"}},
               .knobs = {size_knob("count", "Heads", "h", 4., 1, 16),
                         flag_knob("bias", "Biases", false)},
               .needs_query = true,
               .coordinate = "multi-head",
               .behaviour = Heads{split_heads, merge_heads}},
    .reference = self_attention_by_loops};
}  // namespace attend::catalogue
