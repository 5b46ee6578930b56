// SPDX-License-Identifier: Apache-2.0
// Recurrent feature model: a cell runs over the rows, each row's state being its features
// Brauwers & Frasincar 2022, section 2.1 (feature model), arXiv:2203.14263
#include <vector>

#include "catalogue/cell.h"
#include "catalogue/cell_reference.h"
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var x = in["x"];  // [n dx]
  in.label("n", x);
  const CellIn cell = enter_cell(in, *in.choice.in("cell"), x.extent(-1), in.dimensions.get("dh"));
  std::vector<Var> before;
  if (const Var given = in.port("initial")) {
    before = initial_states(cell);
    before[0] = given;  // what else the cell remembers begins with zeros
  }
  const CellRun run = run_cell(cell, x, before, in.flag("reverse"));
  in.output(out::output, let("H", run.output), "n dh");  // [n dh]
  in.output("last", run.last[0], "1 dh");                // [1 dh]
}

// With the gated recurrent unit.
Arrays reference(const ReferenceIn& in) {
  const bool reverse = in.flag("reverse");
  const Array output = gru_states_by_loops(in, "cell.", in["x"], reverse,
                                           in.has("initial") ? in["initial"].row(0) : Row{});
  Array last({1, output.cols()});
  last.data = output.row(reverse ? 0 : output.rows() - 1);
  return {{"output", output}, {"last", last}};
}

}  // namespace

namespace catalogue {
extern const Entry fm_rnn_entry;
const Entry fm_rnn_entry{
    .words =
        {.title = "Recurrent features",
         .formula = R"(h_t = \operatorname{cell}(x_t, h_{t-1}),\quad F = [h_1; \dots; h_n])",
         .sentence =
             "A cell reads the rows one after another; what it remembers after each is that row's features.",
         .source = {"Brauwers, Frasincar", 2022, "section 2.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "fm-rnn",
               .knobs = {hidden_knob("States"), flag_knob("reverse", "From the last row", false)},
               .roles = {{"x", "n dx"}, {"initial", "1 dh", false}},
               .slots = {{"cell", "Cell", "General", Kind::cell, "gru"}},
               .coordinates = {{"type", "specialized"}},
               .extents = {{"1", 1}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
