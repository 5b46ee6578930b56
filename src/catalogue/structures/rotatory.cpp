// SPDX-License-Identifier: Apache-2.0
// Rotatory attention of a target between its left and right context:
//   r^l = att(mean F^t, F^l),  r^r = att(mean F^t, F^r),  r^lt = att(r^l, F^t),  r^rt = att(r^r, F^t)
// Zheng, Xia 2018, arXiv:1802.00892; Brauwers & Frasincar 2022, equations 17 to 20
#include "catalogue/entry.h"
#include "catalogue/parts/structures/rotation.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::rotatory_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Rotation rotation(in, inputs);
  const Var mean = let("r^t", mean_row(inputs["target"]));
  return rotation.results(rotation.turn(mean, mean, ""));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array asks = mean_of_rows(in["target"]);
  const auto seen = [&](const char* module, const Array& q, const char* port) {
    return seen_by(activated_general(in, module, q, in[port]), in[port]);
  };
  const AttentionTables l = seen("tl", asks, "left"), r = seen("tr", asks, "right");
  const AttentionTables lt = seen("lt", l.context, "target"), rt = seen("rt", r.context, "target");
  return {{"tl.weights", l.weights},
          {"tr.weights", r.weights},
          {"lt.weights", lt.weights},
          {"rt.weights", rt.weights},
          {"output", beside({l.context, r.context, lt.context, rt.context})}};
}

extern const Mechanism record{
    .id = "rotatory",
    .aliases = {"lcr-rot"},
    .roles = {{"target", "nt d"}, {"left", "nl dl", false}, {"right", "nr dr", false}},
    .slots = {attention_slot("tl", by_activated_general),
              attention_slot("tr", by_activated_general),
              attention_slot("lt", by_activated_general),
              attention_slot("rt", by_activated_general)},
    .coordinates = {{"multiplicity of features", "rotatory"}, {"type", "specialized"}},
    .extents = {{"nt", 3}, {"nl", 4}, {"nr", 5}, {"dl", 5}},
    .behaviour = Structure{build}};
}  // namespace attend::rotatory_entry
