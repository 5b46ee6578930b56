// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ops/shape.h"

namespace attend {

// The values of a document's shape symbols (m, n, dq, a, ...), and the small arithmetic that shapes
// are written in:
// + - * /, sqrt( ), ceil( ), ln( ), brackets, and "2k" for 2 times k.
class Dimensions {
 public:
  void set(std::string_view symbol, std::size_t value);
  [[nodiscard]] std::optional<std::size_t> get(std::string_view symbol) const;

  // The expression's value; nothing when it has a symbol without value.
  [[nodiscard]] std::optional<double> evaluate(std::string_view expression) const;

  // Sets what the other has.
  void set_all(const Dimensions& other);
  // Settles the symbols of a port's shape "m dq" (the first of its alternatives) that have no value yet
  // by a tensor of as many axes.
  void set_from(std::string_view symbols, const Shape& shape);

  // Each word of "2k+1 dk" evaluated. Throws Error when a symbol has no value.
  [[nodiscard]] Shape shape(std::string_view words) const;

  // The symbols of the expression that have no value yet.
  [[nodiscard]] std::set<std::string_view> unknowns(std::string_view expression) const;

  // Settles the one free symbol of an expression so that it equals `extent`. False when it cannot.
  bool solve(std::string_view expression, std::size_t extent);

 private:
  std::map<std::string, std::size_t, std::less<>> values_;
};

// The symbols and expressions of a shape that a record states: "m n", "2k+1 dk".
std::vector<std::string_view> symbols_in(std::string_view text);

}  // namespace attend
