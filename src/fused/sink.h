// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/attention.h"

// One more entry beside the keys of a softmax: it has a score, and its value is 0. So the kernels need not know it: it
// takes its share of what they give for the keys.
namespace attend::fused {

// From rows of a softmax over the keys alone, out and statistics, to those with a sink of each head; `sinks` has one
// row for all queries. The weight of the sink goes to `rest` [heads m 1].
void join_sinks(const Attention& a, Rows sinks, Place out, Statistics statistics, Place rest,
                const Range& range);

// The gradients of the sinks, overwritten: from the rows that join_sinks() gave, and the gradients of out and rest.
// What the rest contributes to the means of the rows' slopes goes to `means` [heads m].
void sink_slopes(const Attention& a, Rows out, Rows rest, Rows out_gradient, Rows rest_gradient,
                 Place slopes, real* means);

}  // namespace attend::fused
