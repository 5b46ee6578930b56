// SPDX-License-Identifier: Apache-2.0
// Rotatory attention repeated: from the second hop on, what the target said last asks the contexts,
//   r^l = att(r^lt, F^l),  r^r = att(r^rt, F^r)
// Wallaart, Frasincar 2019 (LCR-Rot-hop); Brauwers & Frasincar 2022, section 3.1.1, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/rotation.h"
#include "catalogue/structure_reference.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  const Rotation rotation(in);
  Var left = let("r^t", mean_row(in["target"])), right = left;
  const std::size_t hops = in.integer("hops");
  Rotation::Turn turn;
  for (std::size_t s = 0; s < hops; ++s) {
    turn = rotation.turn(left, right, s + 1 == hops ? "" : "-hop" + std::to_string(s));
    left = turn.lt.at("context");
    right = turn.rt.at("context");
  }
  rotation.name(turn);
}

Arrays reference(const ReferenceIn& in) {
  const auto seen = [&](const char* module, const Array& q, const char* port) {
    return seen_by(activated_general(in, module, q, in[port]), in[port]);
  };
  Array left = mean_of_rows(in["target"]), right = left;
  Arrays out;
  for (int s = 0; s < static_cast<int>(in.number("hops")); ++s) {
    const Answer l = seen("tl", left, "left"), r = seen("tr", right, "right");
    const Answer lt = seen("lt", l.context, "target"), rt = seen("rt", r.context, "target");
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

}  // namespace

namespace catalogue {
extern const Entry rotatory_hop_entry;
const Entry rotatory_hop_entry{
    .words =
        {.title = "Rotatory attention with hops",
         .formula =
             R"(r^l = \operatorname{att}(r^{lt}, F^l),\quad r^r = \operatorname{att}(r^{rt}, F^r),\quad r^{lt} = \operatorname{att}(r^l, F^t),\quad r^{rt} = \operatorname{att}(r^r, F^t))",
         .sentence =
             "The rotation is repeated: each time the phrase, as the left and the right side have "
             "changed it, asks them again.",
         .note =
             "All hops share their parameters; the first asks with the mean of the target. Released "
             "code gives each hop its own, asks with that mean every time, and its score has no "
             "activation.",
         .source = {"Wallaart, Frasincar", 2019, "as in Brauwers & Frasincar 2022, section 3.1.1",
                    "https://doi.org/10.1007/978-3-030-21348-0_24"}},
    .record = {.id = "rotatory-hop",
               .aliases = {"lcr-rot-hop"},
               .knobs = {integer_knob("hops", "Hops", 3., 1, 5).at_least(1)},
               .roles = {{"target", "nt d"}, {"left", "nl dl", false}, {"right", "nr dr", false}},
               .slots = {attention_slot("tl", "Target asks left", by_activated_general),
                         attention_slot("tr", "Target asks right", by_activated_general),
                         attention_slot("lt", "Left asks target", by_activated_general),
                         attention_slot("rt", "Right asks target", by_activated_general)},
               .coordinates = {{"multiplicity of features", "rotatory"},
                               {"type", "specialized"},
                               {"multiplicity", "multi-hop"}},
               .extents = {{"nt", 3}, {"nl", 4}, {"nr", 5}, {"dl", 5}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
