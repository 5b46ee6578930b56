// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

// A table of scores between two inputs, aggregated by a perceptron: what each token sees of the other
// input through the table decides, together with the token itself. The structures differ in how
// they see.
namespace attend {

// Rows of the other side [.. a] as the tokens of one side see them.
struct Views {
  std::function<Var(Var)> first, second;  // [n2 a] -> [n1 a], [n1 a] -> [n2 a]
};

// e_1 = act(K_1 W2 + first(K_2 W1)) . w_first,  e_2 = act(K_2 W1 + second(K_1 W2)) . w_second;
// `views` gets the table [n1 n2].
Tensors aggregate_by_perceptron(const Scope& in, const Tensors& inputs,
                                const std::function<Views(Var)>& views, const char* w_first,
                                const char* w_second);

// The same by plain loops, with the tables [n1 n2] and [n2 n1] that each side sees through.
Arrays aggregated_by_loops(const ReferenceIn& in, const std::function<Array(const Array&)>& seen,
                           const char* w_first, const char* w_second);

}  // namespace attend
