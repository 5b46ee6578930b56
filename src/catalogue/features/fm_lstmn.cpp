// SPDX-License-Identifier: Apache-2.0
// Long short-term memory-network: before each step the reader looks back over its own states,
//   a_t = att(x_t; h_1 .. h_{t-1}),  h~_t = sum_j a_tj h_j,  c~_t = sum_j a_tj c_j,
//   h_t, c_t = cell(x_t, (h~_t, c~_t))
// Cheng, Dong, Lapata 2016, arXiv:1601.06733
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "catalogue/penalties.h"
#include "catalogue/steps_around.h"

namespace attend::fm_lstmn_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n dx]
  const std::size_t n = x.extent(0);
  in.label("n", x);
  in.label("t", x);
  const CellIn cell = enter_cell(in, *in.choice.in("cell"), x.extent(-1), in.dimensions.get("dh"));
  const std::vector<Var> zero = initial_states(cell);
  const Shape tape{n, zero[0].extent(-1)};
  const Var place = iota(in.graph(), n, 2);  // [n 1]
  ScanRecorder recorder(in.graph(), n);
  Steps steps = steps_of(in.graph(), recorder, n);
  // What the cell remembers, each a table that fills row by row.
  std::vector<Var> tapes, before, last;
  for (std::size_t k = 0; k < zero.size(); ++k) {
    tapes.push_back(recorder.state({k == 0 ? "H" : "C", zeros(in.graph(), tape)}));  // [n dh]
    last.push_back(recorder.state({k == 0 ? "h_{t-1}" : "c_{t-1}", zero[k]}));       // [1 dh]
  }
  const Var x_t = recorder.row({"x_t", reshape(x, {n, 1, x.extent(-1)})});  // [1 dx]
  const RowSeen seen = row_seen(in, steps, x_t, tapes[0], tapes[0]);
  before.push_back(let("\\tilde{h}_t", seen.context));  // [1 dh]
  for (std::size_t k = 1; k < zero.size(); ++k)
    before.push_back(let("\\tilde{c}_t", matmul(seen.weights, tapes[k])));  // [1 dh]
  const std::vector<Var> after = step_of(cell, x_t, before);
  const Var here = equal(place, steps.index);  // [n 1], 1 at row t
  for (std::size_t k = 0; k < zero.size(); ++k) {
    recorder.next(tapes[k], tapes[k] + here * after[k]);
    recorder.next(last[k], after[k]);
  }
  for (const Var one : {seen.scores, seen.weights, before[0], after[0]}) recorder.output(one);
  const Scanned all = recorder.finish();
  const Var scores = let("E", all_rows(all.outputs[0]));
  const Var weights = let("A", all_rows(all.outputs[1]));
  return {{out::scores, scores, "t n"},
          {out::weights, weights, "t n"},
          {out::penalty, penalty_of_steps(in, weights), ""},
          {out::context, let("\\tilde{H}", all_rows(all.outputs[2])), "t dh"},
          {out::output, let("H", all_rows(all.outputs[3])), "n dh"},
          {"last", all.last[1], "1 dh"}};
}

}  // namespace

// With the long short-term memory and the score of the paper.
Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const auto of_score = [&](const char* name) -> const Array& {
    return in.parameter(std::string("attention.score.") + name);
  };
  const std::size_t n = x.rows(), dh = in.parameter("cell.b").cols() / 4;
  Array e({n, n}), a({n, n}), seen({n, dh}), h({n, dh}), c({n, dh});
  Row asked_before(dh, 0);
  for (std::size_t t = 0; t < n; ++t) {
    const Row asks =
        plus(mapped(x.row(t), of_score("W_x")), mapped(asked_before, of_score("W_ht")));
    const Array tape = product(h, of_score("W_h"));
    e.set(additive_scores(one_row(asks), tape, of_score("w")).data, t);
    a.set(soft(e.row(t), [&](std::size_t j) { return j < t; }), t);
    asked_before = mapped(a.row(t), h);
    seen.set(asked_before, t);
    const StateAndMemory after =
        lstm_by_loops(in, "cell.", x.row(t), {asked_before, mapped(a.row(t), c)});
    h.set(after.h, t);
    c.set(after.c, t);
  }
  return {{"scores", e},
          {"weights", a},
          {"context", seen},
          {"output", h},
          {"last", rows_from_to(h, n - 1, n)}};
}

extern const Mechanism record{
    .id = "fm-lstmn",
    .knobs = {hidden_knob()},
    .roles = {{"x", "n dx"}},
    .slots = {{"cell", Kind::cell, "lstm"},
              {"attention",
               Kind::structure,
               "attention",
               false,
               "attention",
               {{"score", "lstmn-score"}, {"mask", "mask-directional-fw"}},
               {"heads", "dimensionality", "output", "core"}}},
    .laws = {.permutation = false},
    .coordinates = {{"type", "self-attentive"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_lstmn_entry
