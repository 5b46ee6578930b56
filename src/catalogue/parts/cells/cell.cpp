// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cells/cell.h"

#include <utility>

#include "ops/scan.h"

namespace attend {

CellIn enter_cell(const Scope& module, const Choice& choice, std::size_t dx,
                  std::optional<std::size_t> dh) {
  Dimensions d;
  d.set("dx", dx);
  if (dh) d.set("dh", *dh);
  return {module.assembler.enter(choice, d, module.family)};
}

namespace {
std::vector<std::string_view> symbols_of(const CellIn& cell) {
  return symbols_in(std::get<Cell>(cell.choice.mechanism->behaviour).states);
}
}  // namespace

std::vector<Var> initial_states(const CellIn& cell) {
  const Shape shape{1, *cell.dimensions.get("dh")};
  std::vector<Var> states;
  for (std::size_t k = 0; k < symbols_of(cell).size(); ++k)
    states.push_back(zeros(cell.graph(), shape));
  return states;
}

std::vector<Var> step_of(const CellIn& cell, Var x, const std::vector<Var>& states) {
  const Cell& record = std::get<Cell>(cell.choice.mechanism->behaviour);
  return within(cell.choice, [&] {
    const std::size_t count = symbols_of(cell).size();
    if (states.size() == count) return record.step(cell, x, states);
    refuse("the cell has " + std::to_string(count) + " states, found " +
           std::to_string(states.size()));
  });
}

CellRun run_cell(const CellIn& cell, Var rows, std::vector<Var> initial, bool reverse) {
  if (initial.empty()) initial = initial_states(cell);
  const std::vector<std::string_view> symbols = symbols_of(cell);
  if (initial.size() != symbols.size()) {
    refuse("the cell has " + std::to_string(symbols.size()) + " states, found " +
           std::to_string(initial.size()));
  }
  const std::size_t n = rows.extent(-2), dx = rows.extent(-1);
  ScanRecorder steps(cell.graph(), n, reverse);
  std::vector<Var> states;
  for (std::size_t k = 0; k < initial.size(); ++k)
    states.push_back(steps.state({std::string(symbols.at(k)) + "_{t-1}", initial[k]}));
  const Var x = steps.row({"x_t", reshape(rows, {n, 1, dx})});
  const std::vector<Var> after = step_of(cell, x, states);
  for (std::size_t k = 0; k < states.size(); ++k) steps.next(states[k], after[k]);
  const Scanned done = steps.finish();
  return {reshape(done.states[0], {n, done.states[0].extent(-1)}), done.last};
}

}  // namespace attend
