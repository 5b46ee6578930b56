// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/attention.h"
#include "fused/buffer.h"

// Weights exp(-scale |q_i - k_j|^2 / 2) by the dense kernels. The exponent is scale q_i . k_j with a bias of the key,
// -scale |k_j|^2 / 2, and one of the row, which a softmax does not see.
namespace attend::fused {

// The rows of `a` as differences from the median of the head's keys in each column, which `a` reads while this lives.
// Distances are the same, and products of rows that are far from 0, but near each other, keep their digits. One key
// that is far from all others would carry a mean away, and the digits of all with it.
class Centred {
 public:
  explicit Centred(Attention& a);

 private:
  Buffer<real> rows_;
};

// How many numbers the biases of keys are: [heads n], or [n] where heads share their keys.
std::size_t biases_of(const Attention& a);
// Writes them into `room`, and lets `a` read them.
void bias_by_keys(Attention& a, real* room);
// What the slopes of these biases, laid out as they are, give the keys: added to their gradient.
void add_bias_slopes(const Attention& a, const real* slopes, Place k);

// out [heads m dv], the weighted sums of values, divided by nothing. Bias, mask and band of `a` are not read.
void attend_gaussian(Attention a, Place out);

// Gradients of queries, keys and values from what attend_gaussian() gave. Overwritten; with a head stride of 0 they sum
// over the heads.
void attend_gaussian_backward(Attention a, Rows out, Rows out_gradient, const Gradients& gradients);

}  // namespace attend::fused
