// SPDX-License-Identifier: Apache-2.0
// Single-representational features: the general module as it is, C = align(score(Q, K)) V
// Brauwers & Frasincar 2022, section 3.1.3, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/structure_reference.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  const Choice module = plain_attention(in);
  in.assembler.attend(Scope{in.assembler, module, {}, in.family, {}, {}});
}

Arrays reference(const ReferenceIn& in) {
  const Answer seen = seen_by(dots(in["query"], in["key"]), or_else(in, "value", "key"));
  return {{"scores", seen.scores}, {"weights", seen.weights}, {"context", seen.context}};
}

}  // namespace

namespace catalogue {
extern const Entry single_representational_entry;
const Entry single_representational_entry{
    .words =
        {.title = "Single-representational features",
         .formula = R"(C = \operatorname{align}(\operatorname{score}(Q, K))\,V)",
         .sentence =
             "Each token has one embedding: the plain module, which meta-embeddings are compared "
             "with.",
         .source = {"Brauwers, Frasincar", 2022, "section 3.1.3",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "single-representational",
               .roles = {{"query", "m dq"},
                         {"key", "n dk", false, "query"},
                         {"value", "n dv", false, "key"}},
               .slots = {{"score", "Score", "General", Kind::score, "dot"},
                         {"alignment", "Alignment", "General", Kind::alignment, "softmax"},
                         {"mask", "Masks", "Masks and positions", Kind::mask, "", true}},
               .coordinates = {{"feature representations", "single-representational"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
