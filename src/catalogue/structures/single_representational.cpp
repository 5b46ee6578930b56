// SPDX-License-Identifier: Apache-2.0
// Single-representational features: the general module as it is, C = align(score(Q, K)) V
// Brauwers & Frasincar 2022, section 3.1.3, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::single_representational_entry {
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

extern const Mechanism single_representational_record;
const Mechanism single_representational_record{
    .id = "single-representational",
    .roles = {{"query", "m dq"}, {"key", "n dk", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {{"score", Kind::score, "dot"},
              {"alignment", Kind::alignment, "softmax"},
              {"mask", Kind::mask, "", true}},
    .coordinates = {{"feature representations", "single-representational"}},
    .behaviour = Structure{build}};
extern const Reference single_representational_reference;
const Reference single_representational_reference{reference};
}  // namespace attend::single_representational_entry
