// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/graph.h"

// A scan runs one step over rows, carrying a state: s_{t+1}, y_t = step(s_t, x_t). The step is
// recorded once, so the number of nodes does not grow with the number of rows.
namespace attend {

struct Batch;

// A state at the start, or the rows that the steps read, with its symbol inside
// the step: "h_{t-1}", "x_t".
struct ScanOperand {
  std::string name;
  Var value;  // a state [..]; rows [T ..], of which each step sees one [..]
};

struct Scanned {
  std::vector<Var> states;   // after each step [T ..]
  std::vector<Var> last;     // after the last step [..]; the initial ones when T = 0
  std::vector<Var> outputs;  // of each step [T ..]
  Var whole;                 // the one node that computes them
};

// Records a step while it lives: states and rows may be asked for at any time, and what is recorded
// from them is the step. Whatever else the step reads is a constant to the scan.
class ScanRecorder {
 public:
  ScanRecorder(Graph& graph, std::size_t count, bool backwards = false);
  ~ScanRecorder();
  ScanRecorder(const ScanRecorder&) = delete;
  ScanRecorder& operator=(const ScanRecorder&) = delete;
  ScanRecorder(ScanRecorder&&) = delete;
  ScanRecorder& operator=(ScanRecorder&&) = delete;

  // The state before a step, and the row of a step.
  Var state(const ScanOperand& initial);
  Var row(const ScanOperand& rows);
  // What a state is after the step. Throws Error when its shape is another.
  void next(Var state, Var value);
  // Another result of each step.
  void output(Var value);

  // Ends the recording. Tensors that the step named with `let` come out as steps [T ..] of those
  // names. States come in the order in which they were asked for. T = 0 gives empty results.
  Scanned finish();
  // The same, of which only the last states and the outputs are to be had, and no named steps.
  Scanned finish_quietly();
  // The same as the one flat node that holds them; `keeps` all states, or only the last.
  Var finish_flat(bool keeps) { return record(keeps); }

 private:
  Var outside(const ScanOperand& operand);
  Var record(bool keeps);
  void close();

  Graph& around_;
  std::shared_ptr<Graph> inner_;
  bool open_ = true;
  std::size_t count_;
  bool backwards_;
  std::vector<Var> initial_, rows_, states_, row_, next_, outputs_, operands_;
};

struct ScanStep {
  std::vector<Var> states;   // as many as went in, of the same shapes
  std::vector<Var> outputs;  // whatever else is to be seen of each step
};

// A scan whose states and rows are known before: `step` is called once.
using StepFunction =
    std::function<ScanStep(const std::vector<Var>& states, const std::vector<Var>& rows)>;
Scanned scan(Graph& graph, std::size_t count, const std::vector<ScanOperand>& initial,
             const std::vector<ScanOperand>& rows, const StepFunction& step,
             bool backwards = false);

// How a step is evaluated: settled once, when the body is made.
struct ScanPlan {
  // A result of each step: computed where it belongs, or else copied there.
  struct Result {
    NodeId node;
    std::size_t part;
    bool direct;
  };
  std::vector<NodeId> once, each;  // nodes to compute, before the steps and in every step
  std::vector<std::size_t> place;  // by node: where its numbers stand in the workspace
  std::vector<std::optional<std::size_t>>
      view;  // by node: where they begin in those of its first operand, if there
  std::vector<Result> results;
  std::size_t workspace = 0;      // numbers
  std::size_t steps_in_part = 1;  // that are computed at once, in some milliseconds
};

// The step of a scan, and how the results of all steps lie in the one flat tensor that the scan's
// node holds: first the states, then the outputs. Immutable; operands of the node are the initial
// states, the rows and what is captured, in this order.
struct ScanBody {
  struct Part {
    std::size_t offset;
    Shape shape;  // with the leading axis of time
  };

  std::shared_ptr<const Graph> graph;
  std::size_t count = 0;   // steps
  bool backwards = false;  // from the last row to the first
  bool keeps = true;       // all states stay [T+1 ..], in the order of the rows; else only the last
  std::vector<NodeId> states, rows, captured;  // leaves of the graph
  std::vector<NodeId> next, outputs;           // nodes of the graph
  // Derived:
  std::vector<Part> parts;
  std::size_t size = 0;  // of the flat result
  ScanPlan plan;

  // The positions of the states before and after step t among those kept.
  [[nodiscard]] std::size_t before(std::size_t t) const { return backwards ? t + 1 : t; }
  [[nodiscard]] std::size_t after(std::size_t t) const { return backwards ? t : t + 1; }
};

// Settles what is derived.
std::shared_ptr<const ScanBody> finished(ScanBody body);

// Part `k` of a scan's flat result, in its own shape.
Var part_of(Var scanned, std::size_t k);

// The scan for many examples: one scan whose step serves them all.
Var batched_scan(const Batch& batch);

// The node of a step that a node outside hands out, or parts of it, unchanged.
struct StepNode {
  NodeId scan;
  const ScanBody* body;
  NodeId inner;
  bool last;  // what the last step gives; otherwise what each step gives
};
std::optional<StepNode> step_behind(const Graph& graph, NodeId id);

// The node outside that a leaf of the step brings in; nothing for states and rows.
std::optional<NodeId> captured_by(const Node& scan, NodeId leaf);

// A cell of a scan's flat result: which part it belongs to, and the place along the axis of time.
struct ScanCell {
  std::size_t part, place, flat;
};
ScanCell cell_of(const ScanBody& body, std::size_t flat);

// A scan with the states of all its steps.
struct AllSteps {
  std::shared_ptr<const ScanBody> body;
  std::vector<real> numbers;
};
// Runs a scan that keeps its last states only again, for explanations. `in` are its operands.
AllSteps with_all_states(const Node& scan, const std::vector<const real*>& in);
// Where a cell of a scan's flat result lies in the one with all states.
std::size_t among_all_states(const ScanBody& own, const ScanBody& all, std::size_t flat);

// All numbers of the step t, by node of the body, for explanations. `in` are the scan's operands,
// `out` its result.
std::vector<std::vector<real>> numbers_of_step(const ScanBody& body, std::size_t t,
                                               const std::vector<const real*>& in, const real* out);

}  // namespace attend
