// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace attend {

// Where a tensor of a result stands: what was given, what came out, what was named on the way.
enum class ResultGroup { inputs, outputs, steps, parameters, gradients };

constexpr std::string_view group_name(ResultGroup group) {
  constexpr std::array<std::string_view, 5> names{"inputs", "outputs", "steps", "parameters",
                                                  "gradients"};
  static_assert(names.size() == static_cast<std::size_t>(ResultGroup::gradients) + 1);
  return names.at(static_cast<std::size_t>(group));
}

// What a program calls it, and a document that asks for it: "outputs.weights", "parameters.score.W1".
inline std::string result_key(ResultGroup group, std::string_view name) {
  return std::string(group_name(group)) + "." + std::string(name);
}
inline std::string output_key(std::string_view name) {
  return result_key(ResultGroup::outputs, name);
}

}  // namespace attend
