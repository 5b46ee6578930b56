// SPDX-License-Identifier: Apache-2.0
// Multilingual meta-embeddings: attention over the embeddings of several languages
//   x^{t_e} = x^e W_e + b_e,  a = softmax_e(tanh(x^{t_e} . a + b)),  x = sum_e a_e x^{t_e}
// Winata, Lin, Fung 2019 (MME), W19-4320; Brauwers & Frasincar 2022, table 3, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/parts/structures/representations.h"

namespace attend::multilingual_meta_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  return weigh_by_themselves(in, inputs, true);
}

}  // namespace

Arrays reference(const ReferenceIn& in) { return weighed_by_themselves(in, true); }

extern const Mechanism record{.id = "multilingual-meta",
                              .parameters = source_parameters,
                              .knobs = {source_gate, source_width},
                              .roles = source_roles,
                              .coordinates = {{"feature representations", "multi-representational"},
                                              {"scoring", "additive"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"}},
                              .extents = {{"n", 3}},
                              .behaviour = Structure{build}};
}  // namespace attend::multilingual_meta_entry
