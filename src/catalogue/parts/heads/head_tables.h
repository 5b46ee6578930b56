// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalogue/slots.h"

// Parameters of positions that each head has for itself.
namespace attend {

// How many heads the scores have; 1 where nothing is split.
std::size_t head_count(const PositionIn& in);

// How many maps of scores make one head: 2 in differential attention, else 1.
std::size_t maps_of_each_head(const PositionIn& in);

// A number for each head becomes one for each map of scores.
std::vector<double> for_each_map(const PositionIn& in, const std::vector<double>& of_heads);

// A parameter of the shape `own` ("", "n", "n p") that every head has for itself. In heads it is [h ..] unless a
// document gives one for all heads; the record says both, "n | h n". Comes in the form of scores: [.. rows columns].
Var of_each_head(const PositionIn& in, std::string_view name, std::string_view own);

// A list of one number for each head [h], as a factor of the scores: [.. 1 1].
Var by_head(const PositionIn& in, Var list);

}  // namespace attend
