// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/graph.h"

// What the tensors of a document are, so that no code has to guess it from their names.
namespace attend {

// The group of a tensor in a result: given, computed as an output, or a named intermediate.
enum class TensorGroup { inputs, outputs, steps, parameters, gradients };
std::string_view group_name(TensorGroup group);

// The part that a tensor plays in attention.
enum class TensorRole {
  query,
  key,
  value,
  scores,
  mask,
  weights,
  context,
  output,
  state,
  loss,
  parameter,
  gradient,
  input
};
std::string_view role_name(TensorRole role);

// The kind of its numbers.
enum class NumberKind { probability, real_number, zero_one, index, count };
std::string_view kind_name(NumberKind kind);

// The part that an axis plays.
enum class AxisRole {
  query,
  key,
  feature,
  head,
  layer,
  time,
  height,
  width,
  channel,
  class_,
  batch
};
std::string_view role_name(AxisRole role);

// What a result is to its whole module: where somebody names the module alone (a wire, a gradient), it is one of
// these that is meant.
enum class MainResult { none, context, output, loss };

// One axis of a tensor: its symbol, its role, and the input whose tokens stand along it, if any.
struct NamedAxis {
  std::string symbol;
  AxisRole role = AxisRole::feature;
  std::string labels = {};
  bool time = false;  // its entries are steps of time
};

// All that is known of one tensor of a document. It is made where the tensor is recorded and travels through every
// pass; what a pass changes is the node that holds the numbers.
struct TensorRecord {
  TensorGroup group = TensorGroup::outputs;
  std::string name;     // unique in its group, complete: "hop0.weights"
  NodeId recorded = 0;  // the node that was recorded for one example, which has the formula
  std::vector<NamedAxis> axes = {};  // none where nobody says what they are
  TensorRole role = TensorRole::output;
  NumberKind numbers = NumberKind::real_number;
  std::optional<std::size_t> module =
      {};                   // by its place in the program's list; none for what is no module's
  bool row = false;         // one row of an output: "weights[3]"
  bool when_asked = false;  // given only to those who ask for it by name
  MainResult main = MainResult::none;

  // What a program calls it, and a document that asks for it: "outputs.weights", "parameters.score.W1".
  [[nodiscard]] std::string key() const;
};
using Record = std::shared_ptr<const TensorRecord>;
Record as_record(TensorRecord tensor);

// A record and the node of a program that holds the numbers.
struct KnownTensor {
  Record record;
  NodeId node;
};

std::string tensor_key(TensorGroup group, std::string_view name);
// Of a result of a module.
std::string output_key(std::string_view name);

}  // namespace attend
