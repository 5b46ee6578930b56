// SPDX-License-Identifier: Apache-2.0
// A pointer: the weights over the keys are the answer
// Vinyals, Fortunato, Jaitly 2015, arXiv:1506.03134
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::om_pointer_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var query = inputs["query"], key = inputs["key"];  // [m dq] [n dk]
  in.label("m", query);
  in.label("n", key);
  const Tensors found =
      in.call("attention", {.name = "attention", .family = {}, .m = "m", .n = "n", .step = {}},
              {{"query", query}, {"key", key}, {"value", key}});
  return {{"logits", result_of(in, "attention", found, "scores"), "m n"},
          {OutputKind{"probabilities", TensorRole::weights, NumberKind::probability},
           result_of(in, "attention", found, "weights"), "m n"}};
}

}  // namespace

// With the additive score.
Arrays reference(const ReferenceIn& in) {
  const Array logits = additive(in, "attention", in["query"], in["key"]);
  return {{"logits", logits}, {"probabilities", soft_rows(logits)}};
}

extern const Mechanism record{
    .id = "om-pointer",
    .roles = {{"query", "m dq"}, {"key", "n dk"}},
    .slots = {{"attention", Kind::structure, "attention", false, {}, {{"score", "additive"}}}},
    .behaviour = Structure{build}};
}  // namespace attend::om_pointer_entry
