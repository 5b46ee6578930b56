// SPDX-License-Identifier: Apache-2.0
// Feature juxtaposition: the general module as it is, C = align(score(Q, K)) V
// Galassi, Lippi, Torroni 2021, section IV-A, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::feature_juxtaposition_entry {
namespace {

Tensors build(const Scope& in, const Tensors&) {
  const Choice module = plain_attention(in);
  return in.assembler.attend(Scope{in.assembler, module, {}, in.family, {}});
}

Arrays reference(const ReferenceIn& in) {
  const Answer seen = seen_by(dots(in["query"], in["key"]), or_else(in, "value", "key"));
  return {{"scores", seen.scores}, {"weights", seen.weights}, {"context", seen.context}};
}

}  // namespace

extern const Mechanism feature_juxtaposition_record;
const Mechanism feature_juxtaposition_record{
    .id = "feature-juxtaposition",
    .roles = {{"query", "m dq"}, {"key", "n dk", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {{"score", Kind::score, "dot"},
              {"alignment", Kind::alignment, "softmax"},
              {"mask", Kind::mask, "", true}},
    .coordinates = {{"multiplicity of features", "singular"}},
    .behaviour = Structure{build}};
extern const Reference feature_juxtaposition_reference;
const Reference feature_juxtaposition_reference{reference};
}  // namespace attend::feature_juxtaposition_entry
