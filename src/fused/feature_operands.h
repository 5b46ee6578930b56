// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/features.h"
#include "fused/operands.h"
#include "fused/record.h"
#include "kernels/scratch.h"

// The operands of nodes that attend by features, in the form that the kernels read.
namespace attend::fused {

Features features_in(const Attributes& attributes);

// The head of an operand that each head of the queries reads: leading extents broadcast to those of the queries.
class HeadsOf {
 public:
  HeadsOf(const Shape& queries, const Shape& operand);
  [[nodiscard]] std::size_t operator()(std::size_t head) const;
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t own() const { return own_; }

 private:
  Shape extents_;                     // of the queries' leading axes
  std::vector<std::size_t> strides_;  // of the operand's heads along them
  std::size_t count_ = 1, own_ = 1;
};

// One operand, each head's rows at a stride: in place, or as a copy where heads are shared in another way.
class HeadRows {
 public:
  HeadRows(const Forward& f, std::size_t operand) : HeadRows(f, operand, *f.in_shapes[operand]) {}
  HeadRows(const Forward& f, std::size_t operand, const Shape& shape);
  [[nodiscard]] const Rows& rows() const { return rows_; }

 private:
  kernels::Scratch<real> room_;
  Rows rows_;
};

// A number for each head and row, [heads rows], of an operand [.. rows 1] or [.. 1 1].
class HeadNumbers {
 public:
  HeadNumbers(const Forward& f, std::size_t operand, std::size_t rows);
  [[nodiscard]] const real* data() { return room_.data(); }

 private:
  kernels::Scratch<real> room_;
};

// The gradient of one operand. The kernel writes one for each head, [heads rows width]; heads that share an operand,
// and rows where it has one row, are added up.
class HeadSlopes {
 public:
  HeadSlopes(const Forward& f, GradientPlaces& places, std::size_t operand, std::size_t rows);
  [[nodiscard]] Place place() { return {data(), width_, rows_ * width_}; }
  [[nodiscard]] real* data() { return direct_ ? to_ : room_.data(); }
  void add_up();

 private:
  HeadsOf heads_;
  std::size_t rows_, own_rows_, width_;
  bool direct_;
  real* to_;
  kernels::Scratch<real> room_;
};

// A call without drawn rows and gates.
FeatureAttention call_of(const Forward& f, const Features& features, const Rows& q, const Rows& k,
                         const Rows& v);

// Of a call whose products take so many multiply-adds: with phi of all rows.
Cost cost_of_features(const Sizes& s, const Features& features, std::uint64_t products);

}  // namespace attend::fused
