// SPDX-License-Identifier: Apache-2.0
// Rotatory attention repeated: from the second hop on, what the target said last asks the contexts,
//   r^l = att(r^lt, F^l),  r^r = att(r^rt, F^r)
// Wallaart, Frasincar 2019 (LCR-Rot-hop); Brauwers & Frasincar 2022, section 3.1.1, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/parts/structures/rotation.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::rotatory_hop_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Rotation rotation(in, inputs);
  Var left = let("r^t", mean_row(inputs["target"])), right = left;
  const std::size_t hops = in.integer("hops");
  Rotation::Turn turn;
  for (std::size_t s = 0; s < hops; ++s) {
    turn = rotation.turn(left, right, s + 1 == hops ? "" : "-hop" + std::to_string(s));
    left = turn.lt["context"];
    right = turn.rt["context"];
  }
  return rotation.results(turn);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const auto seen = [&](const char* module, const Array& q, const char* port) {
    return seen_by(activated_general(in, module, q, in[port]), in[port]);
  };
  Array left = mean_of_rows(in["target"]), right = left;
  Arrays out;
  for (int s = 0; s < static_cast<int>(in.number("hops")); ++s) {
    const AttentionTables l = seen("tl", left, "left"), r = seen("tr", right, "right");
    const AttentionTables lt = seen("lt", l.context, "target"),
                          rt = seen("rt", r.context, "target");
    left = lt.context;
    right = rt.context;
    out = {{"tl.weights", l.weights},
           {"tr.weights", r.weights},
           {"lt.weights", lt.weights},
           {"rt.weights", rt.weights},
           {"output", beside({l.context, r.context, left, right})}};
  }
  return out;
}

extern const Mechanism record{
    .id = "rotatory-hop",
    .aliases = {"lcr-rot-hop"},
    .knobs = {integer_knob("hops", 3., 1, 5).at_least(1)},
    .roles = {{"target", "nt d"}, {"left", "nl dl", false}, {"right", "nr dr", false}},
    .slots = {attention_slot("tl", by_activated_general),
              attention_slot("tr", by_activated_general),
              attention_slot("lt", by_activated_general),
              attention_slot("rt", by_activated_general)},
    .coordinates = {{"multiplicity of features", "rotatory"},
                    {"type", "specialized"},
                    {"multiplicity", "multi-hop"}},
    .extents = {{"nt", 3}, {"nl", 4}, {"nr", 5}, {"dl", 5}},
    .behaviour = Structure{build}};
}  // namespace attend::rotatory_hop_entry
