// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ops/shape.h"

namespace attend {

// Numbers given in a document, always kept in double.
struct Tensor {
  Shape shape;
  std::vector<double> data;
};

using Value = std::variant<double, bool, std::string, Tensor>;

// A setting of a mechanism. The range is the slider's; `lowest` and `highest` are what the
// mathematics allows.
struct Knob {
  enum class Type { number, integer, boolean, choice, matrix };

  std::string_view name, title;
  Type type;
  std::variant<std::monostate, double, bool, std::string_view>
      fallback;  // text: a choice, or an expression of dimensions ("1/sqrt(dk)")
  double minimum = 0, maximum = 0;
  bool logarithmic = false;
  std::vector<std::string_view> choices = {};
  std::string_view symbol = {};  // the dimension that this knob sets
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool above_lowest = false;            // `lowest` itself is not allowed
  bool null_is_minus_infinity = false;  // of a matrix
  bool optional = false;  // a matrix that may be missing: `knobs` then has no such entry

  // Refinements, to be chained: the value must be > or >= a bound; the slider moves in ratios.
  [[nodiscard]] Knob above(double bound) const;
  [[nodiscard]] Knob at_least(double bound) const;
  [[nodiscard]] Knob log_scale() const;
  [[nodiscard]] Knob with_null() const;   // a matrix may hold null, minus infinity
  [[nodiscard]] Knob optionally() const;  // a matrix may be left out
};

Knob number_knob(std::string_view name, std::string_view title,
                 std::variant<double, std::string_view> fallback, double minimum, double maximum);
Knob integer_knob(std::string_view name, std::string_view title,
                  std::variant<double, std::string_view> fallback, double minimum, double maximum);
// A width: the dimension `symbol`, at least 1, read off a given parameter when there is one.
Knob size_knob(std::string_view name, std::string_view title, std::string_view symbol,
               std::variant<double, std::string_view> fallback, double minimum, double maximum);
Knob flag_knob(std::string_view name, std::string_view title, bool fallback);
Knob choice_knob(std::string_view name, std::string_view title, std::string_view fallback,
                 std::vector<std::string_view> choices);
Knob matrix_knob(std::string_view name, std::string_view title);  // required: there is no default
Knob activation_knob(std::string_view fallback);

}  // namespace attend
