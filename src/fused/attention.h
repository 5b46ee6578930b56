// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>

#include "kernels/real.h"
#include "ops/unbounded.h"

// softmax(scale q k^T + bias, where the mask keeps) v, the weights never written to memory. It
// stands for the graph's matmul, multiply, add, masked softmax and matmul, forward and backward.
//
// Every tensor has contiguous columns; rows and heads lie where the strides say, in elements. No
// alignment is needed. Outputs overlap nothing. Sizes of 0 are allowed: n = 0 gives zeros.
namespace attend::fused {

inline constexpr std::size_t no_end = std::numeric_limits<std::size_t>::max();

// data[head / each % count * `head` + row * `row` + column]: so many neighbouring heads share what lies there, as query
// heads share those of keys and values; behind so many the first comes again, as examples share what heads have; a
// stride of 0 shares one row, or one head among all.
struct Rows {
  const real* data = nullptr;
  std::size_t row = 0;
  std::size_t head = 0;
  std::size_t each = 1;
  std::size_t count = no_end;
};

struct Place {
  real* data = nullptr;
  std::size_t row = 0;
  std::size_t head = 0;
  std::size_t each = 1;
  std::size_t count = no_end;

  // Whether a head lies where one before it does.
  [[nodiscard]] bool follows(std::size_t h) const {
    return h > 0 && (head == 0 || h / each == (h - 1) / each || h / each >= count);
  }
};

using attend::unbounded;

// Keys and values of the distance: the score of query i and key j gets p_i R_c^T with
// c = clip(j - i + shift, 0, count - 1), and the value of key j gets V_c.
struct RelativeRows {
  Rows p;       // [heads m d], without the scale of the scores
  Rows keys;    // [heads count d]; none of all this when data is null
  Rows values;  // [heads count dv]; none when data is null
  std::size_t count = 0;
  std::size_t d = 0;
  std::ptrdiff_t shift = 0;
};

struct Attention {
  std::size_t heads = 1;
  std::size_t m = 0;   // queries
  std::size_t n = 0;   // keys
  std::size_t d = 0;   // width of queries and keys
  std::size_t dv = 0;  // width of values
  Rows q;              // [heads m d]
  Rows k;              // [heads n d]
  Rows v;              // [heads n dv]
  real scale = 1;
  // Query i may attend keys i + offset - before .. i + offset + after. Causal: after = 0. Both may
  // be negative.
  std::ptrdiff_t before = unbounded;
  std::ptrdiff_t after = unbounded;
  std::ptrdiff_t offset = 0;
  // Where this is not 0, places are cut into blocks of so many, and a query attends its own.
  std::size_t block = 0;
  Rows bias;  // [heads m n], added to the scaled scores; none when data is null
  // The bias depends on key - query alone: it is [heads m+n-1], at key - query + m - 1.
  bool bias_by_gap = false;
  RelativeRows relative = {};
  // Where this is not 0, a score e, the bias in it, becomes cap tanh(e / cap).
  real cap = 0;
  // [heads m n], 0 excludes; none when data is null. Keys that it excludes side by side cost
  // little.
  Rows mask;
};

// The rows of heads first_head .. last_head that a call computes, so that workers share the work.
struct Range {
  std::size_t first_head = 0;
  std::size_t last_head = std::numeric_limits<std::size_t>::max();  // past the end means the end
  std::size_t first_row = 0;
  std::size_t last_row = std::numeric_limits<std::size_t>::max();
};

// What is kept of every row of the weights, each [heads m] dense, or null: the largest score
// (times log2 e) and the sum of exp(score - largest). Whatever recomputes weights takes both back.
// A row that may attend nothing has -infinity and 0.
struct Statistics {
  real* largest = nullptr;
  real* sum = nullptr;
  // Of a gradient, [heads m] or null: what the weights of a row contribute to the mean of its slopes by other ways than
  // the output. It is read.
  const real* mean = nullptr;
  // Of a gradient: whether the weights are shares of their row. Those of a kernel are not.
  bool shares = true;
};

// out[heads m dv]. A row with nothing to attend is zeros. A NaN or +infinity among the scores that
// a row keeps makes the row NaN; a kept -infinity weighs 0. Whether a NaN or infinity in the value
// of an excluded key reaches the row is not said. Only the rows of `range` are written.
void attend(const Attention& a, Place out, Statistics statistics = {}, Range range = {});

struct Gradients {
  Place q;
  Place k;
  Place v;
  Place bias;  // none when data is null
  // Of the relative rows, where there are any.
  Place p = {};
  Place relative_keys = {};
  Place relative_values = {};
};

// The gradients for a gradient of the output, from what attend() gave. Overwritten, not added to;
// where heads share a place they sum over these, and so does the bias over rows with a row stride
// of 0 and over pairs with the same gap. Of `range`, q and bias get their rows; k and v of those heads
// get what these rows give.
void attend_backward(const Attention& a, Rows out, Statistics statistics, Rows out_gradient,
                     Gradients gradients, Range range = {});

// The weights of one query, weights[n], from what attend() kept.
void attention_row(const Attention& a, std::size_t head, std::size_t i, real largest, real sum,
                   real* weights);

}  // namespace attend::fused
