// SPDX-License-Identifier: Apache-2.0
// Recurrent feature model: a cell runs over the rows, each row's state being its features
// Brauwers & Frasincar 2022, section 2.1 (feature model), arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"

namespace attend::fm_rnn_entry {
namespace {

// Of a cell that keeps more than its state, an LSTM.
constexpr OutputKind last_memory{"last-memory", TensorRole::state, NumberKind::real_number, true};

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n dx]
  in.label("n", x);
  const CellIn cell = enter_cell(in, *in.choice.in("cell"), x.extent(-1), in.dimensions.get("dh"));
  std::vector<Var> before;
  const Var state = inputs.find("initial"), memory = inputs.find("memory");  // [1 dh] [1 dh]
  if (state || memory) before = initial_states(cell);
  if (memory && before.size() < 2)
    refuse(in.source_of("memory"), "this cell has a state but no memory");
  if (state) before[0] = state;  // what is not given begins with zeros
  if (memory) before[1] = memory;
  const CellRun run = run_cell(cell, x, before, in.flag("reverse"));
  return {{out::output, let("H", run.output), "n dh"},
          {"last", run.last[0], "1 dh"},
          {last_memory, run.last.size() > 1 ? run.last[1] : Var{}, "1 dh"}};
}

}  // namespace

// With the long short-term memory.
Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t n = x.rows(), dh = in.parameter("cell.b").cols() / 4;
  const auto given = [&](const char* port) { return in.has(port) ? in[port].row(0) : Row(dh, 0); };
  StateAndMemory state{given("initial"), given("memory")};
  Array output({n, dh});
  for (std::size_t t = 0; t < n; ++t) {
    const std::size_t i = in.flag("reverse") ? n - 1 - t : t;
    state = lstm_by_loops(in, "cell.", x.row(i), state);
    output.set(state.h, i);
  }
  return {{"output", output}, {"last", one_row(state.h)}};
}

extern const Mechanism record{
    .id = "fm-rnn",
    .knobs = {hidden_knob(), flag_knob("reverse", false)},
    .roles = {{"x", "n dx"}, {"initial", "1 dh", false}, {"memory", "1 dh", false}},
    .slots = {{"cell", Kind::cell, "gru"}},
    .coordinates = {{"type", "specialized"}},
    .example = R"("cell": "lstm")",
    .extents = {{"1", 1}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_rnn_entry
