// SPDX-License-Identifier: Apache-2.0
#include "ops/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/backward.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/error.h"
#include "tests/ops/counted_memory.h"
#include "tests/ops/run.h"

namespace attend::evaluate_test {
namespace {

using testing::Data;

// A graph with branches, a value read late, one never read, and one wanted.
struct Example {
  Graph graph;
  Data data;
  std::vector<Var> wanted;

  Example() {
    sweep::Numbers numbers(3);
    const Var x = testing::leaf(graph, data, {40, 50}, numbers.list(2000, -1, 1));
    const Var y = testing::leaf(graph, data, {50, 30}, numbers.list(1500, -1, 1));
    const Var unused = testing::leaf(graph, data, {1000}, numbers.list(1000, -1, 1));
    (void)exp(unused);
    const Var product = matmul(x, y), weights = softmax(product);
    const Var back = matmul(weights, y, false, true);
    wanted = {back + tanh(x), weights};
    for (const Var& g : gradients(wanted[0], ones(graph, wanted[0].shape()), {x, y}))
      wanted.push_back(g);
  }
};

// The most bytes alive at once, from what "alive" means, by asking every pair of nodes. Leaves, and what stays, are
// there all the time.
std::size_t peak_by_definition(const Graph& graph, const std::vector<Var>& wanted) {
  const auto reads = [&](NodeId user, NodeId of) {
    const auto& inputs = graph[user].inputs;
    return std::find(inputs.begin(), inputs.end(), of) != inputs.end();
  };
  std::vector<bool> needed(graph.size(), false), kept(graph.size(), false);
  for (const Var& v : wanted) needed[v.id()] = kept[v.id()] = true;
  for (NodeId id = static_cast<NodeId>(graph.size()); id-- > 0;) {
    for (NodeId user = id + 1; user < graph.size(); ++user) {
      if (needed[user] && reads(user, id)) needed[id] = true;
    }
  }
  std::size_t most = 0;
  for (NodeId now = 0; now < graph.size(); ++now) {
    if (!needed[now]) continue;
    std::size_t held = 0;
    for (NodeId id = 0; id < graph.size(); ++id) {
      bool alive = needed[id] && (graph[id].leaf || kept[id] || id == now);
      for (NodeId user = now; user < graph.size(); ++user)
        alive = alive || (id <= now && needed[id] && needed[user] && reads(user, id));
      if (alive) held += element_count(graph[id].shape) * sizeof(real);
    }
    most = std::max(most, held);
  }
  return most;
}

TEST_CASE("the plan foretells the most memory ever held") {
  Example e;
  const Plan p = plan(e.graph, e.wanted);
  CHECK(p.peak_bytes == peak_by_definition(e.graph, e.wanted));
  CHECK(p.numbers * sizeof(real) >= p.peak_bytes);
  std::size_t all = 0;
  for (NodeId id = 0; id < e.graph.size(); ++id)
    all += element_count(e.graph[id].shape) * sizeof(real);
  CHECK(p.numbers * sizeof(real) < all);
}

TEST_CASE("axes in another order take no memory where only axes of extent 1 move") {
  Graph graph;
  const Var x = graph.leaf({4, 1, 3}, "x");
  const Var moved = permute(x, {1, 0, 2}), turned = permute(x, {2, 1, 0});
  const Plan p = plan(graph, {exp(moved), exp(turned)});
  CHECK(p.home[moved.id()] == x.id());
  CHECK(p.home[turned.id()] == turned.id());
}

TEST_CASE("evaluation takes the memory that the plan says, and no more") {
  Example e;
  const Plan p = plan(e.graph, e.wanted);
  testing::restart_memory_peak();
  const std::size_t before = testing::memory_held(),
                    planned = static_cast<std::size_t>(p.numbers) * sizeof(real);
  const Values values = evaluate(e.graph, e.wanted, [&](NodeId id) { return e.data.at(id); });
  if (testing::memory_peak() == 0) return;  // the address sanitizer's build does not count
  const std::size_t most = testing::memory_peak() - before;
  CHECK(most >= planned);
  CHECK(most < planned + planned / 5);  // the steps, and one operation's scratch
}

TEST_CASE("operands are broadcast along short and long axes, in every order") {
  const std::vector<std::array<Shape, 2>> pairs{{{{5, 1, 7}, {1, 300, 7}}},
                                                {{{5, 300, 1}, {7}}},
                                                {{{2, 90, 1, 8}, {2, 1, 90, 8}}},
                                                {{{90, 31}, {31}}},
                                                {{{1, 31}, {90, 1}}},
                                                {{{90, 3}, {90, 1}}},
                                                {{{3, 1, 5}, {200, 1}}},
                                                {{{40, 1, 2}, {1, 40, 1}}},
                                                {{{600, 1, 3}, {600, 2, 3}}},
                                                {{{4, 3, 8, 16}, {3, 1, 16}}},
                                                {{{1, 16}, {5, 9, 16}}},
                                                {{{11, 4, 8, 16}, {4, 1, 16}}},
                                                {{{1, 64}, {3, 7, 64}}},
                                                {{{5, 3, 2, 40}, {3, 1, 1}}},
                                                {{{2, 1, 1, 8}, {2, 3, 90, 8}}},
                                                {{{32, 1, 8}, {32, 1, 1}}}};
  sweep::Numbers numbers(5);
  for (const auto& [a, b] : pairs) {
    CAPTURE(to_text(a) + to_text(b));
    Graph graph;
    Data data;
    const Var x = testing::leaf(graph, data, a, numbers.list(element_count(a), -1, 1));
    const Var y = testing::leaf(graph, data, b, numbers.list(element_count(b), -1, 1));
    const std::vector<Var> wanted{x - y, where(greater(x, y), x, y), equal(x, floor(y))};
    const Values values = evaluate(graph, wanted, [&](NodeId id) { return data.at(id); });
    const Shape& out = wanted[0].shape();
    for (std::size_t at = 0; at < element_count(out); ++at) {
      const real first = data.at(x.id())[broadcast_position(at, a, out)],
                 second = data.at(y.id())[broadcast_position(at, b, out)];
      REQUIRE(values[wanted[0].id()][at] == first - second);
      REQUIRE(values[wanted[1].id()][at] == std::max(first, second));
      REQUIRE(values[wanted[2].id()][at] == (first == std::floor(second) ? 1 : 0));
    }
  }
}

TEST_CASE("axes change their order with runs of every length") {
  sweep::Numbers numbers(6);
  for (std::size_t run = 1; run <= 70; ++run) {
    CAPTURE(run);
    Graph graph;
    Data data;
    const Var x = testing::leaf(graph, data, {3, 2, run}, numbers.list(6 * run, -1, 1));
    const std::vector<Var> wanted{permute(x, {1, 0, 2})};
    const Values values = evaluate(graph, wanted, [&](NodeId id) { return data.at(id); });
    for (std::size_t at = 0; at < 6 * run; ++at) {
      const std::size_t row = at / run;
      REQUIRE(values[wanted[0].id()][at] ==
              data.at(x.id())[(row % 3 * 2 + row / 3) * run + at % run]);
    }
  }
}

TEST_CASE("only what is wanted is kept, and nothing else is computed") {
  Example e;
  std::vector<NodeId> asked;
  const Values values = evaluate(e.graph, e.wanted, [&](NodeId id) {
    asked.push_back(id);
    return e.data.at(id);
  });
  CHECK(asked == std::vector<NodeId>{0, 1});
  for (NodeId id = 0; id < e.graph.size(); ++id) {
    const bool kept = asked.size() > id || std::any_of(e.wanted.begin(), e.wanted.end(),
                                                       [&](const Var& v) { return v.id() == id; });
    CHECK(values[id].size() == (kept ? element_count(e.graph[id].shape) : 0));
  }
}

TEST_CASE("a graph or a tensor beyond the limits is refused before anything is computed") {
  Graph graph;
  const Var wide = graph.leaf({1, max_elements}, "x");
  CHECK_THROWS_AS(wide + reshape(wide, {max_elements, 1}), Error);
  CHECK_THROWS_AS(graph.leaf({max_recorded + 1}, "x"), Error);
  Var x = graph.leaf({}, "x");
  while (graph.size() < Graph::max_nodes) x = -x;
  CHECK_THROWS_AS(-x, Error);
  CHECK(graph.size() == Graph::max_nodes);
}

TEST_CASE("operands that do not fit are refused with their shapes") {
  Graph graph;
  const Var a = graph.leaf({3, 4}, "a"), b = graph.leaf({5, 4}, "b");
  CHECK_THROWS_WITH_AS(a + b, doctest::Contains("[3 4]"), Error);
  CHECK_THROWS_WITH_AS(matmul(a, b), doctest::Contains("[5 4]"), Error);
  CHECK_THROWS_AS(matmul(a, sum(b, 0)), Error);
  CHECK_THROWS_AS(reshape(a, {5}), Error);
  CHECK_THROWS_AS(slice(a, -1, 2, 5), Error);
  CHECK_THROWS_AS(concat({a, b}, -1), Error);
  CHECK_THROWS_AS(softmax(a, b), Error);
  CHECK_THROWS_AS(broadcast_to(a, {4}), Error);
  CHECK_THROWS_AS(inverse(a), Error);
  CHECK_THROWS_AS(sum(a, 2), Error);
  CHECK_THROWS_AS(activation("no-such", a), Error);
}

TEST_CASE("values that an operation cannot take are errors, not wrong numbers") {
  Graph graph;
  Data data;
  const Var x = testing::leaf(graph, data, {2, 2}, {1, 2, 2, 4});
  CHECK_THROWS_WITH_AS(testing::value(inverse(x), data), doctest::Contains("singular"), Error);
  CHECK_THROWS_WITH_AS(testing::value(take(x, x), data), doctest::Contains("is 2, outside 0 to 1"),
                       Error);
}

TEST_CASE("naming keeps an earlier name: the second goes to an alias") {
  Graph graph;
  const Var x = graph.leaf({2}, "x"), y = let("y", exp(x)), z = let("z", y);
  CHECK(y.id() != z.id());
  CHECK(y.node().name == "y");
  CHECK(z.node().name == "z");
}

}  // namespace
}  // namespace attend::evaluate_test
