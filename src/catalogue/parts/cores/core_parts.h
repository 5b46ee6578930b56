// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "catalogue/reference.h"
#include "catalogue/slots.h"

// What cores have in common.
namespace attend {

Var scaled_scores(const CoreIn& in);  // q k^T / sqrt(p), [.. m n]
// The pairs that a pattern [m n] of 0 and 1 leaves, those of the past where the core is causal.
Var visible(const CoreIn& in, Var pattern);
// Softmax over the pairs of a pattern; an empty one: over all.
Weighing softmax_over(const CoreIn& in, Var pattern);
// Plain weights [.. m n]; `probabilities`: they are positive, and rows sum to 1.
Weighing weighed_by(Var weights, bool probabilities = true);
Var squared_gaps(Var a, Var b);                   // |a_i - b_j|^2: [.. m p] [.. n p] -> [.. m n]
Var gaussian_kernel(Var a, Var b, double scale);  // exp(-scale |a_i - b_j|^2 / 2)
// Rows of x [.. n d] by an index [.. r] along them -> [.. r d].
Var rows_at(Var x, Var index);
Var identity(Graph& graph, std::size_t n);
// A row a step of a scan: [.. n d] -> [n .. 1 d], and back.
Var by_step(Var x);
Var by_row(Var x);
// Rows in blocks of b, a block a step of a scan: [.. n d] -> [blocks .. b d], zeros behind the last row.
Var row_blocks(Var x, std::size_t b);
// The states of a scan, [n .. p d] -> [.. n p d].
Var states_by_row(Var states);
// A gate of each key row [.. n c], by the knob `gates`. `given`: the parameter `name` [n c] holds it as it is used.
// `token`: squash(x W + b), with x the rows that the keys are made of, W [dx c] and b [c] the parameters W_`name`
// and b_`name`, zero unless they are given.
inline constexpr Knob gates_knob = choice_knob("gates", "given", {"given", "token"});
Var gate(const CoreIn& in, const std::string& name, const std::function<Var(Var)>& squash);
Var unit_rows(Var x);  // rows of length 1; a row of zeros stays

// The rows of weights of a reference, and what follows from them: weights, implied and context.
Arrays rows_of_weights(const ReferenceIn& in, const std::function<Row(std::size_t i)>& weigh);
// Softmax of the scaled products of query i over the keys that are allowed.
Row soft_row(const ReferenceIn& in, std::size_t i,
             const std::function<bool(std::size_t j)>& allowed);

}  // namespace attend
