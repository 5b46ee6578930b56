// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fused/attention.h"
#include "tests/kernels/sweep.h"

// One call of the fused attention on drawn numbers, beside the same by plain loops in a wider type.
namespace attend::fused_tests {

struct Setting {
  std::size_t heads = 1;
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t d = 0;
  std::size_t dv = 0;
  std::ptrdiff_t before = fused::unbounded;
  std::ptrdiff_t after = fused::unbounded;
  std::ptrdiff_t offset = 0;
  std::size_t block = 0;
  double cap = 0;  // of scores, 0: none
  bool bias = false;
  bool mask = false;
  bool shared_keys = false;  // one head of keys and values for all
  bool shared_bias = false;  // one row of bias for all rows and heads
  double size = 1;           // of queries and keys
  std::size_t place = 0;     // elements before the start, for misaligned data
};

// [heads rows cols] with room behind every row and head that nobody may touch.
struct Tensor {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row = 0;
  std::size_t head = 0;
  std::size_t place = 0;
  std::vector<real> numbers;

  Tensor() = default;
  Tensor(std::size_t heads, std::size_t rows, std::size_t cols, std::size_t place, real value);
  real& at(std::size_t h, std::size_t i, std::size_t c);
  fused::Rows read() { return {numbers.data() + place, row, head}; }
  fused::Place write() { return {numbers.data() + place, row, head}; }
};

// What the plain loops say: every number with the sum of the absolute values that went into it.
struct Expected {
  std::vector<sweep::wide> value;
  std::vector<sweep::wide> size;
  void resize(std::size_t count) {
    value.assign(count, 0);
    size.assign(count, 0);
  }
  void add(std::size_t at, sweep::wide x, sweep::wide magnitude) {
    value[at] += x;
    size[at] += magnitude;
  }
};

class Trial {
 public:
  Trial(const Setting& setting, std::uint64_t seed);
  void forward(fused::Range range = {});
  void backward(fused::Range range = {});
  // By plain loops.
  void expect();
  // Empty, or what differs: everything, within units of rounding times the terms' own size.
  std::string forward_faults();
  std::string backward_faults();

  const Setting setting;
  fused::Attention call;
  Tensor q, k, v, bias, mask, out, out_gradient;
  Tensor q_gradient, k_gradient, v_gradient, bias_gradient;
  std::vector<real> largest, sum;
  Expected out_expected, weights, q_expected, k_expected, v_expected, bias_expected;
  double tolerance = 0;

  static constexpr real mark = real(-777.25);  // what untouched places hold
 private:
  [[nodiscard]] bool allowed(std::size_t h, std::size_t i, std::size_t j);
  sweep::wide score(std::size_t h, std::size_t i, std::size_t j, sweep::wide& magnitude);
  void expect_row(std::size_t h, std::size_t i, sweep::wide& most);
  std::string compare(const char* name, Tensor& got, const Expected& want);
};

}  // namespace attend::fused_tests
