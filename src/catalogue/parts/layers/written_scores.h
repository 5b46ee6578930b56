// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "catalogue/slots.h"

// Synthesizers (Tay et al. 2021, arXiv:2005.00743): scores of N positions that no product of query and key makes. A
// text of n tokens reads the first n.
namespace attend {

// The number n of tokens, which label both axes of the map. Error if it is larger than N, which `what` describes.
std::size_t labelled_positions(const Scope& in, Var x, const char* what);
// softmax(E) (X W_V), where a token sees all tokens, or those so far: x [n df]  e [n n].
Tensors read_by_scores(const Scope& in, Var x, Var e);

// The same by plain loops: the scores of row i, at least n of them.
Arrays read_by_loops(const ReferenceIn& in, const std::function<Row(std::size_t i)>& scores);
// One row of relu(X W1 + b1) W2 + b2.
Row written_row(const ReferenceIn& in, std::size_t i);

}  // namespace attend
