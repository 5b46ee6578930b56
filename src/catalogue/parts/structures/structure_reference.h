// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/tables.h"

// What the references of structures over several inputs share; no build uses it.
namespace attend {

// e_ij = act(k_j W q_i + b), the parameters below `module`
Array activated_general(const ReferenceIn& in, const std::string& module, const Array& q,
                        const Array& k);
// e_ij = tanh(q_i W1 + k_j W2 + b) . w
Array additive(const ReferenceIn& in, const std::string& module, const Array& q, const Array& k);
// e_j = tanh(k_j W + b) . w: one row, the parameters below `prefix`
Array self_additive(const ReferenceIn& in, const std::string& prefix, const Array& k);
// e_ij = [k_j; q_i; k_j * q_i] . w
Array trilinear(const Array& w, const Array& q, const Array& k);

const Array& or_else(const ReferenceIn& in, const char* port, const char* otherwise);
// What the two sides of a structure give: names scores1 .. context2.
void put_side(Arrays& out, const std::string& side, const AttentionTables& seen);
void put_sides(Arrays& out, const AttentionTables& first, const AttentionTables& second);
// The same, and the contexts side by side as the output.
Arrays joined_sides(const AttentionTables& first, const AttentionTables& second);

}  // namespace attend
