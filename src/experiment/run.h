// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/recording.h"
#include "experiment/result_cost.h"

namespace attend {

struct Warning {
  std::string path, message;
};

// A tensor of a result: what it is, and the node that holds its numbers.
struct ResultTensor {
  std::string group;  // inputs, outputs, parameters, steps, gradients
  std::string name;
  Shape shape;
  std::vector<NamedAxis> axes;  // empty where nobody says what they are
  std::string formula;          // LaTeX of how it was computed; empty for leaves
  NodeId node;
  TensorRole role = TensorRole::output;
  NumberKind numbers = NumberKind::real_number;
  bool row = false;  // one row of an output: "weights[3]"
};

struct Result {
  std::vector<ResultTensor> tensors;
  std::vector<ResultTensor> left;  // outputs that there are and that this result does not hold
  std::vector<Warning> warnings;
  Values values;  // by node
  ResultCost cost;
  std::size_t fused = 0;  // how many softmax attentions ran without their weights in memory

  [[nodiscard]] const std::vector<real>& data(const ResultTensor& tensor) const {
    return values[tensor.node];
  }
};

// Whether every feature has weights of its own: the last axis is one of features.
bool is_by_feature(const ResultTensor& tensor);

// The most numbers that a result may hold: 128 MiB in float, some 400 MB as text.
inline constexpr std::uint64_t max_result_numbers = std::uint64_t{1} << 25U;

// What a run computes: the document's outputs, gradients and parameters always; for the page also
// inputs and the numbers of every step.
enum class Detail { outputs, everything };

// Computes a recording, with what `memo` still knows of an earlier one. Throws Error when it is too
// large, or when a result would not be finite.
Result run(const Recording& recording, Detail detail, Memo* memo = nullptr);

}  // namespace attend
