// SPDX-License-Identifier: Apache-2.0
// A decoder without attention: every step sees the same vector, what the encoder ended with
// Cho et al. 2014, section 2.2, arXiv:1406.1078
#include <algorithm>
#include <cmath>

#include "catalogue/decoder.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  decode(in, [](const Scope&, Var initial) -> Look {
    return [initial](Var) { return Seen{{}, initial}; };
  });
}

// The gated recurrent unit by plain loops, teacher forcing.
Arrays reference(const ReferenceIn& in) {
  const auto p = [&](const char* name) -> const Array& { return in.parameter(name); };
  const std::vector<std::string>& tokens = in.labels.at("target");
  const Row fixed = in["initial"].row(0);
  const std::size_t dh = p("b_0").cols();
  Row s = mapped(fixed, p("W_0"));
  for (std::size_t i = 0; i < dh; ++i) s[i] = std::tanh(s[i] + p("b_0")(i));
  Array states({tokens.size(), dh}), logits({tokens.size(), p("b_c").cols()});
  std::vector<std::string> seen;
  std::size_t place = 0;  // <start>
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    Row x = p("E").row(place);
    x.insert(x.end(), fixed.begin(), fixed.end());
    const Row own = mapped(x, p("cell.W")), before = mapped(s, p("cell.U"));
    for (std::size_t i = 0; i < dh; ++i) {
      const auto gate = [&](std::size_t at) {
        return activate("sigmoid", own[at] + p("cell.b")(at) + before[at] + p("cell.c")(at));
      };
      const double r = gate(i), z = gate(dh + i);
      const std::size_t at = 2 * dh + i;
      s[i] = (1 - z) * std::tanh(own[at] + p("cell.b")(at) + r * (before[at] + p("cell.c")(at))) +
             z * s[i];
      states(t, i) = s[i];
    }
    Row both = s;
    both.insert(both.end(), fixed.begin(), fixed.end());
    const Row out = mapped(both, p("W_c"));
    for (std::size_t i = 0; i < out.size(); ++i) logits(t, i) = out[i] + p("b_c")(i);
    const auto known = std::find(seen.begin(), seen.end(), tokens[t]);
    place = static_cast<std::size_t>(known - seen.begin()) + 3;
    if (known == seen.end()) seen.push_back(tokens[t]);
  }
  return {{"states", states}, {"logits", logits}};
}

}  // namespace

namespace catalogue {
extern const Entry fixed_vector_baseline_entry;
const Entry fixed_vector_baseline_entry{
    .words =
        {.title = "Decoder with a fixed vector",
         .formula = R"(c_t = c,\quad s_t = \operatorname{cell}([E y_{t-1} ; c],\, s_{t-1}))",
         .sentence =
             "Writes from one vector that has to hold the whole source: what attention was invented against.",
         .source = {"Cho et al.", 2014, "section 2.2", "https://arxiv.org/abs/1406.1078"}},
    .record =
        {.id = "fixed-vector-baseline",
         .parameters = decoder_parameters,
         .symbols = {{"r", "dh"}},
         .knobs = {size_knob("hidden", "States", "dh", 16., 1, 256),
                   size_knob("dim", "Width of the words", "e", 16., 1, 256),
                   words_knob("vocabulary", "Vocabulary"),
                   choice_knob("feed", "Fed with", "teacher", {"teacher", "greedy"}),
                   choice_knob("asks", "Asks with the state", "before", {"before", "after"}),
                   flag_knob("input-feeding", "Input feeding", false),
                   choice_knob("readout", "Readout", "none", {"none", "tanh"}),
                   integer_knob("steps", "Steps at most", 10., 1, 60).at_least(1)},
         .roles = decoder_roles,
         .slots = {{"cell", "Cell", "General", Kind::cell, "gru"}},
         .around =
             R"({"inputs": {"target": {"shape": null, "data": null, "tokens": ["a", "b", "a", "<end>"]}}})",
         .extents = {{"1", 1}},
         .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
