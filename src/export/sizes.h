// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attend {

// A whole number that depends on sizes which the exported code knows only when it runs: a polynomial in their
// symbols, or a part of one size, rounded down.
struct SizeExpression {
  struct Term {
    long coefficient;             // over the common denominator
    std::vector<std::size_t> of;  // symbols; one that stands twice is squared
  };
  std::vector<Term> terms;
  long divisor = 1;  // the sum is divided by it, rounded down

  [[nodiscard]] long at(const std::vector<std::size_t>& sizes) const;
  [[nodiscard]] std::string text(const std::vector<std::string>& names) const;
};

// Finds what a number is as an expression in some symbols, from its values for several sizes. What fits all of them
// is taken; the caller records at more sizes than an expression has coefficients.
class SizeFit {
 public:
  // `points`: the sizes of every recording, one number per symbol, the batch first; the first point is the base.
  explicit SizeFit(std::vector<std::vector<std::size_t>> points) : points_(std::move(points)) {}

  // The expression for a number with these values at the points; nothing where none fits.
  std::optional<SizeExpression> fit(const std::vector<long>& values);

 private:
  [[nodiscard]] std::vector<std::size_t> symbols_behind(const std::vector<long>& values) const;
  [[nodiscard]] std::optional<SizeExpression> polynomial(const std::vector<long>& values,
                                                         const std::vector<std::size_t>& by) const;
  [[nodiscard]] std::optional<SizeExpression> quotient(const std::vector<long>& values,
                                                       std::size_t symbol) const;
  [[nodiscard]] bool fits(const SizeExpression& e, const std::vector<long>& values) const;

  std::vector<std::vector<std::size_t>> points_;
  std::map<std::vector<long>, std::optional<SizeExpression>> known_;
};

}  // namespace attend
