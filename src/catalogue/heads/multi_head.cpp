// SPDX-License-Identifier: Apache-2.0
// Multi-head attention:  head_t = Att(Q W_Q[t], K W_K[t], V W_V[t]),  C = [head_1; ..; head_h] W_O
// Vaswani et al. 2017, section 3.2.2, arXiv:1706.03762;
// Brauwers & Frasincar 2022, equations 38 to 40
#include "catalogue/entry.h"
#include "catalogue/projected_heads.h"

namespace attend::catalogue {
extern const Entry multi_head_entry;
const Entry multi_head_entry{
    .words =
        {.title = "Multi-head",
         .formula =
             R"(\text{head}_t = \operatorname{Att}(Q W^Q_t, K W^K_t, V W^V_t),\quad C = [\text{head}_1;\dots;\text{head}_h]\,W_O)",
         .sentence =
             "Several small attentions side by side, each with its own view, joined by W_O.",
         .source = {"Vaswani et al.", 2017, "section 3.2.2", "https://arxiv.org/abs/1706.03762"}},
    .record = {.id = "multi-head",
               .parameters = head_parameters,
               .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
               .knobs = {size_knob("count", "Heads", "h", 4., 1, 16),
                         flag_knob("bias", "Biases", false)},
               .needs_query = true,
               .coordinate = "multi-head",
               .behaviour = Heads{split_heads, merge_heads}},
    .reference = self_attention_by_loops};
}  // namespace attend::catalogue
