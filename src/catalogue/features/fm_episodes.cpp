// SPDX-License-Identifier: Apache-2.0
// Episodic memory: pass after pass over facts c_i, each let in by a gate that reads it, the question and the memory,
//   z = [c; m; q; c * q; c * m; |c - q|; |c - m|; c W_b q; c W_b m],  g = sigma(tanh(z W1 + b1) . w2 + b2)
//   h_i = g_i cell(c_i, h_{i-1}) + (1 - g_i) h_{i-1},  e = h_n,  m <- cell_m(e, m),  m = q at first
// Kumar et al. 2016 (dynamic memory networks), the episodic memory module, arXiv:1506.07285
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "ops/scan.h"

namespace attend::fm_episodes_entry {
namespace {

// One pass over the facts [n d], each as far in as its gate [n 1] says: the last state [1 d].
Var episode(const CellIn& cell, Var facts, Var gates) {
  const std::size_t n = facts.extent(0), d = facts.extent(-1);
  ScanRecorder recorder(cell.graph(), n);
  const Var before = recorder.state({"h_{i-1}", initial_states(cell)[0]});
  const Var fact = recorder.row({"c_i", reshape(facts, {n, 1, d})});
  const Var gate = recorder.row({"g_i", reshape(gates, {n, 1, 1})});
  recorder.next(before, gate * step_of(cell, fact, {before})[0] + (1 - gate) * before);
  return recorder.finish().last[0];
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var c = inputs["x"], q = inputs["query"];  // [n d] [1 d]
  const std::size_t n = c.extent(0), d = c.extent(-1);
  in.label("n", c);
  if (q.extent(-1) != d)
    refuse(in.source_of("query"), "a question must be as wide as a fact, " + std::to_string(d) +
                                      "; found " + std::to_string(q.extent(-1)));
  const CellIn reads = enter_cell(in, *in.choice.in("cell"), d, d);
  const CellIn keeps = enter_cell(in, *in.choice.in("keeper"), d, d);
  const Var W_b = in.param("W_b"), W1 = in.param("W1"), w2 = in.param("w2");
  const auto rows = [&](Var one) { return broadcast_to(one, {n, d}); };
  Var m = let("m^{0}", q), g;
  std::vector<Var> gates, episodes;
  Tensors results;
  for (std::size_t s = 0; s < in.integer("passes"); ++s) {
    const StepSuffix suffix(in.graph(), "^{\\text{pass }" + std::to_string(s) + "}");
    const Var z =
        concat({c, rows(m), rows(q), c * q, c * m, absolute(c - q), absolute(c - m),
                matmul(matmul(c, W_b), q, false, true), matmul(matmul(c, W_b), m, false, true)},
               -1);  // [n 7d+2]
    const Var inner = tanh(matmul(z, W1) + in.param("b1"));
    g = let("g", sigmoid(matmul(inner, w2, false, true) + in.param("b2")));  // [n 1]
    const Var e = let("e", episode(reads, c, g));                            // [1 d]
    m = let("m", step_of(keeps, e, {m})[0]);
    gates.push_back(transpose(g));
    episodes.push_back(e);
    results.add({out::weights.as("weights." + std::to_string(s)), gates.back(), "1 n"});
  }
  return results + Tensors{{out::weights, gates.back(), "1 n"},
                           {"episodes", episodes.size() == 1 ? episodes[0] : concat(episodes, -2),
                            "hops:feature d"},
                           {out::output, m, "1 d"}};
}

// The gate of one fact, by loops.
double gate_of(const ReferenceIn& in, const Row& c, const Row& m, const Row& q) {
  Row z = joined(joined(joined(joined(c, m), q), times(c, q)), times(c, m));
  for (const Row* one : {&q, &m}) {
    for (std::size_t u = 0; u < c.size(); ++u) z.push_back(std::abs(c[u] - (*one)[u]));
  }
  const Row turned = mapped(c, in.parameter("W_b"));
  z.push_back(inner(turned, q));
  z.push_back(inner(turned, m));
  const Row hidden = mapped(z, in.parameter("W1"));
  double e = in.parameter("b2")();
  for (std::size_t u = 0; u < hidden.size(); ++u)
    e += in.parameter("w2")(u) * activate("tanh", hidden[u] + in.parameter("b1")(u));
  return activate("sigmoid", e);
}

}  // namespace

// With gated recurrent units.
Arrays reference(const ReferenceIn& in) {
  const Array& c = in["x"];
  const Row q = in["query"].row(0);
  const std::size_t n = c.rows(), d = c.cols(), passes = std::size_t(in.number("passes"));
  Array episodes({passes, d});
  Arrays out;
  Row m = q;
  for (std::size_t s = 0; s < passes; ++s) {
    Array gates({1, n});
    Row h(d, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const double g = gates(i) = gate_of(in, c.row(i), m, q);
      const Row next = gru_by_loops(in, "cell.", c.row(i), h);
      h = plus(times(next, g), h, 1 - g);
    }
    m = gru_by_loops(in, "keeper.", h, m);
    episodes.set(h, s);
    out["weights." + std::to_string(s)] = out["weights"] = gates;
  }
  out["episodes"] = episodes;
  out["output"] = one_row(m);
  return out;
}

extern const Mechanism record{
    .id = "fm-episodes",
    .aliases = {"episodic-memory"},
    .parameters = {{"W_b", "d d"},
                   {"W1", "7d+2 a"},
                   {"b1", "a", Distribution::zero},
                   {"w2", "a"},
                   {"b2", "", Distribution::zero}},
    .knobs = {integer_knob("passes", 3., 1, 6).at_least(1), size_knob("hidden", "a", "d", 1, 256)},
    .roles = {{"x", "n d"}, {"query", "1 d"}},
    .slots = {{.name = "cell", .kind = Kind::cell, .fallback = "gru", .among = {"gru", "rnn"}},
              {.name = "keeper", .kind = Kind::cell, .fallback = "gru", .among = {"gru", "rnn"}}},
    .laws = {.permutation = false},
    .coordinates = {{"type", "basic"}, {"multiplicity", "multi-hop"}},
    .extents = {{"1", 1}, {"n", 4}, {"d", 4}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_episodes_entry
