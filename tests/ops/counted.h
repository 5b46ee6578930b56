// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "ops/shape.h"

// Numbers that count what is done with them, by the definitions of ops/cost.h.
namespace attend::testing {

struct Tally {
  std::uint64_t multiply_adds = 0, exponentials = 0;
};
inline Tally tally;

class Counted {
 public:
  Counted() = default;
  Counted(double value) : value_(value) {}  // NOLINT: a plain number is one too
  [[nodiscard]] double plain() const { return value_; }

  friend Counted operator+(Counted a, Counted b) { return step(a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return step(a.value_ - b.value_); }
  friend Counted operator*(Counted a, Counted b) { return step(a.value_ * b.value_); }
  friend Counted operator/(Counted a, Counted b) { return step(a.value_ / b.value_); }
  friend Counted operator-(Counted a) { return step(-a.value_); }
  friend bool operator>(Counted a, Counted b) { return ++tally.multiply_adds, a.value_ > b.value_; }
  friend bool operator==(Counted a, Counted b) {
    return ++tally.multiply_adds, a.value_ == b.value_;
  }
  // sum + a b
  friend Counted multiply_add(Counted a, Counted b, Counted sum) {
    return step(a.value_ * b.value_ + sum.value_);
  }
  // A function of one number, counted as arithmetic or as an exponential.
  template <class Function>
  friend Counted arithmetic(Function function, Counted x) {
    return step(function(x.value_));
  }
  template <class Function>
  friend Counted exponential(Function function, Counted x) {
    ++tally.exponentials;
    return function(x.value_);
  }

 private:
  static Counted step(double value) {
    ++tally.multiply_adds;
    return value;
  }

  double value_ = 0;
};

// A tensor that knows which of its cells were read or written.
class CountedTensor {
 public:
  CountedTensor(Shape extents, std::vector<Counted> numbers)
      : shape(std::move(extents)), numbers_(std::move(numbers)), touched_(numbers_.size(), false) {}

  const Shape shape;

  Counted& at(std::size_t flat) {
    touched_[flat] = true;
    return numbers_[flat];
  }
  // By a place of a larger tensor that this one is repeated to.
  Counted& at(std::vector<std::size_t> index) {
    index.erase(index.begin(), index.end() - static_cast<long>(shape.size()));
    for (std::size_t i = 0; i < shape.size(); ++i) index[i] = shape[i] == 1 ? 0 : index[i];
    return at(ravel(index, shape));
  }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] std::uint64_t touched() const {
    std::uint64_t count = 0;
    for (const bool one : touched_) count += one ? 1 : 0;
    return count;
  }

 private:
  std::vector<Counted> numbers_;
  std::vector<bool> touched_;
};

}  // namespace attend::testing
