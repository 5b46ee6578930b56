// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "fused/fuse.h"
#include "fused/patterns.h"
#include "fused/softmax_attention.h"
#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/cost.h"
#include "tests/fused/drawn_pairs.h"
#include "tests/ops/run.h"

namespace attend::pattern_test {
namespace {

using Part = Intent::Part;

// What the cores sparse-strided and sparse-fixed record and state.
struct Masks {
  Graph& graph;
  std::size_t m, n;
  Var row = iota(graph, m, 2), key = iota(graph, n);
  Var past = stated(greater(row + 1, key), causal_intent());

  [[nodiscard]] Var near(double l) const {
    const Var gap = row - key;
    return greater(scalar(gap, l + .5), gap);
  }
  [[nodiscard]] Var every(double l) const {
    const Var gap = row - key;
    return equal(gap, floor(gap / l) * l);
  }
  [[nodiscard]] Var own(double l) const { return equal(floor(key / l), floor(row / l)); }
  [[nodiscard]] Var last(double l, double c) const {
    const Var place = key - floor(key / l) * l;
    return greater(place + 0 * row, scalar(place, l - c - .5));
  }
  [[nodiscard]] Var strided(double l, Part part = Part::both) const {
    const Var seen = part == Part::first    ? near(l)
                     : part == Part::second ? every(l)
                                            : maximum(near(l), every(l));
    return stated(seen, strided_intent(l, part));
  }
  [[nodiscard]] Var fixed(double l, double c, Part part = Part::both) const {
    const Var seen = part == Part::first    ? own(l)
                     : part == Part::second ? last(l, c)
                                            : maximum(own(l), last(l, c));
    return stated(seen, fixed_intent(l, c, part));
  }
};

void check_pattern(Var mask) {
  const MaybeIntent pattern = mask_intent(mask.graph(), mask.id());
  REQUIRE(pattern);
  CHECK(pattern->kind != Intent::band);
  CHECK(fused::has_kernel(*pattern));
  CHECK(testing::drawn_pairs(*pattern, mask.extent(-2), mask.extent(-1)) ==
        testing::value(mask, {}));
}

TEST_CASE("the patterns of the sparse cores have the pairs of their formulas") {
  Graph graph;
  for (const std::size_t n : {1UL, 9UL, 30UL}) {
    const Masks all{graph, 23, n};
    for (const double l : {1., 2., 5., 40.}) {
      CAPTURE(n);
      CAPTURE(l);
      check_pattern(all.strided(l) * all.past);
      check_pattern(all.past * all.strided(l) * all.past * all.strided(l));
      check_pattern(all.strided(l, Part::second) * all.past);
      for (const double c : {1., 2., 40.}) {
        check_pattern(all.fixed(l, c) * all.past);
        check_pattern(all.fixed(l, c, Part::second) * all.past);
      }
    }
  }
}

TEST_CASE("blocks with a memory, and a window with summaries, have the pairs of their formulas") {
  Graph graph;
  for (const std::size_t n : {1UL, 9UL, 30UL}) {
    const Masks all{graph, 23, n};
    for (const double l : {1., 4., 40.}) {
      for (const double memory : {0., 3., 40.}) {
        const Var start = floor(all.row / l) * l - memory;
        check_pattern(stated(greater(all.key, start - 1), recent_intent(l, memory)) * all.past);
      }
      const Var gap = absolute(all.row - all.key);
      check_pattern(stated(concat({greater(scalar(gap, l + 1), gap), ones(graph, {23, 3})}, -1),
                           summarised_intent(l, 3)));
    }
  }
}

TEST_CASE("BigBird's pattern leaves its drawn keys as an operand") {
  for (const std::size_t n : {5UL, 90UL}) {
    for (const double b : {1., 3.}) {
      for (const double g : {0., 2.}) {
        for (const bool causal : {false, true}) {
          Graph graph;
          testing::Data data;
          const Masks all{graph, 80, n};
          std::vector<real> list(80 * n);
          for (std::size_t i = 0; i < list.size(); ++i) list[i] = i * i % 37 == 3 ? 1 : 0;
          const Var drawn = testing::leaf(graph, data, {80, n}, list);
          const Var i = floor(all.row / b), j = floor(all.key / b), gap = absolute(i - j);
          const Var first = scalar(gap, g - .5);
          Var mask = maximum(maximum(greater(scalar(gap, 1.5), gap),
                                     maximum(greater(first, i), greater(first, j))),
                             drawn);
          mask = stated(mask, bigbird_intent(b, 1, g), {drawn});
          if (causal) mask = mask * all.past;
          const MaybeIntent pattern = mask_intent(graph, mask.id());
          REQUIRE(pattern);
          CHECK(fused::has_kernel(*pattern));
          CHECK(pattern->operands == std::vector{drawn.id()});
          CHECK(testing::drawn_pairs(*pattern, 80, n, list.data(), n) ==
                testing::value(mask, data));
        }
      }
    }
  }
}

TEST_CASE("BigBird's pattern leaves the keys that are listed for each row, and none beside them") {
  constexpr std::size_t n = 90, listed = 3;
  for (const double g : {0., 2.}) {
    for (const bool causal : {false, true}) {
      Graph graph;
      testing::Data data;
      const Masks all{graph, n, n};
      std::vector<real> keys(n * listed);
      for (std::size_t t = 0; t < keys.size(); ++t) keys[t] = static_cast<real>(t * t % 37 + t % 2);
      const Var R = testing::leaf(graph, data, {n, listed}, keys);
      const Var gap = absolute(all.row - all.key), first = scalar(gap, g - .5);
      const Var near = maximum(greater(scalar(gap, 1.5), gap),
                               maximum(greater(first, all.row), greater(first, all.key)));
      const Var drawn = greater(put(0 * R + 1, R, n), scalar(R, 0));
      for (const bool with_list : {true, false}) {
        Var mask = with_list
                       ? stated(maximum(near, drawn), bigbird_intent(1, 1, g, Part::second), {R})
                       : stated(near + 0, bigbird_intent(1, 1, g, Part::first));
        if (causal) mask = mask * all.past;
        const MaybeIntent pattern = mask_intent(graph, mask.id());
        REQUIRE(pattern);
        CHECK(fused::has_kernel(*pattern));
        CHECK(testing::drawn_pairs(*pattern, n, n, keys.data(), with_list ? listed : 0) ==
              testing::value(mask, data));
      }
    }
  }
}

TEST_CASE("what a pattern leaves without its order of time, or cut otherwise, has no kernel") {
  Graph graph;
  const Masks all{graph, 7, 9};
  const Var window = stated(all.near(3), band_intent(3, HUGE_VAL));
  const Var blocks = stated(all.own(3), blocks_intent(3));
  for (const Var mask :
       {all.strided(3), all.fixed(3, 1), all.strided(3) * window * all.past,
        all.fixed(3, 1) * blocks * all.past,
        all.strided(3) * stated(greater(all.row, all.key), band_intent(HUGE_VAL, -1)),
        all.strided(3) * all.strided(2) * all.past, all.strided(2.5) * all.past}) {
    const MaybeIntent intent = mask_intent(graph, mask.id());
    CHECK((!intent || !fused::has_kernel(*intent)));
  }
}

// The context and its gradients by the graph, or fused.
std::vector<std::vector<real>> values(bool fuse, bool shared,
                                      const std::function<Var(const Masks&)>& mask,
                                      std::size_t* found = nullptr) {
  Graph graph;
  testing::Data data;
  sweep::Numbers numbers(3);
  std::vector<Var> learned;
  for (const Shape& shape :
       {Shape{2, 70, 4}, Shape{shared ? 1UL : 2UL, 70, 4}, Shape{shared ? 1UL : 2UL, 70, 3}})
    learned.push_back(testing::leaf(graph, data, shape, numbers.list(element_count(shape), -2, 2)));
  const Var e = matmul(learned[0], learned[1], false, true) * .5;
  const Var context = matmul(softmax(e, mask(Masks{graph, 70, 70})), learned[2]);
  if (fuse) *found = fused::fuse(graph, {context}, 0);
  for (NodeId id = 0; fuse && id < graph.size(); ++id) {
    if (graph[id].primitive == &fused::softmax_attention)
      CHECK(graph[id].attributes[5] != Intent::band);
  }
  std::vector<Var> wanted = gradients(tanh(context), ones(graph, context.shape()), learned);
  wanted.push_back(context);
  const Values all = testing::run(graph, wanted, data);
  std::vector<std::vector<real>> list;
  for (const Var var : wanted) list.push_back(testing::list(all[var.id()]));
  return list;
}

TEST_CASE("attention over a pattern gives the graph's context and gradients, without its map") {
  constexpr double tolerance = sizeof(real) == 8 ? 1e-11 : 2e-5;
  const std::function<Var(const Masks&)> masks[] = {
      [](const Masks& all) { return all.strided(9) * all.past; },
      [](const Masks& all) { return all.strided(4, Part::second) * all.past; },
      [](const Masks& all) { return all.fixed(8, 2) * all.past; },
      [](const Masks& all) { return all.fixed(8, 3, Part::second) * all.past; }};
  for (const auto& mask : masks) {
    for (const bool shared : {false, true}) {
      std::size_t found = 0;
      const auto expected = values(false, shared, mask), fast = values(true, shared, mask, &found);
      CHECK(found == 1);
      for (std::size_t t = 0; t < expected.size(); ++t) {
        REQUIRE(fast[t].size() == expected[t].size());
        for (std::size_t i = 0; i < expected[t].size(); ++i)
          CHECK(std::abs(fast[t][i] - expected[t][i]) <=
                tolerance * (1 + std::abs(expected[t][i])));
      }
    }
  }
}

// A fused node's cost, and that of the chain of nodes that it stands for.
struct Costs {
  Cost fused, chain;
};

Costs costs_of(const std::function<Var(const Masks&)>& mask, std::size_t n) {
  Graph graph;
  testing::Data data;
  const auto rows = [&](std::size_t width) { return graph.leaf({n, width}, "x"); };
  const Var q = rows(4), k = rows(4), v = rows(3);
  const Var e = matmul(q, k, false, true) * .5;
  const Var weights = mask ? softmax(e, mask(Masks{graph, n, n})) : softmax(e);
  const Var context = matmul(weights, v);
  Costs costs;
  std::vector<bool> needed(graph.size(), false);
  for (const Var var : {e, weights, context}) needed[var.id()] = true;
  needed[e.node().inputs[0]] = true;  // the product of queries and keys
  costs.chain = cost_of(graph, needed);
  CHECK(fused::fuse(graph, {context}, 0) == 1);
  needed.assign(graph.size(), false);
  for (NodeId id = 0; id < graph.size(); ++id)
    needed[id] = graph[id].primitive == &fused::softmax_attention;
  costs.fused = cost_of(graph, needed);
  return costs;
}

TEST_CASE("fused attention costs what its chain does, over the pairs that its pattern has") {
  const std::size_t n = 40;
  const Costs all = costs_of({}, n);
  CHECK(all.fused.multiply_adds == all.chain.multiply_adds);
  CHECK(all.fused.exponentials == n * n);
  CHECK(all.fused.exact);
  const std::function<Var(const Masks&)> masks[] = {
      [](const Masks& m) { return m.past; },
      [](const Masks& m) {
        return stated(greater(scalar(m.row, 3.5), absolute(m.row - m.key)), band_intent(3, 3));
      },
      [](const Masks& m) { return m.fixed(8, 1, Part::first); },
      [](const Masks& m) { return m.fixed(8, 1, Part::first) * m.past; },
      [](const Masks& m) { return m.strided(9) * m.past; },
      [](const Masks& m) { return m.strided(4, Part::second) * m.past; },
      [](const Masks& m) { return m.fixed(8, 2) * m.past; },
      [](const Masks& m) { return m.fixed(8, 3, Part::second) * m.past; },
      [](const Masks& m) {
        return stated(greater(m.key, floor(m.row / 8) * 8 - 3. - 1), recent_intent(8, 3)) * m.past;
      }};
  for (std::size_t t = 0; t < std::size(masks); ++t) {
    CAPTURE(t);
    Graph graph;
    std::uint64_t pairs = 0;
    for (const real x : testing::value(masks[t](Masks{graph, n, n}), {})) pairs += x != 0 ? 1 : 0;
    const Costs found = costs_of(masks[t], n);
    CHECK(found.fused.exact);
    CHECK(found.fused.exponentials == pairs);
    CHECK(found.fused.multiply_adds * n * n == all.fused.multiply_adds * pairs);
    CHECK(found.fused.bytes == all.fused.bytes);
    CHECK(pairs < n * n);
  }
}

}  // namespace
}  // namespace attend::pattern_test
