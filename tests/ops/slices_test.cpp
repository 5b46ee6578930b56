// SPDX-License-Identifier: Apache-2.0
// Gradients of many slices of one node, which are put together once: disjoint, overlapping, with
// gaps, and along two axes.
#include <doctest/doctest.h>

#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/evaluate.h"
#include "tests/ops/run.h"

namespace attend::slices_test {

TEST_CASE("slices that overlap, leave gaps and cross give the sum of their gradients") {
  Graph graph;
  const Var x = graph.leaf({4, 3}, "x");
  // Rows 0-1 once, rows 1-2 ten times, row 1 again a hundred times, column 2 a thousand times.
  const Var total = sum(sum(slice(x, -2, 0, 2), -1), -1) +
                    10 * sum(sum(slice(x, -2, 1, 3), -1), -1) + 100 * sum(sum(row(x, 1), -1), -1) +
                    1000 * sum(sum(slice(x, -1, 2, 3), -1), -1);
  const Var gradient = gradients(total, ones(graph, {}), {x})[0];
  REQUIRE(gradient.shape() == x.shape());
  const Values values =
      evaluate(graph, {gradient}, [](NodeId) { return std::vector<real>(12, 0); });
  const std::vector<real> expected{1, 1, 1001, 111, 111, 1111, 10, 10, 1010, 0, 0, 1000};
  CHECK(std::vector<real>(values[gradient.id()].begin(), values[gradient.id()].end()) == expected);
}

TEST_CASE("rows taken one by one cost one concatenation, not one each") {
  Graph graph;
  const Var x = graph.leaf({50, 3}, "x");
  Var total = zeros(graph, {1, 3});
  for (std::size_t t = 0; t < 50; ++t) total = total + row(x, t);
  const std::size_t before = graph.size();
  const Var gradient = gradients(total, ones(graph, {1, 3}), {x})[0];
  CHECK(gradient.shape() == x.shape());
  CHECK(graph.size() - before < 10);
}

}  // namespace attend::slices_test
