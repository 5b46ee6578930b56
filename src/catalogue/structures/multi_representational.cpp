// SPDX-License-Identifier: Apache-2.0
// Meta-embeddings: attention over several embeddings of one token
//   x^{t_e} = x^e W_e + b_e,  a = softmax_e(x^{t_e} . a + b) (or sigmoid),  x = sum_e a_e x^{t_e}
// Kiela, Wang, Cho 2018 (DME), arXiv:1804.07983; Brauwers & Frasincar 2022, equations 21 and 22
#include "catalogue/entry.h"
#include "catalogue/representations.h"

namespace attend {
namespace {

void build(const ModuleIn& in) { weigh_by_themselves(in, false); }

Arrays reference(const ReferenceIn& in) { return weighed_by_themselves(in, false); }

}  // namespace

namespace catalogue {
extern const Entry multi_representational_entry;
const Entry multi_representational_entry{
    .words =
        {.title = "Meta-embeddings",
         .formula =
             R"(x^{t_e} = x^e W_e + b_e,\quad \alpha = \operatorname{softmax}_e(x^{t_e}\cdot a + b),\quad x = \sum_e \alpha_e\,x^{t_e})",
         .sentence = "Several embeddings of the same word compete, and each word chooses its own "
                     "mixture of them.",
         .note =
             "One survey calls the score additive; the paper's is linear, without an activation.",
         .source = {"Kiela, Wang, Cho", 2018,
                    "as in Brauwers & Frasincar 2022, equations 21 and 22",
                    "https://arxiv.org/abs/1804.07983"}},
    .record = {.id = "multi-representational",
               .aliases = {"meta-embeddings", "dme"},
               .parameters = source_parameters,
               .knobs = {source_gate, source_width},
               .roles = source_roles,
               .coordinates = {{"feature representations", "multi-representational"},
                               {"scoring", "additive"},
                               {"alignment", "global"},
                               {"type", "self-attentive"}},
               .extents = {{"n", 3}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
