// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

// Meta-embeddings: several embeddings of the same tokens, mapped to one width and weighed token by
// token. The structures differ in how they score a mapped embedding.
namespace attend {

// Each source mapped to the common width: x_e W<e> + b<e>, [n dt] each.
std::vector<Var> mapped_sources(const Scope& sized, const Tensors& inputs);
// Weighs them by scores [n E] (the knob `gate`): scores, weights, and their weighted sum.
Tensors weigh_sources(const Scope& sized, const std::vector<Var>& sources, Var scores);

// The same by plain loops; `score` is asked with all mapped sources, for a row a source: [E n].
Arrays weighed_by_loops(const ReferenceIn& in,
                        const std::function<Array(const std::vector<Array>&)>& score);

// The structures whose score reads nothing but the mapped embedding, x . a + b, as it is or squashed
// by tanh: all of their build, and all of their reference.
Tensors weigh_by_themselves(const Scope& in, const Tensors& inputs, bool squashed);
Arrays weighed_by_themselves(const ReferenceIn& in, bool squashed);

inline const List<Parameter> source_parameters = {{"W1", "d1 dt"}, {"b1", "dt", Distribution::zero},
                                                  {"W2", "d2 dt"}, {"b2", "dt", Distribution::zero},
                                                  {"W3", "d3 dt"}, {"b3", "dt", Distribution::zero},
                                                  {"W4", "d4 dt"}, {"b4", "dt", Distribution::zero},
                                                  {"W5", "d5 dt"}, {"b5", "dt", Distribution::zero},
                                                  {"W6", "d6 dt"}, {"b6", "dt", Distribution::zero},
                                                  {"W7", "d7 dt"}, {"b7", "dt", Distribution::zero},
                                                  {"W8", "d8 dt"}, {"b8", "dt", Distribution::zero},
                                                  {"a", "dt"},     {"b", "", Distribution::zero}};

inline const List<Role> source_roles = {
    {"x1", "n d1"},        {"x2", "n d2", false}, {"x3", "n d3", false}, {"x4", "n d4", false},
    {"x5", "n d5", false}, {"x6", "n d6", false}, {"x7", "n d7", false}, {"x8", "n d8", false}};

constexpr Knob source_gate = choice_knob("gate", "softmax", {"softmax", "sigmoid"});
constexpr Knob source_width = size_knob("width", "dt", "d1", 1, 512);

}  // namespace attend
