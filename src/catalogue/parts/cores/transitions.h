// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "catalogue/tables.h"

// What the references of recurrent cores share: the map by what every token does to a key that was written earlier,
// in plain loops. A build never uses it.
namespace attend::loops {

// A_ij = read_i . x, where x is write_j carried through the tokens j+1 .. i.
struct Transitions {
  std::function<Row(std::size_t i)> read;
  std::function<Row(std::size_t j)> write;
  std::function<Row(std::size_t t, const Row& x)> carry;
  // Turns a map A into the one that the context has, where that is another.
  std::function<void(Array& map)> finish = {};
};
// context, implied, weights, state and states.
Arrays by_transitions(const ReferenceIn& in, const Transitions& step);

// x - by (with . x): what a delta rule leaves of a key.
Row without(Row x, const Row& by, const Row& with);
// The gate of each key row, [n columns]: given, or squash(x W + b) with "W_alpha" and "b_alpha" for many columns,
// "w_alpha" and "b_alpha" for one.
Array gates(const ReferenceIn& in, const std::string& name, std::size_t columns,
            const std::function<double(double)>& squash);
// The gates of gated linear attention, sigmoid(x)^(1/tau), and of gated delta rules, exp(-exp(A_log) softplus(x)).
Array tempered_gates(const ReferenceIn& in, std::size_t columns);
Array decay_gates(const ReferenceIn& in, std::size_t columns);
// A memory that only fades: by a gate for each token, [n 1] or [n p].
Arrays by_fading(const ReferenceIn& in, const Array& alpha);
// The delta rule, with the parameter or the gate `beta`. Nothing fades without `alpha`.
Array write_strengths(const ReferenceIn& in);
Arrays by_delta_rule(const ReferenceIn& in, const Array* alpha = nullptr);
double logistic(double x);
double softplus(double x);
// A row by the knobs `act` and `normalise` of the delta rules.
Row prepared(const ReferenceIn& in, Row x);

}  // namespace attend::loops
