// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/write.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace attend {
namespace {

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string shape_text(const Shape& shape) { return Json(shape).dump(); }

// Tensors of one group as members of an object.
void append_group(std::string& text, const Result& result, TensorGroup group) {
  text += "{";
  bool first = true;
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group() != group) continue;
    text += (first ? "" : ",") + quoted(tensor.name()) + ":{\"shape\":" + shape_text(tensor.shape) +
            ",\"data\":";
    append_numbers(text, result.data(tensor));
    text += "}";
    first = false;
  }
  text += "}";
}

}  // namespace

void append_numbers(std::string& text, std::span<const real> numbers) {
  std::array<char, 40> buffer{};
  text += "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) text += ',';
    text.append(buffer.data(),
                std::to_chars(buffer.data(), buffer.data() + buffer.size(), numbers[i]).ptr);
  }
  text += "]";
}

std::string write_result(const Result& result) {
  std::string text = "{\"outputs\":";
  append_group(text, result, TensorGroup::outputs);
  text += ",\"parameters\":";
  append_group(text, result, TensorGroup::parameters);
  const bool inputs =
      std::any_of(result.tensors.begin(), result.tensors.end(),
                  [](const ResultTensor& tensor) { return tensor.group() == TensorGroup::inputs; });
  if (inputs) {
    text += ",\"inputs\":";
    append_group(text, result, TensorGroup::inputs);
  }
  text += ",\"steps\":[";
  bool first = true;
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group() != TensorGroup::steps) continue;
    text += std::string(first ? "" : ",") + "{\"name\":" + quoted(tensor.name()) +
            ",\"shape\":" + shape_text(tensor.shape) + ",\"formula\":" + quoted(tensor.formula) +
            "}";
    first = false;
  }
  text += "],\"gradients\":";
  append_group(text, result, TensorGroup::gradients);
  text += ",\"warnings\":[";
  first = true;
  for (const Warning& warning : result.warnings) {
    text += std::string(first ? "" : ",") + "{\"path\":" + quoted(warning.path) +
            ",\"message\":" + quoted(warning.message) + "}";
    first = false;
  }
  return text + "],\"cost\":" + to_json(result.cost).dump() + "}";
}

}  // namespace attend
