// SPDX-License-Identifier: Apache-2.0
#include "catalogue/check_knob.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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
  const double largest = integer ? 1e9 : largest_number;  // what can still be counted
  const double highest = std::min(knob.highest, largest);
  const bool positive = knob.above_lowest && knob.lowest == 0;
  const bool low = positive            ? value >= smallest_positive
                   : knob.above_lowest ? value > knob.lowest
                                       : value >= std::max(knob.lowest, -largest);
  if (low && value <= highest && (!integer || value == std::floor(value))) return;
  std::string expected = integer ? "a whole number" : "a number";
  if (std::isfinite(knob.lowest))
    expected += (knob.above_lowest ? " above " : " of at least ") + number_exact(knob.lowest);
  if (positive && value > 0 && value < smallest_positive)
    expected += ", at least " + number_exact(smallest_positive);
  // Our own bound is mentioned only where a number exceeds it.
  if (highest < largest || value > highest || !std::isfinite(knob.lowest)) {
    expected +=
        std::string(std::isfinite(knob.lowest) ? " and" : "") + " at most " + number_exact(highest);
  }
  refuse(path, std::string(knob.name) + " must be " + expected + "; found " + number_exact(value));
}

// All that divide a number, ascending.
std::vector<double> divisors_of(double number) {
  std::vector<double> small, large;
  for (double i = 1; i * i <= number; ++i) {
    if (std::fmod(number, i) != 0) continue;
    small.push_back(i);
    if (i * i < number) large.push_back(number / i);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

// What keeps the rule, as a sentence says it: "1, 2 or 4".
std::string kept_in_words(const KnobRule& rule, double of) {
  if (rule.relation == KnobRule::Relation::at_most) return "at most " + number_exact(of);
  if (rule.relation == KnobRule::Relation::multiple_of)
    return number_exact(of) + ", " + number_exact(2 * of) + ", " + number_exact(3 * of) +
           " and so on";
  constexpr std::size_t most = 12;  // so many are read, the rest is only counted
  const std::vector<double> all = divisors_of(of);
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) {
    const bool last = i + 1 == all.size();
    text += (i == 0 ? "" : last ? " or " : ", ") + number_exact(all[i]);
  }
  return text + (all.size() > most ? " and so on" : "");
}

}  // namespace

std::string kind_in_words(const Knob& knob) {
  using Type = Knob::Type;
  switch (knob.type) {
    case Type::number:
      return "a number";
    case Type::integer:
      return "a whole number";
    case Type::boolean:
      return "true or false";
    case Type::words:
      return "a list of words";
    case Type::matrix:
      return knob.or_number ? "a number or a matrix" : "a matrix";
    case Type::choice:
      break;
  }
  std::string list;
  for (const std::string_view choice : knob.choices)
    list += (list.empty() ? "\"" : ", \"") + std::string(choice) + "\"";
  return "one of " + list;
}

bool keeps(const KnobRule& rule, double value, double of) {
  switch (rule.relation) {
    case KnobRule::Relation::divides:
      return value > 0 && std::fmod(of, value) == 0;
    case KnobRule::Relation::multiple_of:
      return value > 0 && of > 0 && std::fmod(value, of) == 0;
    case KnobRule::Relation::at_most:
      return value <= of;
    default:
      return true;
  }
}

double kept_near(const KnobRule& rule, double value, double of) {
  if (keeps(rule, value, of)) return value;
  if (rule.relation == KnobRule::Relation::at_most) return of;
  if (rule.relation == KnobRule::Relation::multiple_of)
    return std::max(1., std::floor(value / of)) * of;
  double best = 1;
  for (const double one : divisors_of(of)) {
    if (one <= value) best = one;
  }
  return best;
}

std::string in_words(const KnobRule& rule) {
  static constexpr std::array<const char*, 4> verbs{"have any relation to ", "divide ",
                                                    "be a multiple of ", "be at most "};
  return verbs.at(static_cast<std::size_t>(rule.relation)) + std::string(rule.of);
}

void check_rule(const Knob& knob, double value, double of, const std::string& path) {
  if (keeps(knob.rule, value, of)) return;
  const std::string name(knob.name);
  refuse(path, name + " must " + in_words(knob.rule) + ", which is " + number_exact(of) +
                   " here; found " + name + " = " + number_exact(value) + "; use " +
                   kept_in_words(knob.rule, of));
}

void check_knob(const Knob& knob, const KnobValue& value, const std::string& path) {
  using Type = Knob::Type;
  const auto wrong = [&] {
    refuse(path, std::string(knob.name) + " must be " + kind_in_words(knob) + "; found " +
                     kind_of(value));
  };
  if (knob.type == Type::number || knob.type == Type::integer) {
    if (!std::holds_alternative<double>(value)) wrong();
    return check_number(knob, std::get<double>(value), path);
  }
  if (knob.type == Type::boolean && !std::holds_alternative<bool>(value)) wrong();
  if (knob.type == Type::words && !std::holds_alternative<std::vector<std::string>>(value)) wrong();
  if (knob.type == Type::matrix) {
    if (!std::holds_alternative<Tensor>(value)) wrong();
    // Most tables have no bounds, and may hold minus infinity.
    if (!std::isfinite(knob.lowest) && !std::isfinite(knob.highest)) return;
    for (const double one : std::get<Tensor>(value).data) check_number(knob, one, path);
    return;
  }
  if (knob.type != Type::choice) return;
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr || std::ranges::find(knob.choices, *word) == knob.choices.end()) wrong();
}

}  // namespace attend
