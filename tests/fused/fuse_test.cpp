// SPDX-License-Identifier: Apache-2.0
#include "fused/fuse.h"

#include <cmath>
#include <limits>

#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/intent.h"
#include "tests/ops/run.h"

namespace attend::fuse_test {
namespace {

using testing::Data;

constexpr double tolerance = sizeof(real) == 8 ? 1e-11 : 2e-5;
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

struct Case {
  Shape q{5, 4}, k{7, 4}, v{7, 3};
  Shape bias = {}, mask = {};
  bool causal = false;
  bool named = true;
  bool minus = false;      // the bias is subtracted
  bool gaps = false;       // the bias is stated to be a table of gaps, of shape `bias`
  bool regrouped = false;  // bias and softmax count all heads in one axis
};

// One attention as the pipeline records it, and the gradients of all that is learned.
struct Chain {
  Graph graph;
  Data data;
  std::vector<Var> learned;
  Var scores, weights, context;

  explicit Chain(const Case& c) {
    sweep::Numbers numbers(11);
    const auto leaf = [&](const Shape& shape) {
      const auto values = numbers.list(element_count(shape), -2, 2);
      learned.push_back(testing::leaf(graph, data, shape, values));
      return learned.back();
    };
    const Var q = leaf(c.q), k = leaf(c.k), v = leaf(c.v);
    scores = matmul(q, k, false, true) * .5;
    const Shape grouped = scores.shape(), heads{2 * 3, grouped.end()[-2], grouped.back()};
    if (c.regrouped) scores = reshape(scores, heads);
    if (!c.bias.empty()) {
      const Var bias = c.gaps ? by_gaps(leaf(c.bias)) : leaf(c.bias);
      scores = c.minus ? scores - bias : scores + bias;
    }
    if (c.named) scores = let("E", scores);
    Var mask;
    if (c.causal)
      mask = stated(greater(iota(graph, c.q.end()[-2], 2) + 1, iota(graph, c.k.end()[-2])),
                    causal_intent());
    if (!c.mask.empty()) {
      auto open = numbers.list(element_count(c.mask), -1, 1);
      for (real& x : open) x = x > 0 ? 1 : 0;
      mask = testing::leaf(graph, data, c.mask, open);
    }
    weights = softmax(scores, mask);
    if (c.named) weights = let("A", weights);
    if (c.regrouped) weights = reshape(weights, grouped);
    context = let("C", matmul(weights, v));
  }

  // The table [.. 1 m+n-1] at j - i + m - 1.
  Var by_gaps(Var table) {
    const double m = static_cast<double>(scores.extent(-2));
    const Var i = iota(graph, scores.extent(-2), 2), j = iota(graph, scores.extent(-1));
    return stated(take(table, j - i + (m - 1)), gaps_intent(), {table});
  }

