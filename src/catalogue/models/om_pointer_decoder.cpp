// SPDX-License-Identifier: Apache-2.0
// A decoder that points: the weights of a step are the chances of the next place, and the step after it reads the row
// at that place,
//   s_t = cell(x_t, s_{t-1}),  e_tj = score(s_t, h_j),  p_t = softmax(e_t),  x_{t+1} = x of the place pointed at
// Vinyals, Fortunato, Jaitly 2015, section 2.3, arXiv:1506.03134
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "catalogue/penalties.h"
#include "catalogue/steps_around.h"

namespace attend::om_pointer_decoder_entry {
namespace {

// The states before the first step; what is not given is zeros.
std::vector<Var> first_states(const Scope& in, const Tensors& inputs, const CellIn& cell) {
  std::vector<Var> states = initial_states(cell);
  if (const Var given = inputs.find("initial")) states[0] = given;
  const Var memory = inputs.find("initial-memory");
  if (memory && states.size() < 2)
    refuse(in.source_of("initial-memory"), "this cell has a state but no memory");
  if (memory) states[1] = memory;
  return states;
}

// What each step reads where the order is given: the start, and then the places of the order but the last. [t 1 e]
Var read_by_order(const Scope& in, Var points, Var order, Var start) {
  const std::size_t steps = order.extent(-2), e = points.extent(-1);
  const Var places = floor(reshape(order, {1, steps}) + .5);
  const Var rows = transpose(take(transpose(points), places));  // [t e]
  in.label("t", order);
  return reshape(concat({start, slice(rows, -2, 0, steps - 1)}, -2), {steps, 1, e});
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var memory = inputs["memory"], points = inputs["points"];  // [n d] [n e]
  const Var order = in.text("feed") == "teacher" ? in.need("order") : Var{};
  const std::size_t n = points.extent(-2);
  const std::size_t steps = order ? order.extent(-2) : in.integer("steps");
  in.label("n", memory);
  const Var start = in.param("start");  // [1 e]
  const CellIn cell =
      enter_cell(in, *in.choice.in("cell"), points.extent(-1), in.dimensions.get("dh"));
  const std::vector<Var> first = first_states(in, inputs, cell);
  ScanRecorder recorder(in.graph(), steps);
  Steps around = steps_of(in.graph(), recorder, steps);
  std::vector<Var> before;
  for (std::size_t k = 0; k < first.size(); ++k)
    before.push_back(recorder.state({k == 0 ? "s_{t-1}" : "c_{t-1}", first[k]}));  // [1 dh]
  const Var x = order ? recorder.row({"x_t", read_by_order(in, points, order, start)})
                      : recorder.state({"x_t", start});  // [1 e]
  const std::vector<Var> after = step_of(cell, x, before);
  for (std::size_t k = 0; k < first.size(); ++k) recorder.next(before[k], after[k]);
  const RowSeen seen = row_seen(in, around, after[0], memory, memory);
  const Var pick = argmax(seen.weights, -1);  // [1]
  if (!order) recorder.next(x, let("x_{t+1}", matmul(one_hot(pick, n), points)));
  for (const Var one : {seen.scores, seen.weights, after[0], pick}) recorder.output(one);
  const Scanned all = recorder.finish();
  const Var logits = let("E", all_rows(all.outputs[0]));
  const Var weights = let("P", all_rows(all.outputs[1]));
  return {{"logits", logits, "t n"},
          {out::weights, weights, "t n"},
          {out::penalty, penalty_of_steps(in, weights), ""},
          {out::state.as("states"), let("S", all_rows(all.outputs[2])), "t dh"},
          {OutputKind{"places", TensorRole::output, NumberKind::index},
           reshape(all.outputs[3], {steps}), "t"}};
}

}  // namespace

// With the long short-term memory and the additive score.
Arrays reference(const ReferenceIn& in) {
  const Array &memory = in["memory"], &points = in["points"];
  const auto of = [&](const char* name) -> const Array& {
    return in.parameter(std::string("attention.score.") + name);
  };
  const bool taught = in.text("feed") == "teacher";
  const std::size_t n = memory.rows(), dh = in.parameter("cell.b").cols() / 4;
  const std::size_t steps = taught ? in["order"].rows() : in.integer("steps");
  Array e({steps, n}), p({steps, n}), states({steps, dh}), places({steps});
  const auto given = [&](const char* port) { return in.has(port) ? in[port].row(0) : Row(dh, 0); };
  StateAndMemory state{given("initial"), given("initial-memory")};
  Row x = in.parameter("start").row(0);
  for (std::size_t t = 0; t < steps; ++t) {
    state = lstm_by_loops(in, "cell.", x, state);
    const Row asked = mapped(state.h, of("W1"));
    for (std::size_t j = 0; j < n; ++j) {
      const Row own = mapped(memory.row(j), of("W2"));
      for (std::size_t c = 0; c < own.size(); ++c)
        e(t, j) += of("w")(c) * activate("tanh", asked[c] + own[c] + of("b")(c));
    }
    const Row weights = softened(e.row(t));
    p.set(weights, t);
    for (std::size_t u = 0; u < dh; ++u) states(t, u) = state.h[u];
    places(t) =
        static_cast<double>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    x = points.row(static_cast<std::size_t>(taught ? in["order"](t, 0) : places(t)));
  }
  return {{"logits", e}, {"weights", p}, {"states", states}, {"places", places}};
}

extern const Mechanism record{
    .id = "om-pointer-decoder",
    .parameters = {{"start", "e"}},
    .knobs = {hidden_knob(), choice_knob("feed", "teacher", {"teacher", "greedy"}),
              integer_knob("steps", 10., 1, 60).at_least(1)},
    .roles = {{"memory", "n d"},
              {"points", "n e"},
              {"order", "t 1", false},
              {"initial", "1 dh", false},
              {"initial-memory", "1 dh", false}},
    .slots = {{"cell", Kind::cell, "lstm"},
              {"attention",
               Kind::structure,
               "attention",
               false,
               "attention",
               by_additive,
               {"heads", "dimensionality", "output", "core"}}},
    .laws = {.permutation = false},
    .coordinates = {{"multiplicity", "singular"}},
    .around = R"({"inputs": {"order": {"shape": [4, 1], "data": [2, 0, 1, 2]}}})",
    .extents = {{"1", 1}, {"t", 4}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::om_pointer_decoder_entry
