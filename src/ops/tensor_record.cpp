// SPDX-License-Identifier: Apache-2.0
#include "ops/tensor_record.h"

#include <utility>

namespace attend {

std::string_view group_name(TensorGroup group) {
  static constexpr std::array<std::string_view, 5> names{"inputs", "outputs", "steps", "parameters",
                                                         "gradients"};
  static_assert(names.size() == static_cast<std::size_t>(TensorGroup::gradients) + 1);
  return names.at(static_cast<std::size_t>(group));
}

std::string_view role_name(TensorRole role) {
  static constexpr std::array<std::string_view, 13> names{
      "query",  "key",   "value", "scores",    "mask",     "weights", "context",
      "output", "state", "loss",  "parameter", "gradient", "input"};
  static_assert(names.size() == static_cast<std::size_t>(TensorRole::input) + 1);
  return names.at(static_cast<std::size_t>(role));
}

std::string_view kind_name(NumberKind kind) {
  static constexpr std::array<std::string_view, 5> names{"probability", "signed", "0/1", "index",
                                                         "count"};
  static_assert(names.size() == static_cast<std::size_t>(NumberKind::count) + 1);
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view role_name(AxisRole role) {
  static constexpr std::array<std::string_view, 11> names{"query",   "key",   "feature", "head",
                                                          "layer",   "time",  "height",  "width",
                                                          "channel", "class", "batch"};
  static_assert(names.size() == static_cast<std::size_t>(AxisRole::batch) + 1);
  return names.at(static_cast<std::size_t>(role));
}

Record as_record(TensorRecord tensor) {
  return std::make_shared<const TensorRecord>(std::move(tensor));
}

std::string tensor_key(TensorGroup group, std::string_view name) {
  return std::string(group_name(group)) + "." + std::string(name);
}

std::string output_key(std::string_view name) { return tensor_key(TensorGroup::outputs, name); }

std::string TensorRecord::key() const { return tensor_key(group, name); }

}  // namespace attend
