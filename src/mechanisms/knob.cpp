// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/knob.h"

#include <utility>

namespace attend {

Knob Knob::above(double bound) const {
  Knob knob = *this;
  knob.lowest = bound;
  knob.above_lowest = true;
  return knob;
}

Knob Knob::at_least(double bound) const {
  Knob knob = *this;
  knob.lowest = bound;
  return knob;
}

Knob Knob::with_null() const {
  Knob knob = *this;
  knob.null_is_minus_infinity = true;
  return knob;
}

Knob Knob::log_scale() const {
  Knob knob = *this;
  knob.logarithmic = true;
  return knob;
}

Knob Knob::optionally() const {
  Knob knob = *this;
  knob.optional = true;
  return knob;
}

namespace {
Knob ranged(std::string_view name, std::string_view title, Knob::Type type,
            std::variant<double, std::string_view> fallback, double minimum, double maximum) {
  Knob knob{name, title, type, {}, minimum, maximum};
  std::visit([&](auto value) { knob.fallback = value; }, fallback);
  return knob;
}
}  // namespace

Knob number_knob(std::string_view name, std::string_view title,
                 std::variant<double, std::string_view> fallback, double minimum, double maximum) {
  return ranged(name, title, Knob::Type::number, fallback, minimum, maximum);
}

Knob integer_knob(std::string_view name, std::string_view title,
                  std::variant<double, std::string_view> fallback, double minimum, double maximum) {
  return ranged(name, title, Knob::Type::integer, fallback, minimum, maximum);
}

Knob size_knob(std::string_view name, std::string_view title, std::string_view symbol,
               std::variant<double, std::string_view> fallback, double minimum, double maximum) {
  Knob knob = ranged(name, title, Knob::Type::integer, fallback, minimum, maximum).at_least(1);
  knob.symbol = symbol;
  return knob;
}

Knob flag_knob(std::string_view name, std::string_view title, bool fallback) {
  return {name, title, Knob::Type::boolean, fallback};
}

Knob choice_knob(std::string_view name, std::string_view title, std::string_view fallback,
                 std::vector<std::string_view> choices) {
  Knob knob{name, title, Knob::Type::choice, fallback};
  knob.choices = std::move(choices);
  return knob;
}

Knob matrix_knob(std::string_view name, std::string_view title) {
  return {name, title, Knob::Type::matrix, {}};
}

Knob activation_knob(std::string_view fallback) {
  return choice_knob(
      "act", "Activation", fallback,
      {"tanh", "relu", "leaky-relu", "elu", "selu", "gelu", "sigmoid", "softplus", "identity"});
}

}  // namespace attend
