// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "catalogue/scope.h"

// Recurrent cells and how a module runs one over rows:
//
//   const Choice& choice = *in.choice.in("cell");          // a slot of kind `cell`
//   const CellIn cell = enter_cell(in, choice, x.extent(-1));
//   const CellRun run = run_cell(cell, x);                  // run.output [n dh], run.last[0] [1 dh]
//
// A module whose step does more than the cell (a decoder) records the scan itself (ops/scan.h), and
// calls `step_of(cell, x, states)` inside it. The parameters' prefix is the choice's, as in any slot.
namespace attend {

struct CellIn : Scope {};

// The knob of a module that runs a cell: how wide its states are. The cell's own rule when it is
// not given.
constexpr Knob hidden_knob() {
  Knob knob = size_knob("hidden", "dh", "dx", 1, 256);
  knob.optional = true;
  return knob;
}

// The cell's sizes are dx, as given, and dh, by its knob `hidden` or by given parameters.
// The module's own `dh` rules where it has one.
CellIn enter_cell(const Scope& module, const Choice& choice, std::size_t dx,
                  std::optional<std::size_t> dh = {});

// The states before the first row: zeros, [1 dh] each.
std::vector<Var> initial_states(const CellIn& cell);
// The states after one more row x [1 dx]; the first is what the cell gives out.
std::vector<Var> step_of(const CellIn& cell, Var x, const std::vector<Var>& states);

struct CellRun {
  Var output;             // [n dh], after each row
  std::vector<Var> last;  // [1 dh] each, after the last row to be read
};

// Runs the cell over rows [n dx], from the last to the first if `reverse`. Without initial states
// they are zero. The output is in the order of the rows either way.
CellRun run_cell(const CellIn& cell, Var rows, std::vector<Var> initial = {}, bool reverse = false);

}  // namespace attend
