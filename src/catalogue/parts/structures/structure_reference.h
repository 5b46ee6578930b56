// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalogue/reference.h"

// What the references of structures over several inputs share: tables by plain loops, none of it of the
// build.
namespace attend {

Array transposed(const Array& x);
Array rows_times(const Array& x, const Array& W);  // [n a] [a c] -> [n c]
Array sum_of(const Array& a, const Array& b);      // element by element
Array activated(const std::string& act, Array x);  // each number
Array beside(const std::vector<Array>& tables);    // columns of all, row by row
Array mean_of_rows(const Array& x);                // [1 d]
Array rows_from_to(const Array& x, std::size_t start, std::size_t stop);
Array soft_rows(const Array& scores);  // softmax of each row

// What one look at keys gives: [m n] [m n] [m dv].
struct Answer {
  Array scores, weights, context;
};
Answer seen_by(const Array& scores, const Array& values);  // by scores that are there
// e_ij = q_i . k_j
Array dots(const Array& q, const Array& k);
// e_ij = act(k_j W q_i + b), the parameters below `module`
Array activated_general(const ReferenceIn& in, const std::string& module, const Array& q,
                        const Array& k);
// e_ij = tanh(q_i W1 + k_j W2 + b) . w
Array additive(const ReferenceIn& in, const std::string& module, const Array& q, const Array& k);
// e_j = tanh(k_j W + b) . w: one row, the parameters below `prefix`
Array self_additive(const ReferenceIn& in, const std::string& prefix, const Array& k);
// e_ij = [k_j; q_i; k_j * q_i] . w
Array trilinear(const Array& w, const Array& q, const Array& k);
// The largest of each row, of [m n]: [1 m].
Array row_maxima(const Array& e);

const Array& or_else(const ReferenceIn& in, const char* port, const char* otherwise);
// What the two sides of a structure give: names scores1 .. context2.
void put_side(Arrays& out, const std::string& side, const Answer& seen);
void put_sides(Arrays& out, const Answer& first, const Answer& second);
// The same, and the contexts side by side as the output.
Arrays joined_sides(const Answer& first, const Answer& second);

}  // namespace attend