  // The context and its gradients, fused from `from` weights on.
  std::vector<std::vector<real>> values(std::size_t from, std::size_t expected) {
    CHECK(fused::fuse(graph, {context}, from) == expected);
    std::vector<Var> wanted = gradients(tanh(context), ones(graph, context.shape()), learned);
    wanted.push_back(context);
    const Values all = testing::run(graph, wanted, data);
    std::vector<std::vector<real>> list;
    for (const Var var : wanted) list.push_back(testing::list(all[var.id()]));
    return list;
  }
};

void check_equal(const Case& c) {
  const auto expected = Chain(c).values(never, 0), found = Chain(c).values(0, 1);
  for (std::size_t t = 0; t < expected.size(); ++t) {
    CAPTURE(t);
    REQUIRE(found[t].size() == expected[t].size());
    for (std::size_t i = 0; i < expected[t].size(); ++i) {
      CAPTURE(i);
      CHECK(std::abs(found[t][i] - expected[t][i]) <= tolerance * (1 + std::abs(expected[t][i])));
    }
  }
}

TEST_CASE("the fused node gives the graph's context and gradients") {
  const Shape q{2, 5, 4}, k{2, 7, 4}, v{2, 7, 3};  // two heads
  check_equal({});
  check_equal({.named = false});
  check_equal({.causal = true});
  check_equal({.mask = {5, 7}});
  check_equal({.mask = {7}});
  check_equal({.bias = {5, 7}});
  check_equal({.bias = {7}, .mask = {1, 7}});
  check_equal({.bias = {5, 7}, .minus = true});
  check_equal({.bias = {1, 11}, .gaps = true});
  check_equal({.q = {37, 4},
               .k = {29, 4},
               .v = {29, 3},
               .bias = {1, 65},
               .causal = true,
               .minus = true,
               .gaps = true});
  check_equal({.q = q, .k = k, .v = v, .bias = {2, 1, 11}, .mask = {5, 7}, .gaps = true});
  check_equal({.q = q, .k = k, .v = v, .bias = {1, 11}, .minus = true, .gaps = true});
  check_equal({.q = q, .k = k, .v = v});
  check_equal({.q = q, .k = k, .v = v, .bias = {2, 5, 7}, .mask = {5, 7}});
  check_equal({.q = q, .k = k, .v = v, .bias = {5, 7}, .causal = true});
  check_equal({.q = q, .k = {1, 7, 4}, .v = {1, 7, 3}, .causal = true});
  const Shape groups{2, 3, 5, 4};  // of three heads that share keys and values
  check_equal({.q = groups, .k = {2, 1, 7, 4}, .v = {2, 1, 7, 3}, .causal = true});
  check_equal({.q = groups, .k = {2, 1, 7, 4}, .v = {2, 3, 7, 3}, .bias = {2, 3, 5, 7}});
  check_equal({.q = groups, .k = {2, 3, 7, 4}, .v = {1, 1, 7, 3}, .mask = {5, 7}});
  const Shape shared_k{2, 1, 7, 4}, shared_v{2, 1, 7, 3};
  check_equal({.q = groups,
               .k = shared_k,
               .v = shared_v,
               .bias = {6, 5, 7},
               .causal = true,
               .regrouped = true});
  check_equal({.q = groups,
               .k = shared_k,
               .v = shared_v,
               .bias = {6, 1, 7},
               .mask = {6, 5, 7},
               .regrouped = true});
}

TEST_CASE("a bias that reads more than its table is no table of gaps") {
  for (const bool changed : {false, true}) {
    CAPTURE(changed);
    Graph graph;
    Data data;
    const auto leaf = [&](const Shape& shape) {
      return testing::leaf(graph, data, shape, std::vector<real>(element_count(shape), real(.5)));
    };
    const Var table = leaf({1, 11}), other = leaf({5, 7}), v = leaf({7, 3});
    const Var gaps = iota(graph, 7) - iota(graph, 5, 2) + 4.;
    Var bias = take(table, gaps);
    if (changed) bias = bias * other;
    const Var scores = matmul(leaf({5, 4}), leaf({7, 4}), false, true);
    const Var context = matmul(softmax(scores + stated(bias, gaps_intent(), {table})), v);
    CHECK(fused::fuse(graph, {context}, 0) == 1);
    CHECK(plan(graph, {context}).needed[table.id()]);
    CHECK(plan(graph, {context}).needed[other.id()] == changed);
    CHECK(plan(graph, {context}).needed[gaps.id()] == changed);
  }
}

TEST_CASE("keys that heads share in another order than the heads have are not fused") {
  Chain chain({.q = {2, 3, 5, 4}, .k = {1, 3, 7, 4}, .v = {1, 3, 7, 3}});
  CHECK(fused::fuse(chain.graph, {chain.context}) == 0);
}

TEST_CASE("weights that meet the values in other groups of heads are not fused") {
  Graph graph;
  Data data;
  const auto leaf = [&](const Shape& shape) {
    return testing::leaf(graph, data, shape, std::vector<real>(element_count(shape), real(.5)));
  };
  const Var v = leaf({6, 7, 3});
  const Var scores = matmul(leaf({2, 3, 5, 4}), leaf({2, 3, 7, 4}), false, true);
  const Var context = matmul(reshape(softmax(scores), {6, 5, 7}), v);
  CHECK(fused::fuse(graph, {context}, 0) == 0);
  CHECK(testing::run(graph, {context}, data)[context.id()].size() == 6 * 5 * 3);
}

TEST_CASE("nothing is fused where somebody asks for the scores or weights, or the size is small") {
  const auto count = [](auto wanted, std::size_t from) {
    Chain chain(Case{});
    return fused::fuse(chain.graph, wanted(chain), from);
  };
  using Vars = std::vector<Var>;
  CHECK(count([](Chain& c) { return Vars{c.context}; }, 35) == 1);
  CHECK(count([](Chain& c) { return Vars{c.context}; }, 36) == 0);
  CHECK(count([](Chain& c) { return Vars{c.context, c.weights}; }, 0) == 0);
  CHECK(count([](Chain& c) { return Vars{c.context, c.scores}; }, 0) == 0);
  CHECK(count([](Chain& c) { return Vars{sum(c.weights, -1) * sum(c.context, -1)}; }, 0) == 0);
  CHECK(count([](Chain& c) { return Vars{c.weights}; }, 0) == 0);
}

TEST_CASE("a fused run holds no map of weights") {
  Chain chain({.q = {300, 4}, .k = {400, 4}, .v = {400, 3}, .causal = true});
  const std::uint64_t before = plan(chain.graph, {chain.context}).peak_bytes;
  CHECK(fused::fuse(chain.graph, {chain.context}) == 1);
  const std::uint64_t after = plan(chain.graph, {chain.context}).peak_bytes;
  CHECK(before > 300 * 400 * sizeof(real));
  CHECK(after < 300 * 400 * sizeof(real) / 10);
}

}  // namespace
}  // namespace attend::fuse_test
