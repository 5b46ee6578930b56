// SPDX-License-Identifier: Apache-2.0
// Word-by-word attention: each row of the query looks with what the looks before it have found,
//   a_t = att([q_t; r_{t-1}], K),  r_t = a_t V + tanh(r_{t-1} W_t),  r_{-1} = 0
// Rocktäschel, Grefenstette, Hermann, Kočiský, Blunsom 2016, word-by-word attention, arXiv:1509.06664
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"
#include "catalogue/penalties.h"
#include "catalogue/steps_around.h"

namespace attend::word_by_word_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
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
  Array e({q.rows(), k.rows()}), a = e, c({q.rows(), v.cols()}), found = c;
  Row before(v.cols(), 0);
  for (std::size_t t = 0; t < q.rows(); ++t) {
    const AttentionTables seen =
        seen_by(additive(in, "attention", one_row(joined(q.row(t), before)), k), v);
    const Row carried = mapped(before, in.parameter("W_t"));
    before = plus(seen.context.data, activated(one_row(carried), "tanh").data);
    e.set(seen.scores.data, t);
    a.set(seen.weights.data, t);
    c.set(seen.context.data, t);
    found.set(before, t);
  }
  return {
      {"scores", e}, {"weights", a}, {"context", c}, {"output", found}, {"last", one_row(before)}};
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
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::word_by_word_entry
