// SPDX-License-Identifier: Apache-2.0
// Feature juxtaposition: the general module as it is, C = align(score(Q, K)) V
// Galassi, Lippi, Torroni 2021, section IV-A, arXiv:1902.02181
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
extern const Entry feature_juxtaposition_entry;
const Entry feature_juxtaposition_entry{
    .words =
        {.title = "Feature juxtaposition",
         .formula = R"(C = \operatorname{align}(\operatorname{score}(Q, K))\,V)",
         .sentence =
             "The rows are not tokens but modalities or aspects of one thing, with one embedding "
             "for each; attention decides between them.",
         .source = {"Galassi, Lippi, Torroni", 2021, "section IV-A",
                    "https://arxiv.org/abs/1902.02181"}},
    .record = {.id = "feature-juxtaposition",
               .roles = {{"query", "m dq"},
                         {"key", "n dk", false, "query"},
                         {"value", "n dv", false, "key"}},
               .slots = {{"score", "Score", "General", Kind::score, "dot"},
                         {"alignment", "Alignment", "General", Kind::alignment, "softmax"},
                         {"mask", "Masks", "Masks and positions", Kind::mask, "", true}},
               .coordinates = {{"multiplicity of features", "singular"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
