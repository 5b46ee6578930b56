// SPDX-License-Identifier: Apache-2.0
#include "fused/sink.h"

#include <cmath>

#include "fused/feature_sums.h"
#include "fused/scores.h"

namespace attend::fused {
namespace {

// Scores are in units of log 2. A pair that a mask leaves out has the weight 0.
real relative(real score, real largest) {
  return score == none ? real(0) : std::exp2(score - largest);
}

}  // namespace

void join_sinks(const Attention& a, Rows sinks, Place out, Statistics statistics, Place rest,
                const Range& range) {
  for (std::size_t h = range.first_head; h < range.last_head; ++h) {
    const real sink = *row_of(sinks, h, 0) * log2_e;
    for (std::size_t i = range.first_row; i < range.last_row; ++i) {
      real &largest = statistics.largest[h * a.m + i], &sum = statistics.sum[h * a.m + i];
      const real top = sink > largest ? sink : largest;  // a NaN stays
      const real keys = sum * relative(largest, top), own = relative(sink, top);
      largest = top;
      sum = keys + own;
      const real share = sum == 0 ? real(0) : keys / sum;
      real* const row = row_of(out, h, i);
      for (std::size_t c = 0; c < a.dv; ++c) row[c] *= share;
      *row_of(rest, h, i) = sum == 0 ? real(0) : own / sum;
    }
  }
}

// The weight of the sink is p, and its value is 0: the slope of its score is p (dp - mean), dp being that of the rest
// and the mean of all slopes out . dout + p dp.
void sink_slopes(const Attention& a, Rows out, Rows rest, Rows out_gradient, Rows rest_gradient,
                 Place slopes, real* means) {
  for (std::size_t h = 0; h < a.heads; ++h) {
    real total = 0;
    for (std::size_t i = 0; i < a.m; ++i) {
      const real p = *row_of(rest, h, i), slope = *row_of(rest_gradient, h, i);
      means[h * a.m + i] = p * slope;
      const real mean = dot(row_of(out, h, i), row_of(out_gradient, h, i), a.dv) + p * slope;
      total += p * (slope - mean);
    }
    real& to = *row_of(slopes, h, 0);
    to = slopes.follows(h) ? to + total : total;
  }
}

}  // namespace attend::fused
