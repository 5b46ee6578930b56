// SPDX-License-Identifier: Apache-2.0
#include "ops/stepwise.h"

#include <algorithm>
#include <utility>

#include "ops/error.h"
#include "ops/needed.h"
#include "ops/step_recorder.h"

namespace attend {
namespace {

std::vector<Var> wanted_by(const StepProgram& program) {
  std::vector<Var> wanted;
  for (const StepState& state : program.states) wanted.push_back(program.graph->var(state.next));
  for (const StepResult& result : program.results)
    wanted.push_back(program.graph->var(result.node));
  return wanted;
}

// The row `t` along an axis, of all that lies before and behind it.
void copy_row(Numbers from, const Shape& shape, std::size_t axis, std::size_t t,
              std::span<real> into) {
  const AxisView v = view_axis(shape, axis);
  for (std::size_t o = 0; o < v.outer; ++o)
    std::copy_n(from.data() + (o * v.length + t) * v.inner, v.inner, into.data() + o * v.inner);
}

}  // namespace

StepProgram stepwise(const Program& program, const std::vector<NodeId>& rows,
                     const std::function<void(Workspace&)>& fill, bool with_reads) {
  const Graph& graph = program.graph();
  if (rows.empty()) refuse("no input of the program comes row by row");
  std::vector<NodeId> results;
  for (const Program::Result& result : program.results()) results.push_back(result.node);
  const std::vector<bool> needed = needed_for(graph, results);
  std::vector<bool> depends(graph.size(), false);
  for (const NodeId id : rows) depends[id] = true;
  std::vector<Var> fixed;  // what depends on no row, and is read by what does
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!needed[id]) continue;
    const std::vector<NodeId>& inputs = graph[id].inputs;
    depends[id] = depends[id] || std::any_of(inputs.begin(), inputs.end(),
                                             [&](NodeId input) { return depends[input]; });
    if (!depends[id]) continue;
    for (const NodeId input : inputs) {
      if (!depends[input]) fixed.push_back(graph.var(input));
    }
  }
  for (const NodeId id : results) {
    if (!depends[id]) fixed.push_back(graph.var(id));
  }
  const auto numbers =
      std::make_shared<Workspace>(program.shared_graph(), plan(graph, fixed, Keep::wanted));
  fill(*numbers);
  numbers->evaluate();
  StepRecorder recorder(program, rows, depends, numbers);
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (needed[id]) recorder.record(id);
  }
  return recorder.finish(program, with_reads);
}

StepRunner::StepRunner(StepProgram program)
    : program_(std::move(program)),
      work_(program_.graph, plan(*program_.graph, wanted_by(program_), Keep::wanted)) {
  for (const StepState& state : program_.states) {
    const std::span<real> room = work_.write(state.leaf);
    if (room.empty()) continue;
    if (state.first.empty())
      std::fill(room.begin(), room.end(), real{0});
    else
      std::copy(state.first.begin(), state.first.end(), room.begin());
  }
}

std::span<real> StepRunner::row(std::size_t input) {
  return work_.write(program_.inputs[input].leaf);
}

void StepRunner::step() {
  const Graph& graph = *program_.graph;
  if (taken_ == program_.count)
    refuse("the program was recorded for " + std::to_string(program_.count) + " rows");
  if (taken_ > 0 && !std::exchange(ready_, false)) {
    // Rows that grow are where the next step reads them. Of the others, a state may become what another one was, so all
    // are read before one is written.
    std::vector<std::vector<real>> handed_on;
    for (const StepState& state : program_.states) {
      if (state.grows) continue;
      const Numbers after = work_[state.next];
      if (graph[state.next].leaf) handed_on.emplace_back(after.begin(), after.end());
    }
    std::size_t next = 0;
    for (const StepState& state : program_.states) {
      if (state.grows) continue;
      const std::span<real> room = work_.write(state.leaf);
      const Numbers after = graph[state.next].leaf ? Numbers(handed_on[next++]) : work_[state.next];
      if (!room.empty()) std::copy(after.begin(), after.end(), room.begin());
    }
  }
  for (const NodeId place : program_.places) {
    const std::span<real> room = work_.write(place);
    // What comes behind the first row is any row, until its own: numbers that every function of a row can take.
    std::fill(room.begin(), room.end(), real(taken_ == 0 ? 1 : 0));
    if (!room.empty()) room[taken_] = 1;
  }
  for (const StepFeed& feed : program_.feeds) {
    const std::span<real> room = work_.write(feed.leaf);
    if (room.empty()) continue;
    Shape shape = graph[feed.leaf].shape;
    shape[feed.axis] = program_.count;
    copy_row((*program_.whole)[feed.source], shape, feed.axis, taken_, room);
  }
  work_.evaluate();
  ++taken_;
  last_.clear();
}

bool StepRunner::keeps_rows_only() const {
  return std::ranges::all_of(program_.states, [](const StepState& state) { return state.grows; });
}

void StepRunner::take_at_once(std::size_t steps, const Graph& graph, const Workspace& whole,
                              std::vector<std::vector<real>> last) {
  for (const StepState& state : program_.states) {
    const std::span<real> room = work_.write(state.leaf);
    if (room.empty()) continue;
    const Numbers all = whole[state.source];
    const AxisView v = view_axis((*program_.graph)[state.leaf].shape, state.axis);
    const std::size_t rows = graph[state.source].shape[state.axis];
    for (std::size_t o = 0; o < v.outer; ++o) {
      const real* const from = all.data() + o * rows * v.inner;
      real* const to = room.data() + o * v.length * v.inner;
      std::copy_n(from, std::min(steps, v.length) * v.inner, to);
      // As the first step leaves it: rows that have not come are its row.
      for (std::size_t t = steps; t < v.length; ++t) std::copy_n(from, v.inner, to + t * v.inner);
    }
  }
  taken_ = steps;
  ready_ = true;
  last_ = std::move(last);
}

Numbers StepRunner::result(std::size_t k) const {
  return last_.empty() ? work_[program_.results[k].node] : Numbers(last_[k]);
}

std::size_t StepRunner::state_numbers() const {
  std::size_t sum = 0;
  for (const StepState& state : program_.states) {
    const std::size_t all = element_count((*program_.graph)[state.leaf].shape);
    sum += state.grows ? all / program_.count * taken_ : all;
  }
  return sum;
}

}  // namespace attend
