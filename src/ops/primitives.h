// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/graph.h"

// The primitives as functions of graph variables. Binary operations broadcast right-aligned, as in
// NumPy. Axes may be negative (-1 is the last). Each throws Error when the shapes do not fit.
namespace attend {

Var negative(Var x);
Var exp(Var x);
Var log(Var x);
Var sqrt(Var x);
Var tanh(Var x);
Var sigmoid(Var x);
Var absolute(Var x);
Var sin(Var x);
Var cos(Var x);
Var erf(Var x);
Var arccos(Var x);
Var floor(Var x);   // no gradient
Var detach(Var x);  // x itself, as a constant: no gradient passes through it

Var add(Var a, Var b);
Var subtract(Var a, Var b);
Var multiply(Var a, Var b);
Var divide(Var a, Var b);
Var maximum(Var a, Var b);                  // on ties the gradient goes to a
Var power(Var a, Var b);                    // a >= 0; the gradient at a = 0 is 0
Var greater(Var a, Var b);                  // 1 where a > b, else 0; no gradient
Var equal(Var a, Var b);                    // 1 where a = b, else 0; no gradient
Var where(Var condition, Var yes, Var no);  // condition 0 or 1

// Reductions over one axis; `keep` leaves it with extent 1.
Var sum(Var x, long axis, bool keep = false);
Var max(Var x, long axis, bool keep = false);     // ties: the gradient goes to the lowest index
Var argmax(Var x, long axis, bool keep = false);  // lowest index on ties; no gradient
Var cumsum(Var x, long axis, bool reverse = false);

// Rows of x along the last axis to probabilities. `mask` (broadcast to x, 0 or 1) excludes entries:
// they get exactly 0, and a row without any allowed entry is all 0.
Var softmax(Var x);
Var softmax(Var x, Var mask);
// Alpha-entmax of rows, alpha = 1 + r: between softmax (r = 0) and sparsemax (r = 1), sparser
// beyond. r >= 0 has extent 1 along the last axis. Without a mask: an empty Var.
Var entmax(Var x, Var r, Var mask);
// A network of hinges of one number: sum_a max(0, u w_a + b_a) v_ah + c_h, of u [..], w [1 a], b [a], v [a h], c [h].
Var hinges(Var u, Var w, Var b, Var v, Var c);  // [.. h]

// op(a) op(b) over the last two axes, leading axes broadcast. a [.. m k], b [.. k n] -> [.. m n];
// the flags say that the operand is stored transposed.
Var matmul(Var a, Var b, bool a_transposed = false, bool b_transposed = false);
Var inverse(Var x);  // [.. n n]; a singular matrix gives an error on evaluation
// a [.. n n] symmetric, b [.. r n] -> x [.. r n] with x A = b. Of a what is on and below the diagonal is read; leading
// extents broadcast. An error on evaluation if a is singular.
Var solve_symmetric(Var a, Var b);

Var reshape(Var x, const Shape& shape);
Var permute(Var x, std::vector<long> axes);
Var broadcast_to(Var x, const Shape& shape);
Var slice(Var x, long axis, std::size_t start, std::size_t stop);
Var concat(const std::vector<Var>& parts, long axis);

// Along the last axis: out[.., i] = x[.., index[.., i]], leading extents broadcast. No gradient to
// the index.
Var take(Var x, Var index);
// Its transpose: out[.., index[.., i]] += x[.., i], the last extent being `size`.
Var put(Var x, Var index, std::size_t size);
Var argsort(Var x);  // last axis, descending, stable; no gradient

// Leaves without data: a constant tensor, and the index along one axis of a shape (1 elsewhere):
// [.., 0 1 2 .., ..].
Var fill(Graph& graph, Shape shape, double value);
Var iota(Graph& graph, std::size_t count, long axis_from_end = 1);  // [count] or, with 2, [count 1]

// Sinusoids of positions: out[.., 2i] = sin(p / base^(2i/width)), out[.., 2i+1] = cos(same);
// positions [..] -> [.. width]. Computed in double whatever `real` is: angles grow with the
// position. No gradient.
Var sinusoid(Var positions, std::size_t width, double base = 10000);

inline Var operator-(Var x) { return negative(x); }
inline Var operator+(Var a, Var b) { return add(a, b); }
inline Var operator-(Var a, Var b) { return subtract(a, b); }
inline Var operator*(Var a, Var b) { return multiply(a, b); }
inline Var operator/(Var a, Var b) { return divide(a, b); }
Var scalar(Var like, double value);
Var operator+(Var a, double b);
Var operator+(double a, Var b);
Var operator-(Var a, double b);
Var operator-(double a, Var b);
Var operator*(Var a, double b);
Var operator*(double a, Var b);
Var operator/(Var a, double b);
Var operator/(double a, Var b);

}  // namespace attend
