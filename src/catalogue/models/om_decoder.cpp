// SPDX-License-Identifier: Apache-2.0
// A recurrent decoder that attends: with asks "before"  c_t = att(s_{t-1}), s_t = cell([E y_{t-1} ; c_t], s_{t-1});
// with asks "after"  s_t = cell(E y_{t-1}, s_{t-1}), c_t = att(s_t);  logits = [s_t ; c_t] W_c + b_c
// Bahdanau, Cho, Bengio 2015, section 3.1, arXiv:1409.0473 (before); Luong, Pham, Manning 2015, section 3,
// arXiv:1508.04025 (after)
#include <algorithm>
#include <cmath>

#include "catalogue/decoder.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  const Var memory = in["memory"];  // [n d]
  decode(in, [&](const Scope& scope, Var) -> Look {
    return [&, memory](Var state) {
      const Results seen = scope.call(
          "attention",
          {.name = "attention", .family = {}, .m = "1", .n = "n", .step = {}, .quiet = true},
          {{"query", state}, {"key", memory}, {"value", memory}});
      return Seen{seen.at("weights"), seen.at("context")};
    };
  });
}

// The gated recurrent unit and the additive score by plain loops, teacher forcing, asked before.
struct Unit {
  const ReferenceIn& in;
  [[nodiscard]] const Array& p(const char* name) const { return in.parameter(name); }

  [[nodiscard]] Row next(const Row& x, const Row& h) const {
    const std::size_t dh = h.size();
    const Row own = mapped(x, p("cell.W")), before = mapped(h, p("cell.U"));
    Row after(dh);
    for (std::size_t i = 0; i < dh; ++i) {
      const auto gate = [&](std::size_t at) {
        return activate("sigmoid", own[at] + p("cell.b")(at) + before[at] + p("cell.c")(at));
      };
      const std::size_t at = 2 * dh + i;
      const double r = gate(i), z = gate(dh + i);
      after[i] =
          (1 - z) * std::tanh(own[at] + p("cell.b")(at) + r * (before[at] + p("cell.c")(at))) +
          z * h[i];
    }
    return after;
  }
  [[nodiscard]] Row weights(const Row& state) const {
    const Array& memory = in["memory"];
    const Row asked = mapped(state, p("attention.score.W1"));
    Row e(memory.rows(), 0);
    for (std::size_t j = 0; j < e.size(); ++j) {
      const Row key = mapped(memory.row(j), p("attention.score.W2"));
      for (std::size_t c = 0; c < key.size(); ++c)
        e[j] +=
            p("attention.score.w")(c) * std::tanh(asked[c] + key[c] + p("attention.score.b")(c));
    }
    return soft(e, [](std::size_t) { return true; });
  }
};

Arrays reference(const ReferenceIn& in) {
  const Unit unit{in};
  const Array& memory = in["memory"];
  const std::vector<std::string>& tokens = in.labels.at("target");
  const std::size_t steps = tokens.size(), dh = unit.p("b_0").cols();
  Row s = mapped(in["initial"].row(0), unit.p("W_0"));
  for (std::size_t i = 0; i < dh; ++i) s[i] = std::tanh(s[i] + unit.p("b_0")(i));
  Array weights({steps, memory.rows()}), context({steps, memory.cols()}), states({steps, dh});
  Array logits({steps, unit.p("b_c").cols()});
  std::vector<std::string> seen;
  std::size_t place = 0;  // <start>
  for (std::size_t t = 0; t < steps; ++t) {
    const Row a = unit.weights(s);
    Row c(memory.cols(), 0), x = unit.p("E").row(place);
    for (std::size_t j = 0; j < a.size(); ++j) {
      weights(t, j) = a[j];
      for (std::size_t i = 0; i < c.size(); ++i) c[i] += a[j] * memory(j, i);
    }
    x.insert(x.end(), c.begin(), c.end());
    s = unit.next(x, s);
    Row both = s;
    both.insert(both.end(), c.begin(), c.end());
    const Row out = mapped(both, unit.p("W_c"));
    for (std::size_t i = 0; i < dh; ++i) states(t, i) = s[i];
    for (std::size_t i = 0; i < c.size(); ++i) context(t, i) = c[i];
    for (std::size_t i = 0; i < out.size(); ++i) logits(t, i) = out[i] + unit.p("b_c")(i);
    const auto known = std::find(seen.begin(), seen.end(), tokens[t]);
    place = static_cast<std::size_t>(known - seen.begin()) + 3;
    if (known == seen.end()) seen.push_back(tokens[t]);
  }
  return {{"weights", weights}, {"context", context}, {"states", states}, {"logits", logits}};
}

}  // namespace

namespace catalogue {
extern const Entry om_decoder_entry;
const Entry om_decoder_entry{
    .words =
        {.title = "Attending decoder",
         .formula =
             R"(c_t = \operatorname{att}(s_{t-1}),\quad s_t = \operatorname{cell}([E y_{t-1} ; c_t],\, s_{t-1}),\quad \text{logits}_t = [s_t ; c_t] W_c + b_c)",
         .sentence =
             "Writes one token a step; at every step it looks at the source with what it has in mind.",
         .note =
             "It asks with the state before the step, as Bahdanau et al. do, or with the state after it, as Luong et al. do.",
         .source = {"Bahdanau, Cho, Bengio", 2015, "section 3.1",
                    "https://arxiv.org/abs/1409.0473"}},
    .record =
        {.id = "om-decoder",
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
         .slots = {{"cell", "Cell", "General", Kind::cell, "gru"},
                   {"attention",
                    "Attention",
                    "General",
                    Kind::structure,
                    "attention",
                    false,
                    {},
                    {{"score", "additive"}}}},
         .coordinates = {{"multiplicity", "singular"}},
         .around =
             R"({"inputs": {"target": {"shape": null, "data": null, "tokens": ["a", "b", "a", "<end>"]}}})",
         .extents = {{"1", 1}},
         .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
