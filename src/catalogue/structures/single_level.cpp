// SPDX-License-Identifier: Apache-2.0
// Single-level features: the general module as it is, C = align(score(Q, K)) V
// Brauwers & Frasincar 2022, section 3.1.2, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::single_level_entry {
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

extern const Mechanism single_level_record;
const Mechanism single_level_record{
    .id = "single-level",
    .roles = {{"query", "m dq"}, {"key", "n dk", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {{"score", Kind::score, "dot"},
              {"alignment", Kind::alignment, "softmax"},
              {"mask", Kind::mask, "", true}},
    .coordinates = {{"feature levels", "single-level"}},
    .behaviour = Structure{build}};
extern const Reference single_level_reference;
const Reference single_level_reference{reference};
}  // namespace attend::single_level_entry
