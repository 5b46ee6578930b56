// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/program.h"
#include "ops/step_reads.h"

// A causal program one row at a time: stepwise(program) is (state, row) -> (state, row). Each primitive has a rule for
// the axis of rows: it computes a row from the same row of its operands, it reads earlier rows (keys, values, running
// sums, the state of a scan), or it needs all rows, which is refused with the module and the reason. No rule knows a
// mechanism. That no later row is read is proved, not assumed: a reduction over keys must have a known number, such as
// the 0 of a causal mask, for every key behind the query.
namespace attend {

// What is carried from step to step.
struct StepState {
  std::string name;                  // of the tensor whose rows or sums these are
  std::uint32_t module = no_module;  // that it is computed in
  NodeId leaf = 0, next = 0;
  bool grows = false;            // one more row at each step; else it keeps its size
  std::vector<real> first = {};  // before the first step
  NodeId source = 0;     // of what grows, and of a row further back: the whole program's tensor
  std::size_t back = 0;  // of a row further back: so many steps
  std::size_t axis = 0;  // of what grows: the axis of rows
  Marks reads = {};  // of what grows, where asked for: [count count], 1 where a step may read a row
};

// A leaf of the step's graph that holds one row of a node of the whole program, which does not depend on the rows.
struct StepFeed {
  NodeId leaf, source;
  std::size_t axis;  // the step's row along this axis
};

struct StepInput {
  NodeId source, leaf;  // of the whole program; of the step
  std::size_t size;     // numbers of one row
};

struct StepResult {
  std::string name;
  NodeId node;
  Shape shape;      // in the whole program
  std::size_t row;  // the axis of `shape` along which steps add rows
  std::optional<std::size_t> unseen =
      {};                  // an axis of keys, of which those behind the row are not known yet
  SharedReach reach = {};  // of that axis
};

struct StepProgram {
  std::shared_ptr<const Graph> graph;
  std::size_t count = 0;  // rows of the whole program: at most so many steps
  std::vector<StepInput> inputs;
  std::vector<StepFeed> feeds;
  std::vector<NodeId>
      places;  // leaves [count 1 ..]: 1 at the step's own place, at the first step everywhere
  std::vector<StepState> states;
  std::vector<StepResult> results;
  std::vector<std::string> fixed;          // results that no row changes
  std::shared_ptr<const Workspace> whole;  // the numbers of the nodes behind the feeds
  std::vector<bool>
      by_row;  // nodes of the whole program computed from the same row of their operands
};

// The program's results for rows that arrive in the leaves `rows`, each with the rows along its first axis. `fill`
// writes the other leaves. `with_reads` fills StepState::reads. Throws
// StepRefused, at the module, where a result of a row depends on later ones.
StepProgram stepwise(const Program& program, const std::vector<NodeId>& rows,
                     const std::function<void(Workspace&)>& fill, bool with_reads = false);

// Takes the steps.
class StepRunner {
 public:
  explicit StepRunner(StepProgram program);

  [[nodiscard]] const StepProgram& program() const { return program_; }
  [[nodiscard]] std::size_t steps_taken() const { return taken_; }
  // Room for the next row of an input.
  std::span<real> row(std::size_t input);
  void step();
  // Whether all that is kept are rows, so that the first steps can be taken at once.
  [[nodiscard]] bool keeps_rows_only() const;
  // Takes the first steps at once: `whole` has the rows that are kept, as the whole program computes them, or one that
  // differs in nothing but how many rows there are. `last` has the results of the last of these steps.
  void take_at_once(std::size_t steps, const Graph& graph, const Workspace& whole,
                    std::vector<std::vector<real>> last);
  // One row of a result of the last step. Of steps taken at once those that were handed over.
  [[nodiscard]] Numbers result(std::size_t k) const;

  // How many numbers the state has after the steps so far.
  [[nodiscard]] std::size_t state_numbers() const;

 private:
  StepProgram program_;
  Workspace work_;
  std::size_t taken_ = 0;
  bool ready_ = false;                   // the states are those before the next step
  std::vector<std::vector<real>> last_;  // of steps taken at once, until there is a further one
};

}  // namespace attend
