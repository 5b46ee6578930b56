// SPDX-License-Identifier: Apache-2.0
// Multilingual meta-embeddings: attention over the embeddings of several languages
//   x^{t_e} = x^e W_e + b_e,  a = softmax_e(tanh(x^{t_e} . a + b)),  x = sum_e a_e x^{t_e}
// Winata, Lin, Fung 2019 (MME), section 2.2, W19-4320; Brauwers & Frasincar 2022, table 3, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/representations.h"

namespace attend {
namespace {

void build(const ModuleIn& in) { weigh_by_themselves(in, true); }

Arrays reference(const ReferenceIn& in) { return weighed_by_themselves(in, true); }

}  // namespace

namespace catalogue {
extern const Entry multilingual_meta_entry;
const Entry multilingual_meta_entry{
    .words =
        {.title = "Multilingual meta-embeddings",
         .formula =
             R"(x^{t_e} = x^e W_e + b_e,\quad \alpha = \operatorname{softmax}_e(\tanh(x^{t_e}\cdot a + b)),\quad x = \sum_e \alpha_e\,x^{t_e})",
         .sentence =
             "Each word mixes its embeddings from several languages; none weighs more than e^2, about "
             "7.4, times as much as another.",
         .note =
             "The tanh is the paper's example of a scoring function, and a weight is one number, as the "
             "survey tells it; the paper prints a vector, and released code takes the tanh of each "
             "feature as that feature's score. There a Transformer reads what comes out.",
         .source = {"Winata, Lin, Fung", 2019, "section 2.2", "https://aclanthology.org/W19-4320"}},
    .record = {.id = "multilingual-meta",
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
