// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "experiment/recording/compile.h"
#include "experiment/running/result_cost.h"

namespace attend {

// A tensor of a result: what it is, and the node of the program that holds its numbers.
struct ResultTensor {
  Record record;
  NodeId node;
  Shape shape;
  std::string formula = {};  // LaTeX of how it was computed; empty for leaves

  [[nodiscard]] const std::string& name() const { return record->name; }
  [[nodiscard]] TensorGroup group() const { return record->group; }
};

// What one run of a document computes, settled before anything is allocated.
struct Prepared {
  Program program;                     // with its gradients, attentions fused
  std::vector<ResultTensor> tensors;   // of the result, in its order
  std::vector<ResultTensor> left_out;  // outputs and drawn parameters that the result does not hold
  std::vector<Warning> warnings;       // known beforehand
  // Those that something needs; `when` is the node of the program that says whether it applies.
  std::vector<Caution> cautions = {};
  ResultCost cost = {};
  bool renumbered = false;  // whether nodes of the program have other ids than in the document
};

struct Result {
  std::vector<ResultTensor> tensors, left_out;
  std::vector<Warning> warnings;
  std::shared_ptr<const Workspace> numbers;
  ResultCost cost;
  std::size_t fused = 0;  // how many softmax attentions ran without their weights in memory

  [[nodiscard]] Numbers data(const ResultTensor& tensor) const { return (*numbers)[tensor.node]; }
};

// Whether every feature has weights of its own: the last axis is one of features.
bool is_by_feature(const ResultTensor& tensor);

// The most numbers that a result may hold: 128 MiB in float, some 400 MB as text.
inline constexpr std::uint64_t max_result_numbers = std::uint64_t{1} << 25U;

// Up to so much memory every number of a run is kept for the next.
inline constexpr std::uint64_t max_kept_bytes = std::uint64_t{64} << 20U;

// The longest that an experiment may compute, as estimated from its cost for one thread.
inline constexpr double max_seconds = 20;

// A computation that is estimated to take less does not report its progress.
inline constexpr double moment_seconds = 0.25;

// What a run computes: the document's outputs, gradients and parameters always; for the page also
// inputs and the numbers of every step.
enum class Detail { outputs, everything };

// Throws Error when the result would be too large.
Prepared prepare(const Compiled& compiled, Detail detail);

// A prepared run with its memory: run again after the document's numbers changed, it computes only
// what depends on them.
class Runner {
 public:
  // Throws Error when the experiment takes too much memory. `again`: it will run more than once.
  Runner(const Compiled& compiled, Detail detail, bool again = false);

  // Has the listener hear how far every evaluation is that may take longer than a moment.
  void watch(const Progress::Listener& listener);
  // Brings the numbers up to date. Throws Error, naming the slot.
  void evaluate(const Compiled& compiled);
  // Evaluates and collects. Throws Error when a result would not be finite.
  [[nodiscard]] Result run(const Compiled& compiled);

  // The same by steps. Writes the document's numbers into the leaves: into all, or into those with
  // these keys, where no other changed.
  void write(const Compiled& compiled, const std::set<std::string>* only = nullptr);
  // Evaluates until `enough` holds; whether everything is done (Workspace::evaluate_some).
  bool evaluate_some(const Compiled& compiled, const std::function<bool()>& enough);
  // What was computed. Throws Error when a number is not finite.
  [[nodiscard]] Result collect(const Compiled& compiled);

  [[nodiscard]] const Workspace& numbers() const { return *work_; }
  // The same by the ids of the document's nodes; null where the program has others.
  [[nodiscard]] const Workspace* at_hand() const {
    return prepared_.renumbered ? nullptr : work_.get();
  }

 private:
  void write_formulas(const Compiled& compiled);

  Prepared prepared_;
  std::shared_ptr<Workspace> work_;
  std::shared_ptr<const Graph> written_;  // whose formulas the tensors have
  std::uint64_t seed_ = 0;
  bool filled_ = false;
  std::size_t checked_ = 0;           // so many evaluations gave finite numbers
  std::optional<Progress> progress_;  // if the run has a listener
};

inline Result run(const Compiled& compiled, Detail detail) {
  return Runner(compiled, detail).run(compiled);
}

// Plans the memory of a program. Throws Error when that or the work is too much, naming what to
// make smaller: nothing has been allocated or computed by then.
Plan plan_within_limits(const Compiled& compiled, const Program& program, Keep keep);

}  // namespace attend
