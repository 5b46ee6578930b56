// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/word_cost.h"

#include <doctest/doctest.h>

#include "ops/primitives.h"

namespace attend::word_cost_test {
namespace {

TEST_CASE("a lookup costs no multiply-add, and the gradient of its table a sum for each number") {
  Graph graph;
  const Var words = graph.leaf({4, 5}, "words"), table = graph.leaf({5, 3}, "table"),
            slope = graph.leaf({4, 3}, "slope");
  const Var looked_up = matmul(words, table), gradient = matmul(words, slope, true, false);
  const auto count = [&](Var var, bool are_words) {
    std::vector<bool> needed(graph.size(), false), leaves(graph.size(), false);
    needed[var.id()] = true;
    leaves[words.id()] = are_words;
    return cost_of(graph, needed, leaves).multiply_adds;
  };
  CHECK(count(looked_up, true) == 0);
  CHECK(count(gradient, true) == 4 * 3);
  CHECK(count(looked_up, false) == 4 * 5 * 3);
  CHECK(count(gradient, false) == 4 * 5 * 3);
}

}  // namespace
}  // namespace attend::word_cost_test
