// SPDX-License-Identifier: Apache-2.0
// A reader of frames that looks at a part of each: what it remembers asks the regions of the next frame,
//   c_t = att(h_{t-1}, V_t),  h_t = cell(c_t, h_{t-1}),  V_t the regions of frame t
// Sorokin et al. 2015, soft attention, arXiv:1512.01693
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "catalogue/parts/structures/structure_reference.h"
#include "catalogue/penalties.h"
#include "catalogue/steps_around.h"

namespace attend::fm_frames_entry {
namespace {

inline const List<Role> frames = {{"x1", "n d"},        {"x2", "n d", false}, {"x3", "n d", false},
                                  {"x4", "n d", false}, {"x5", "n d", false}, {"x6", "n d", false},
                                  {"x7", "n d", false}, {"x8", "n d", false}};

// The frames that are given, one behind the other.
Var film_of(const Scope& in, const Tensors& inputs) {
  std::vector<Var> film;
  for (const Role& role : frames) {
    const Var x = inputs.find(role.name);  // [n d]
    if (!x) continue;
    in.label("n", x);
    film.push_back(expand(x, 0));  // [1 n d]
  }
  return film.size() == 1 ? film.front() : concat(film, 0);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var film = film_of(in, inputs);  // [t n d]
  const std::size_t count = film.extent(0);
  const CellIn cell =
      enter_cell(in, *in.choice.in("cell"), film.extent(-1), in.dimensions.get("dh"));
  const std::vector<Var> zero = initial_states(cell);
  ScanRecorder recorder(in.graph(), count);
  Steps steps = steps_of(in.graph(), recorder, count);
  std::vector<Var> states;
  for (std::size_t k = 0; k < zero.size(); ++k)
    states.push_back(recorder.state({k == 0 ? "h_{t-1}" : "c_{t-1}", zero[k]}));
  const Var regions = recorder.row({"V_t", film});  // [n d]
  const RowSeen seen = row_seen(in, steps, states[0], regions, regions);
  const std::vector<Var> after = step_of(cell, seen.context, states);
  for (std::size_t k = 0; k < states.size(); ++k) recorder.next(states[k], after[k]);
  for (const Var one : {seen.scores, seen.weights, seen.context, after[0]}) recorder.output(one);
  const Scanned all = recorder.finish();
  const Var weights = let("A", all_rows(all.outputs[1]));
  return {{out::scores, let("E", all_rows(all.outputs[0])), "t n"},
          {out::weights, weights, "t n"},
          {out::penalty, penalty_of_steps(in, weights), ""},
          {out::context, let("C", all_rows(all.outputs[2])), "t d"},
          {out::output, let("H", all_rows(all.outputs[3])), "t dh"},
          {"last", all.last[0], "1 dh"}};
}

}  // namespace

// With the long short-term memory and the additive score.
Arrays reference(const ReferenceIn& in) {
  std::vector<const Array*> film;
  for (const Role& role : frames) {
    if (in.has(role.name)) film.push_back(&in[role.name]);
  }
  const std::size_t count = film.size(), n = film[0]->rows(), d = film[0]->cols();
  const std::size_t dh = in.parameter("cell.b").cols() / 4;
  Array e({count, n}), a({count, n}), c({count, d}), h({count, dh});
  StateAndMemory state{Row(dh, 0), Row(dh, 0)};
  for (std::size_t t = 0; t < count; ++t) {
    const AttentionTables seen =
        seen_by(additive(in, "attention", one_row(state.h), *film[t]), *film[t]);
    e.set(seen.scores.data, t);
    a.set(seen.weights.data, t);
    c.set(seen.context.data, t);
    state = lstm_by_loops(in, "cell.", c.row(t), state);
    h.set(state.h, t);
  }
  return {{"scores", e}, {"weights", a}, {"context", c}, {"output", h}, {"last", one_row(state.h)}};
}

extern const Mechanism record{.id = "fm-frames",
                              .knobs = {hidden_knob()},
                              .roles = frames,
                              .slots = {{"cell", Kind::cell, "lstm"},
                                        {"attention",
                                         Kind::structure,
                                         "attention",
                                         false,
                                         "attention",
                                         {{"score", "additive"}},
                                         {"heads", "dimensionality", "output", "core"}}},
                              .laws = {.permutation = false},
                              .coordinates = {{"type", "basic"}},
                              .extents = {{"n", 3}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_frames_entry
