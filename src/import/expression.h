// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/text/json_parse.h"

namespace attend {

// The small expressions of an architecture's file: numbers, 'texts', names, calls such as shape('wte.weight', 0),
// + - * / %, == != < <= > >=, and, or, not, and a ? b : c. What is not known is null: it makes null of everything that
// is computed from it, and counts as false.
struct Names {
  std::function<Json(const std::string& name)> value;
  std::function<Json(const std::string& function, const std::vector<Json>& arguments)> call;
};

// Throws Error, quoting the expression, where it cannot be read.
Json evaluate_expression(std::string_view text, const Names& names);
bool is_true(const Json& value);

// A text with expressions in braces, "layer-{i}". A text that is one expression alone becomes its value, of whatever
// type; a text with one that is null becomes null.
Json filled(std::string_view text, const Names& names);

}  // namespace attend
