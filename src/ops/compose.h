// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ops/primitives.h"

// What formulas say often, written over the primitives.
// Every tensor in a build has the form [batch.., rows, columns]: a vector parameter is one row
// [.., 1, a], a scalar is [.., 1, 1], and heads or features stand in front, so that one line of
// code serves one head or many.
namespace attend {

Var transpose(Var x);                   // swaps the last two axes
Var sum_to(Var x, const Shape& shape);  // undoes broadcasting from `shape`
Var mean(Var x, long axis, bool keep = false);
Var relu(Var x);
Var clip(Var x, double low, double high);
Var expand(Var x, long axis);   // inserts an axis of extent 1; -1 puts it last
Var squeeze(Var x, long axis);  // removes an axis of extent 1

Var pair_rows(Var x);     // [.. m a] -> [.. m 1 a], the row of a pair (i, j)
Var pair_columns(Var x);  // [.. n a] -> [.. 1 n a], the column of a pair (i, j)
// x [batch.. r.. a] times W [batch.. a c] along the last axis: W is shared over the axes that x has
// more than its batch.
Var times(Var x, Var W);
// x [batch.. r.. a] with one vector w [batch.. 1 a] -> [batch.. r..].
Var dot(Var x, Var w);

Var norm(Var x, long axis, bool keep = false);  // Euclidean
Var layer_norm(Var x, Var gamma, Var beta, double eps = 1e-5);
Var layer_norm(Var x, Var gamma, Var beta, Var eps);  // over the last axis, biased variance
Var row(Var x, std::size_t t);                        // [.. m a] -> [.. 1 a]
Var one_hot(Var index, std::size_t count);            // [..] -> [.. count]
Var zeros(Graph& graph, const Shape& shape);
Var ones(Graph& graph, const Shape& shape);

// tanh relu leaky-relu elu selu gelu sigmoid softplus identity; the slope is leaky-relu's.
Var activation(std::string_view name, Var x, double leaky_slope = 0.01);

// where(mask, scores, value): a stand-in for excluded scores. Without a mask, the scores.
Var exclude(Var scores, Var mask, double value);

}  // namespace attend
