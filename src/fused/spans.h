// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/attention.h"

// Attention whose keys fade out with their distance x: weights in proportion to m(x) e^score with
// m(x) = clip((ramp + z - x) / ramp, 0, 1). Keys nearer than z go to the dense kernel as they are, those of the ramp
// with the logarithm of m as a bias, and those beyond cost nothing: time grows with n times the span.
namespace attend::fused {

struct Spans {
  const real* z = nullptr;  // [m], one for each query of a head; or one for all of them
  std::size_t row = 0;      // 0: one for all rows
  std::size_t head = 0;
  const real* ramp = nullptr;  // above 0; one for each head, or one
  std::size_t ramp_head = 0;
  bool causal = false;  // no key after its query, else as far to either side
};

// What attend() computes, under the spans; band, block, bias and mask of `a` are not read.
void attend_spans(const Attention& a, const Spans& spans, Place out, Statistics statistics);

// Gradients of queries, keys, values and, where it is not null, spans (laid as z); overwritten.
void attend_spans_backward(const Attention& a, const Spans& spans, Rows out, Statistics statistics,
                           Rows out_gradient, const Gradients& gradients, real* z);

}  // namespace attend::fused
