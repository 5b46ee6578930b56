// SPDX-License-Identifier: Apache-2.0
#include "catalogue/check_knob.h"

#include <algorithm>
#include <cmath>

#include "ops/error.h"
#include "ops/text.h"

namespace attend {
namespace {

std::string kind_of(const KnobValue& value) {
  if (std::holds_alternative<double>(value)) return number_exact(std::get<double>(value));
  if (std::holds_alternative<bool>(value)) return std::get<bool>(value) ? "true" : "false";
  if (std::holds_alternative<std::vector<std::string>>(value)) return "a list of words";
  if (std::holds_alternative<std::string>(value)) return "\"" + std::get<std::string>(value) + "\"";
  return "a tensor of shape " + to_text(std::get<Tensor>(value).shape);
}

void check_number(const Knob& knob, double value, const std::string& path) {
  const bool integer = knob.type == Knob::Type::integer;
  const double largest = integer ? 1e9 : 1e300;  // what can still be counted, and computed with
  const double highest = std::min(knob.highest, largest);
  const bool low =
      knob.above_lowest ? value > knob.lowest : value >= std::max(knob.lowest, -largest);
  if (low && value <= highest && (!integer || value == std::floor(value))) return;
  std::string expected = integer ? "a whole number" : "a number";
  if (std::isfinite(knob.lowest))
    expected += (knob.above_lowest ? " above " : " of at least ") + number_exact(knob.lowest);
  // What can still be counted is a bound of ours: it is told only to whoever passes it.
  if (highest < largest || value > highest || !std::isfinite(knob.lowest)) {
    expected +=
        std::string(std::isfinite(knob.lowest) ? " and" : "") + " at most " + number_exact(highest);
  }
  refuse(path, std::string(knob.name) + " must be " + expected + "; found " + number_exact(value));
}

}  // namespace

void check_knob(const Knob& knob, const KnobValue& value, const std::string& path) {
  using Type = Knob::Type;
  const auto wrong = [&](const std::string& expected) {
    refuse(path, std::string(knob.name) + " must be " + expected + "; found " + kind_of(value));
  };
  if (knob.type == Type::number || knob.type == Type::integer) {
    if (!std::holds_alternative<double>(value)) wrong("a number");
    return check_number(knob, std::get<double>(value), path);
  }
  if (knob.type == Type::boolean && !std::holds_alternative<bool>(value)) wrong("true or false");
  if (knob.type == Type::words && !std::holds_alternative<std::vector<std::string>>(value))
    wrong("a list of words");
  if (knob.type == Type::matrix && !std::holds_alternative<Tensor>(value)) wrong("a matrix");
  if (knob.type != Type::choice) return;
  std::string list;
  for (const std::string_view choice : knob.choices) {
    if (std::holds_alternative<std::string>(value) && std::get<std::string>(value) == choice)
      return;
    list += (list.empty() ? "\"" : ", \"") + std::string(choice) + "\"";
  }
  wrong("one of " + list);
}

}  // namespace attend
