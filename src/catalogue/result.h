// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/graph.h"

// What the tensors of a result mean, so that no program has to guess it from their names.
namespace attend {

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

// The role of an axis by its symbol in docs/notation.md: m queries, n keys, h heads; every symbol of a width
// is a feature.
AxisRole axis_role(std::string_view symbol);

// The role of a result in its module: where only the module is named (by a wire or a gradient), one of these is meant.
enum class MainResult { none, context, output, loss };

// How a module names one of its results, and what that is.
struct OutputKind {
  std::string_view name;
  TensorRole role = TensorRole::output;
  NumberKind numbers = NumberKind::real_number;
  bool when_asked = false;  // given only to those who ask for it by name
  MainResult main = MainResult::none;

  // The same under another name: the weights of one hop. It no longer stands for the module.
  [[nodiscard]] constexpr OutputKind as(std::string_view other) const {
    return {other, role, numbers, when_asked};
  }
};

namespace out {
inline constexpr OutputKind query{"query", TensorRole::query}, key{"key", TensorRole::key},
    value{"value", TensorRole::value}, scores{"scores", TensorRole::scores},
    mask{"mask", TensorRole::mask, NumberKind::zero_one},
    weights{"weights", TensorRole::weights, NumberKind::probability},
    implied{"implied", TensorRole::weights},
    context{"context", TensorRole::context, NumberKind::real_number, false, MainResult::context},
    output{"output", TensorRole::output, NumberKind::real_number, false, MainResult::output},
    state{"state", TensorRole::state},
    loss{"loss", TensorRole::loss, NumberKind::real_number, false, MainResult::loss},
    remainder{"remainder", TensorRole::state, NumberKind::probability},
    penalty{"penalty", TensorRole::loss}, position{"position", TensorRole::key},
    heads{"heads", TensorRole::context}, gate{"gate", TensorRole::weights, NumberKind::probability};

// The one result of an efficient or a vision mechanism, which answers to `context` and to `output` alike.
struct ContextAndOutput {};
inline constexpr ContextAndOutput result{};
}  // namespace out

// One axis of a result: its symbol, its role, and the input whose tokens stand along it, if any.
struct NamedAxis {
  std::string symbol;
  AxisRole role = AxisRole::feature;
  std::string labels = {};
  bool time = false;  // its entries are steps of time
};

// The axis that a symbol stands for in the shape of a result or an input.
NamedAxis axis_of(std::string_view symbol);

// A named result of a module.
struct Output {
  std::string name;  // complete: "hop0.weights"
  Var var;
  std::vector<NamedAxis> axes;
  TensorRole role = TensorRole::output;
  NumberKind numbers = NumberKind::real_number;
  std::size_t module = 0;   // index in the list of modules
  bool row = false;         // one row of it: "weights[3]"
  bool when_asked = false;  // given only to those who ask for it by name
  MainResult main = MainResult::none;
};

// A module of the document: where it stands and what feeds it.
struct ModuleNode {
  std::string name, type, parent;
  struct Wire {
    std::string port, source;
  };
  std::vector<Wire> inputs = {};
};

}  // namespace attend
