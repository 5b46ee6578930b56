// SPDX-License-Identifier: Apache-2.0
// Word-by-word attention: each row of the query looks with what the looks before it have found,
//   a_t = att([q_t; r_{t-1}], K),  r_t = a_t V + tanh(r_{t-1} W_t),  r_{-1} = 0
// Rocktäschel, Grefenstette, Hermann, Kočiský, Blunsom 2016, word-by-word attention, arXiv:1509.06664
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/penalties.h"
#include "catalogue/steps_around.h"

namespace attend::word_by_word_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Scope in = module.sized();
  const Var query = inputs["query"], key = inputs["key"];  // [m dq] [n dk]
  const Var given = inputs.find("value"), value = given ? given : key;
  const std::size_t m = query.extent(0), dv = value.extent(-1);
  in.label("t", query);
  in.label("n", key);
  const Var W = in.param("W_t");  // [dv dv]
  ScanRecorder recorder(in.graph(), m);
  Steps steps = steps_of(in.graph(), recorder, m);
  const Var found = recorder.state({"r_{t-1}", zeros(in.graph(), {1, dv})});
  const Var q = recorder.row({"q_t", reshape(query, {m, 1, query.extent(-1)})});  // [1 dq]
  const RowSeen seen = row_seen(in, steps, concat({q, found}, -1), key, value);
  const Var r = let("r_t", seen.context + tanh(matmul(found, W)));  // [1 dv]
  recorder.next(found, r);
  for (const Var one : {seen.scores, seen.weights, seen.context, r}) recorder.output(one);
  const Scanned all = recorder.finish();
  const Var scores = let("E", all_rows(all.outputs[0]));
  const Var weights = let("A", all_rows(all.outputs[1]));
  return {{out::scores, scores, "t n"},
          {out::weights, weights, "t n"},
          {out::penalty, penalty_of_steps(in, weights), ""},
          {out::context, let("C", all_rows(all.outputs[2])), "t dv"},
          {out::output, let("R", all_rows(all.outputs[3])), "t dv"},
          {"last", all.last[0], "1 dv"}};
}

}  // namespace

// With the additive score.
Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in.has("value") ? in["value"] : in["key"];
  const auto of = [&](const char* name) -> const Array& {
    return in.parameter(std::string("attention.score.") + name);
  };
  Array e({q.rows(), k.rows()}), a = e, c({q.rows(), v.cols()}), found = c, last({1, v.cols()});
  Row before(v.cols(), 0);
  for (std::size_t t = 0; t < q.rows(); ++t) {
    Row asks = q.row(t);
    asks.insert(asks.end(), before.begin(), before.end());
    const Row asked = mapped(asks, of("W1"));
    for (std::size_t j = 0; j < k.rows(); ++j) {
      const Row own = mapped(k.row(j), of("W2"));
      for (std::size_t u = 0; u < own.size(); ++u)
        e(t, j) += of("w")(u) * activate("tanh", asked[u] + own[u] + of("b")(u));
    }
    const Row weights = soft(e.row(t), [](std::size_t) { return true; });
    const Row carried = mapped(before, in.parameter("W_t"));
    for (std::size_t u = 0; u < v.cols(); ++u) {
      for (std::size_t j = 0; j < k.rows(); ++j) c(t, u) += weights[j] * v(j, u);
      before[u] = found(t, u) = last(0, u) = c(t, u) + activate("tanh", carried[u]);
    }
    for (std::size_t j = 0; j < k.rows(); ++j) a(t, j) = weights[j];
  }
  return {{"scores", e}, {"weights", a}, {"context", c}, {"output", found}, {"last", last}};
}

extern const Mechanism record{
    .id = "word-by-word",
    .parameters = {{"W_t", "dv dv"}},
    .roles = {{"query", "m dq"}, {"key", "n dk"}, {"value", "n dv", false, "key"}},
    .slots = {{"attention",
               Kind::structure,
               "attention",
               false,
               "attention",
               by_additive,
               {"heads", "dimensionality", "output", "core"}}},
    .laws = {.permutation = false},
    .coordinates = {{"type", "basic"}},
    .behaviour = Structure{build}};
}  // namespace attend::word_by_word_entry
