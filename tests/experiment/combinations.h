// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/each.h"
#include "tests/experiment/harness.h"

// Whole modules put together at random from every slot of the general module.
namespace attend::testing {

struct Combination {
  std::vector<std::pair<std::string, const Mechanism*>> chosen;  // slot name, mechanism

  [[nodiscard]] bool has(std::string_view slot) const;
  [[nodiscard]] bool all(bool Laws::*law) const;
  [[nodiscard]] bool by_gradient() const;  // nothing in it chooses keys, which has no slope
  [[nodiscard]] bool sizes_fit() const;  // of those that want a square map or a table for each pair
  [[nodiscard]] bool is_square() const;  // some mechanism wants as many queries as keys
  [[nodiscard]] std::string text() const;  // "score:dot alignment:softmax"
  [[nodiscard]] std::uint64_t seed() const;
  // The reason that the catalogue's data gives against it; empty when there is none.
  [[nodiscard]] std::string forbidden() const;
  [[nodiscard]] Json document() const;
};

// What can stand in a slot of the general module.
Mechanisms every_part();

// Draw `round` around one mechanism. Each candidate of a slot draws a number by its own name and
// the largest wins: a mechanism that is added to the catalogue wins some draws, and leaves all
// others as they were.
Combination combination(const Mechanism& around, std::uint64_t round);

}  // namespace attend::testing
