// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <limits>
#include <optional>
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

// What a knob is set to.
using KnobValue = std::variant<double, bool, std::string, Tensor, std::vector<std::string>>;

using Fallback = std::variant<std::monostate, double, bool, std::string_view>;
using NumberOrText = std::variant<double, std::string_view>;

// The words of a choice, kept inside, because a knob is handed on by value.
class Options {
 public:
  constexpr Options() = default;
  constexpr Options(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) words_.at(count_++) = word;
  }
  [[nodiscard]] constexpr const std::string_view* begin() const { return words_.data(); }
  [[nodiscard]] constexpr const std::string_view* end() const { return words_.data() + count_; }

 private:
  std::array<std::string_view, 16> words_{};
  std::size_t count_ = 0;
};

// What ties a knob's number to another one: `of` is a knob of the same record, which comes before it, or a size of
// the document, an expression of symbols ("n", "d/2").
struct KnobRule {
  enum class Relation { none, divides, multiple_of, at_most };

  Relation relation = Relation::none;
  std::string_view of = {};

  constexpr explicit operator bool() const { return relation != Relation::none; }
};

// A setting of a mechanism; its title is among the words (data/catalogue). The range is the slider's; `lowest` and
// `highest` are what the
// mathematics allows.
struct Knob {
  enum class Type { number, integer, boolean, choice, matrix, words };
  // Knobs that training sets or reads in every mechanism that has them: the estimator of a choice's slope, and the
  // number of draws that a choice is averaged over. One is read only by a cell that keeps a memory beside its state.
  // All other knobs belong to their mechanism.
  enum class Role { own, estimator, draws, memory };

  std::string_view name;
  Type type;
  Fallback fallback;  // text: a choice, or an expression of dimensions ("1/sqrt(dk)")
  double minimum = 0, maximum = 0;
  bool logarithmic = false;
  Options choices = {};
  std::string_view symbol = {};  // the dimension that this knob sets
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool above_lowest = false;            // `lowest` itself is not allowed
  bool null_is_minus_infinity = false;  // of a matrix
  bool optional = false;   // a matrix that may be missing: `knobs` then has no such entry
  bool or_number = false;  // of a matrix: a number alone is a matrix of one entry
  bool of_keys = false;    // of a matrix: a number for each key, not for each pair
  std::optional<double> one_head = {};  // what shows the effect where there is a single head
  std::string_view old_word = {}, new_word = {};  // a choice's former spelling, still read
  Role role = Role::own;
  KnobRule rule = {};

  // Refinements, to be chained: the value must be > or >= a bound, or <= one; the slider moves in ratios.
  [[nodiscard]] constexpr Knob above(double bound) const {
    Knob knob = at_least(bound);
    knob.above_lowest = true;
    return knob;
  }
  [[nodiscard]] constexpr Knob at_least(double bound) const {
    Knob knob = *this;
    knob.lowest = bound;
    return knob;
  }
  [[nodiscard]] constexpr Knob at_most(double bound) const {
    Knob knob = *this;
    knob.highest = bound;
    return knob;
  }
  // The value must divide another knob's number or a size, be a multiple of it, or at most as large.
  [[nodiscard]] constexpr Knob divides(std::string_view other) const {
    return tied({KnobRule::Relation::divides, other});
  }
  [[nodiscard]] constexpr Knob multiple_of(std::string_view other) const {
    return tied({KnobRule::Relation::multiple_of, other});
  }
  [[nodiscard]] constexpr Knob at_most(std::string_view other) const {
    return tied({KnobRule::Relation::at_most, other});
  }
  [[nodiscard]] constexpr Knob log_scale() const {
    Knob knob = *this;
    knob.logarithmic = true;
    return knob;
  }
  [[nodiscard]] constexpr Knob with_null() const {  // a matrix may hold null, minus infinity
    Knob knob = *this;
    knob.null_is_minus_infinity = true;
    return knob;
  }
  [[nodiscard]] constexpr Knob optionally() const {  // a matrix may be left out
    Knob knob = *this;
    knob.optional = true;
    return knob;
  }
  [[nodiscard]] constexpr Knob or_a_number() const {  // a matrix may be a number
    Knob knob = *this;
    knob.or_number = true;
    return knob;
  }
  [[nodiscard]] constexpr Knob for_each_key() const {  // a matrix has a number for each key
    Knob knob = *this;
    knob.of_keys = true;
    return knob;
  }
  // The page begins with this number where there is one head, in which the fallback would show nothing.
  [[nodiscard]] constexpr Knob with_one_head(double number) const {
    Knob knob = *this;
    knob.one_head = number;
    return knob;
  }
  [[nodiscard]] constexpr Knob as(Role meant) const {
    Knob knob = *this;
    knob.role = meant;
    return knob;
  }
  [[nodiscard]] constexpr Knob also_called(std::string_view former, std::string_view now) const {
    Knob knob = *this;
    knob.old_word = former;
    knob.new_word = now;
    return knob;
  }

 private:
  [[nodiscard]] constexpr Knob tied(KnobRule by) const {
    Knob knob = *this;
    knob.rule = by;
    return knob;
  }
};

// All of these are constant expressions, because a record with knobs is constant data.
constexpr Fallback fallback_of(NumberOrText value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? Fallback(*number) : Fallback(std::get<std::string_view>(value));
}

constexpr Knob number_knob(std::string_view name, NumberOrText fallback, double minimum,
                           double maximum) {
  return {name, Knob::Type::number, fallback_of(fallback), minimum, maximum};
}

constexpr Knob integer_knob(std::string_view name, NumberOrText fallback, double minimum,
                            double maximum) {
  return {name, Knob::Type::integer, fallback_of(fallback), minimum, maximum};
}

// A width: the dimension `symbol`, at least 1, read off a given parameter when there is one.
constexpr Knob size_knob(std::string_view name, std::string_view symbol, NumberOrText fallback,
                         double minimum, double maximum) {
  Knob knob = integer_knob(name, fallback, minimum, maximum).at_least(1);
  knob.symbol = symbol;
  return knob;
}

constexpr Knob flag_knob(std::string_view name, bool fallback) {
  return {name, Knob::Type::boolean, fallback};
}

constexpr Knob choice_knob(std::string_view name, std::string_view fallback, Options choices) {
  return {name, Knob::Type::choice, fallback, 0, 0, false, choices};
}

constexpr Knob matrix_knob(std::string_view name) {  // has no default
  return {name, Knob::Type::matrix, {}};
}

constexpr Knob words_knob(std::string_view name) {  // may be missing
  Knob knob{name, Knob::Type::words, {}};
  knob.optional = true;
  return knob;
}

constexpr Knob estimator_knob(Options choices) {
  return choice_knob("estimator", "none", choices).as(Knob::Role::estimator);
}

constexpr Knob activation_knob(std::string_view fallback) {
  return choice_knob("act", fallback,
                     {"tanh", "relu", "leaky-relu", "elu", "selu", "gelu", "gelu-tanh", "silu",
                      "relu-squared", "sigmoid", "softplus", "identity"});
}

}  // namespace attend
