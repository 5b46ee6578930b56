// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/reference.h"
#include "catalogue/scope.h"

// BigBird's random attention: r keys drawn for each row, the same number for every row.
// Zaheer et al. 2020, section 2.
namespace attend {

// `R` holds the drawn keys by their index. Documents written before `R` give `random` in its place: a
// map of 0 and 1, which still says by itself which keys a row sees.
inline const List<Parameter> drawn_keys_parameters = {{"R", "m r", Distribution::permutation, "n"},
                                                      {"random", "m n", Distribution::bernoulli}};

// 0 draws no key. The paper's default is 3.
constexpr Knob drawn_keys_knob() {
  Knob knob = integer_knob("random", 3., 0, 16).at_least(0);
  knob.symbol = "r";
  return knob;
}

struct DrawnKeys {
  Var mask;                   // [.. m n], 1 where key j is drawn for row i, else 0
  Intent::Part part;          // how an intent of bigbird reads them
  std::vector<Var> operands;  // what it reads
};
DrawnKeys drawn_keys(const Scope& in, std::size_t m, std::size_t n);

// The same by plain loops.
bool is_drawn(const ReferenceIn& in, std::size_t i, std::size_t j);

}  // namespace attend
