// SPDX-License-Identifier: Apache-2.0
// A network of hinges by its segments has the numbers and the gradients of its units, on the points where units begin,
// too, and where a unit has no slope.
#include "ops/backward.h"
#include "ops/compose.h"
#include "tests/ops/run.h"

namespace attend::hinges_test {
namespace {

using testing::Data;

void check_equal(std::size_t count, std::size_t units, std::size_t results) {
  CAPTURE(units);
  CAPTURE(results);
  sweep::Numbers numbers(11 + units);
  Graph graph;
  Data data;
  std::vector<real> input = numbers.list(count, -2, 2), slopes = numbers.list(units, -1.5, 1.5),
                    starts = numbers.list(units, -1, 1);
  // On the points of units that begin at 0, which is how they are at first; and without a slope.
  for (std::size_t i = 0; i < count; i += 3) input[i] = i % 2 == 0 ? 0 : -input[i];
  for (std::size_t a = 0; a < units; a += 2) starts[a] = 0;
  for (std::size_t a = 1; a < units; a += 5) slopes[a] = 0;
  const Var u = testing::leaf(graph, data, {count}, input),
            w = testing::leaf(graph, data, {1, units}, slopes),
            b = testing::leaf(graph, data, {units}, starts),
            v = testing::leaf(graph, data, {units, results}, numbers.list(units * results, -1, 1)),
            c = testing::leaf(graph, data, {results}, numbers.list(results, -1, 1));
  const Var formula = times(relu(expand(u, -1) * w + b), v) + c, fast = hinges(u, w, b, v, c);
  const auto all_of = [&](Var out) {
    std::vector<Var> wanted = gradients(sin(3 * out), ones(graph, out.shape()), {u, w, b, v, c});
    wanted.push_back(out);
    return wanted;
  };
  const std::vector<Var> expected = all_of(formula), found = all_of(fast);
  std::vector<Var> wanted = expected;
  wanted.insert(wanted.end(), found.begin(), found.end());
  const Values values = testing::run(graph, wanted, data);
  for (std::size_t t = 0; t < expected.size(); ++t) {
    CAPTURE(t);
    const auto want = testing::list(values[expected[t].id()]),
               have = testing::list(values[found[t].id()]);
    REQUIRE(have.size() == want.size());
    double size = 1;
    for (const real x : want) size = std::max(size, std::abs(static_cast<double>(x)));
    for (std::size_t i = 0; i < want.size(); ++i)
      CHECK(std::abs(have[i] - want[i]) < (sizeof(real) == 8 ? 1e-13 : 1e-5) * size);
  }
}

}  // namespace

TEST_CASE("a network of hinges by segments is that of its units, with its gradients") {
  for (const std::size_t units : {1UL, 2UL, 7UL, 31UL, 32UL, 33UL}) {
    for (const std::size_t results : {1UL, 4UL}) check_equal(301, units, results);
  }
}

}  // namespace attend::hinges_test
