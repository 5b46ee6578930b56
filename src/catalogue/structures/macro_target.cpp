// SPDX-License-Identifier: Apache-2.0
// The target first: attention over the words of a target makes one row, which asks the sentence
//   c_T = att(K_T),  c = att(c_T, K)
// Galassi, Lippi, Torroni 2021, section IV-A2, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::macro_target_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var words = inputs["target"], key = inputs["key"];  // [nt d] [n d]
  const Var given = inputs.find("value");
  in.label("nt", words);
  in.label("n", key);
  const Tensors target = ask(in, {.slot = "target", .key = words, .value = words, .n = "nt"});
  const Tensors sentence = ask(
      in,
      {.slot = "sentence", .query = target["context"], .key = key, .value = given ? given : key});
  const Var map = result_of(in, "sentence", sentence, "weights");
  return {{out::scores, result_of(in, "sentence", sentence, "scores"),
           map_axes(in, "sentence", map, "1", "n")},
          {out::weights, map, map_axes(in, "sentence", map, "1", "n")},
          {out::result, sentence["context"], "1 dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& words = in["target"];
  const AttentionTables target = seen_by(self_additive(in, "target.score.", words), words);
  const AttentionTables sentence =
      seen_by(dots(target.context, in["key"]), or_else(in, "value", "key"));
  return {{"target.weights", target.weights},
          {"target.context", target.context},
          {"scores", sentence.scores},
          {"weights", sentence.weights},
          {"context", sentence.context}};
}

extern const Mechanism record{
    .id = "macro-target",
    .aliases = {"target-first"},
    .roles = {{"target", "nt d"}, {"key", "n dk"}, {"value", "n dv", false, "key"}},
    .slots = {attention_slot("target", by_self_additive), attention_slot("sentence", by_dot)},
    .coordinates = {{"feature levels", "hierarchical"}, {"type", "self-attentive, specialized"}},
    .extents = {{"nt", 3}},
    .behaviour = Structure{build}};
}  // namespace attend::macro_target_entry
