// SPDX-License-Identifier: Apache-2.0
// Meta-embeddings: attention over several embeddings of one token
//   x^{t_e} = x^e W_e + b_e,  a = softmax_e(x^{t_e} . a + b) (or sigmoid),  x = sum_e a_e x^{t_e}
// Kiela, Wang, Cho 2018 (DME), arXiv:1804.07983; Brauwers & Frasincar 2022, equations 21 and 22
#include "catalogue/entry.h"
#include "catalogue/parts/structures/representations.h"

namespace attend::multi_representational_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  return weigh_by_themselves(in, inputs, false);
}

}  // namespace

Arrays reference(const ReferenceIn& in) { return weighed_by_themselves(in, false); }

extern const Mechanism record{.id = "multi-representational",
                              .aliases = {"meta-embeddings", "dme"},
                              .parameters = source_parameters,
                              .knobs = {source_gate, source_width},
                              .roles = source_roles,
                              .coordinates = {{"feature representations", "multi-representational"},
                                              {"scoring", "additive"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"}},
                              .extents = {{"n", 3}},
                              .behaviour = Structure{build}};
}  // namespace attend::multi_representational_entry
