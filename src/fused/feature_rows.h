// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/buffer.h"
#include "fused/features.h"

// Features of rows of queries or keys, a block at a time, and the way back from their slopes.
namespace attend::fused {

// A factor of a query's features, or of all keys', stands above and below in the quotient. So exponents are taken
// relative to a row's largest, or to the largest of all keys: small features do not vanish, large ones do not
// overflow. Causal keys are left as they are, since a row must not see how large later keys are.
class FeatureRows {
 public:
  enum class Side { query, key };
  FeatureRows(const FeatureAttention& a, std::size_t head, Side side);

  // f [count r] of rows first .. first + count. Returns by what sums over earlier keys are to be multiplied: 1
  // unless these have a larger exponent than all before.
  real make(std::size_t first, std::size_t count, real* f);
  // to[i] [d] of the rows that make() made last from their features and the slopes of these, which it overwrites.
  void pull(std::size_t first, std::size_t count, const real* f, real* slopes, Place to) const;
  // What the drawn rows get [rows d] is added up there while pull() runs.
  void add_drawn_slopes_to(real* drawn) { drawn_slopes_ = drawn; }

 private:
  void map_row(const real* x, real* f) const;
  void divide_rows(std::size_t count, real* f);
  void pull_rows(std::size_t first, std::size_t count, const real* f, real* slopes, Place to) const;
  void make_waves(std::size_t first, std::size_t count, real* f);
  void pull_waves(std::size_t first, std::size_t count, const real* f, real* slopes,
                  Place to) const;
  real project(std::size_t first, std::size_t count, real* f);
  void pull_drawn(const real* slopes, std::size_t rows, Rows x, std::size_t count,
                  real factor) const;

  const FeatureAttention& a_;
  std::size_t head_;
  Side side_;
  Rows rows_;
  const real* drawn_ = nullptr;
  real* drawn_slopes_ = nullptr;
  real factor_ = 1;    // of a row before it meets the drawn ones
  real shift_ = 0;     // taken off all keys' exponents
  bool fixed_ = true;  // the shift does not follow the keys
  Buffer<real> sums_;  // of the last rows: their sums, or for waves their lengths
};

}  // namespace attend::fused
