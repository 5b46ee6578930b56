// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalogue/modules.h"
#include "catalogue/structure_reference.h"

// Meta-embeddings: several embeddings of the same tokens, mapped to one width and weighed token by
// token. The structures differ in how they score a mapped embedding.
namespace attend {

// Each source mapped to the common width: x_e W<e> + b<e>, [n dt] each.
std::vector<Var> mapped_sources(const Scope& sized);
// Weighs them by scores [n E] (the knob `gate`): results scores, weights, context; gives the context.
Var weigh_sources(const Scope& sized, const std::vector<Var>& sources, Var scores);

// The same by plain loops; `score` is asked with all mapped sources, for a row a source: [E n].
Arrays weighed_by_loops(const ReferenceIn& in,
                        const std::function<Array(const std::vector<Array>&)>& score);

inline const List<Role> source_roles = {
    {"x1", "n d1"},        {"x2", "n d2", false}, {"x3", "n d3", false}, {"x4", "n d4", false},
    {"x5", "n d5", false}, {"x6", "n d6", false}, {"x7", "n d7", false}, {"x8", "n d8", false}};

constexpr Knob source_gate = choice_knob("gate", "Weights by", "softmax", {"softmax", "sigmoid"});
constexpr Knob source_width = size_knob("width", "Common width", "dt", "d1", 1, 512);

}  // namespace attend
