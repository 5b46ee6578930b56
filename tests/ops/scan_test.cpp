// SPDX-License-Identifier: Apache-2.0
// A scan against the same steps recorded one after the other.
#include "ops/scan.h"

#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/explain.h"
#include "ops/formula.h"
#include "tests/ops/run.h"

namespace attend::scan_test {
namespace {

using testing::Data;

#ifdef ATTEND_DOUBLE
constexpr double tolerance = 1e-11;
#else
constexpr double tolerance = 2e-4;
#endif

void check_same(const std::vector<real>& a, const std::vector<real>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <=
          tolerance * (1 + std::abs(static_cast<double>(b[i]))));
  }
}

Var total(Var x) {
  while (x.rank() > 0) x = sum(x, 0);
  return x;
}

// A recurrence of two states, one of them swapped with the other now and then, with an invariant
// product that may be hoisted, and an output that is not a state.
struct Recurrence {
  Graph graph;
  Data data;
  Var h0, c0, x, W, U;
  std::size_t count;

  explicit Recurrence(std::size_t steps) : count(steps) {
    sweep::Numbers numbers(31);
    const auto make = [&](const Shape& shape, const char* name) {
      return testing::leaf(graph, data, shape, numbers.list(element_count(shape), -1, 1), name);
    };
    h0 = make({1, 3}, "h_0");
    c0 = make({1, 3}, "c_0");
    x = make({steps, 1, 2}, "x");
    W = make({2, 3}, "W");
    U = make({3, 3}, "U");
  }

  ScanStep step(const std::vector<Var>& state, const std::vector<Var>& row) const {
    const Var gain = sigmoid(matmul(U, transpose(U)));  // does not depend on the step
    const Var h = let("h'", tanh(matmul(row[0], W) + matmul(state[0], matmul(U, gain))));
    const Var c = let("c'", state[1] * sigmoid(h) + 0.5 * state[0]);
    const Var y = let("y", softmax(h * c));
    return {{c, h}, {y}};
  }

  // y [T 1 3] and the last two states, by a scan or step after step.
  std::vector<Var> scanned(bool backwards = false) {
    const Scanned s = scan(
        graph, count, {{"h", h0}, {"c", c0}}, {{"x_t", x}},
        [&](const auto& state, const auto& row) { return step(state, row); }, backwards);
    return {s.outputs[0], s.last[0], s.last[1], s.states[0]};
  }
  std::vector<Var> unrolled(bool backwards = false) {
    std::vector<Var> state{h0, c0}, ys(count), firsts(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t t = backwards ? count - 1 - i : i;
      const ScanStep made = step(state, {squeeze(slice(x, 0, t, t + 1), 0)});
      state = made.states;
      ys[t] = expand(made.outputs[0], 0);
      firsts[t] = expand(state[0], 0);
    }
    return {concat(ys, 0), state[0], state[1], concat(firsts, 0)};
  }
};

// One number that reads every result.
Var reading(const std::vector<Var>& results) {
  Var sum = total(results[0] * results[0]);
  for (std::size_t k = 1; k < results.size(); ++k)
    sum = sum + static_cast<double>(k) * total(results[k] * sin(results[k]));
  return sum;
}

TEST_CASE("a scan computes what its steps do one after the other, forwards and backwards") {
  for (const std::size_t steps : {1, 2, 7}) {
    for (const bool backwards : {false, true}) {
      CAPTURE(steps);
      CAPTURE(backwards);
      Recurrence r(steps);
      const auto a = r.scanned(backwards), b = r.unrolled(backwards);
      for (std::size_t k = 0; k < a.size(); ++k) {
        CAPTURE(k);
        CHECK(a[k].shape() == b[k].shape());
        check_same(testing::value(a[k], r.data), testing::value(b[k], r.data));
      }
    }
  }
}

// Reshaped, sliced and permuted tensors read the memory of what they are made of, which others must leave alone.
ScanStep step_of_views(const std::vector<Var>& state, const std::vector<Var>& row) {
  const Var a = tanh(state[0]);                               // [2 3]
  const Var kept = reshape(a, {6}), top = slice(a, 0, 0, 1);  // read again when all others are made
  const Var others = exp(1 + 2 * state[0]) * row[0];
  const Var bottom = slice(others, 0, 1, 2);
  const Var turned = permute(expand(others, 0), {1, 0, 2});  // [2 1 3]
  return {{reshape(kept, {2, 3}) - 0.1 * others, reshape(reshape(state[0], {6}), {3, 2})},
          {kept, top, reshape(bottom, {3}), turned, reshape(state[1], {2, 3})}};
}

TEST_CASE("a step whose tensors lie in each other's memory gives what its operations say") {
  constexpr std::size_t count = 4;
  Graph graph;
  Data data;
  sweep::Numbers numbers(7);
  const auto make = [&](const Shape& shape, const char* name) {
    return testing::leaf(graph, data, shape, numbers.list(element_count(shape), -1, 1), name);
  };
  const Var s = make({2, 3}, "s"), r = make({3, 2}, "r"), x = make({count, 2, 3}, "x");
  std::vector<Var> state{s, r}, expected;
  std::vector<std::vector<Var>> each(5);
  for (std::size_t t = 0; t < count; ++t) {
    const ScanStep made = step_of_views(state, {squeeze(slice(x, 0, t, t + 1), 0)});
    state = made.states;
    for (std::size_t k = 0; k < each.size(); ++k) each[k].push_back(expand(made.outputs[k], 0));
  }
  for (const auto& rows : each) expected.push_back(concat(rows, 0));
  for (const bool keeps : {true, false}) {
    ScanRecorder steps(graph, count);
    const std::vector<Var> before{steps.state({"s", s}), steps.state({"r", r})};
    const ScanStep made = step_of_views(before, {steps.row({"x", x})});
    for (std::size_t k = 0; k < before.size(); ++k) steps.next(before[k], made.states[k]);
    for (const Var output : made.outputs) steps.output(output);
    const Scanned all = keeps ? steps.finish() : steps.finish_quietly();
    std::vector<Var> found = all.outputs, right = expected;
    found.insert(found.end(), all.last.begin(), all.last.end());
    right.insert(right.end(), state.begin(), state.end());
    const Var sum_found = reading(found), sum_right = reading(right);
    const std::vector<Var> by{s, r, x};
    for (const Var slope : gradients(sum_found, scalar(sum_found, 1), by)) found.push_back(slope);
    for (const Var slope : gradients(sum_right, scalar(sum_right, 1), by)) right.push_back(slope);
    for (std::size_t k = 0; k < found.size(); ++k) {
      CAPTURE(k);
      CHECK(found[k].shape() == right[k].shape());
      check_same(testing::value(found[k], data), testing::value(right[k], data));
    }
  }
}

TEST_CASE("the gradients of a scan, and theirs, are those of the steps one after the other") {
  for (const bool backwards : {false, true}) {
    CAPTURE(backwards);
    Recurrence r(4);
    const std::vector<Var> by{r.h0, r.c0, r.x, r.W, r.U};
    const Var a = reading(r.scanned(backwards)), b = reading(r.unrolled(backwards));
    const auto first = gradients(a, scalar(a, 1), by), other = gradients(b, scalar(b, 1), by);
    Var sum_a = scalar(a, 0), sum_b = scalar(b, 0);
    for (std::size_t k = 0; k < by.size(); ++k) {
      CAPTURE(k);
      check_same(testing::value(first[k], r.data), testing::value(other[k], r.data));
      sum_a = sum_a + total(first[k] * first[k]);
      sum_b = sum_b + total(other[k] * other[k]);
    }
    const auto second = gradients(sum_a, scalar(a, 1), by);
    const auto expected = gradients(sum_b, scalar(b, 1), by);
    for (std::size_t k = 0; k < by.size(); ++k) {
      CAPTURE(k);
      check_same(testing::value(second[k], r.data), testing::value(expected[k], r.data));
    }
  }
}

TEST_CASE("a scan's nodes do not grow with its rows, and what does not change is outside") {
  Recurrence few(2), many(50);
  few.scanned();
  many.scanned();
  CHECK(few.graph.size() == many.graph.size());
  const auto named = [](const Graph& graph, std::string_view name) {
    std::vector<Shape> shapes;
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (graph[id].name == name) shapes.push_back(graph[id].shape);
    }
    return shapes;
  };
  // One tensor a named step, with the axis of time in front; nothing is left of the recording.
  for (const char* name : {"h'", "c'", "y"})
    CHECK(named(many.graph, name) == std::vector<Shape>{{50, 1, 3}});
  for (NodeId id = 0; id < many.graph.size(); ++id) {
    if (many.graph[id].primitive == nullptr) CHECK(many.data.contains(id));
  }
  const Node& first = many.graph[static_cast<NodeId>(many.data.size())];
  CHECK(first.primitive->name == "permute");  // U^T, recorded once
}

TEST_CASE("the steps of a scan that are no results are computed too") {
  Graph graph;
  Data data;
  const Var x = testing::leaf(graph, data, {3, 2}, {1, 2, 3, 4, 5, 6});
  const Var s0 = testing::leaf(graph, data, {2}, {10, 20}, "s");
  const Scanned s =
      scan(graph, 3, {{"s", s0}}, {{"x_t", x}}, [](const auto& state, const auto& row) {
        const Var twice = let("twice", 2 * row[0]);
        const Var seen = let("seen", state[0] + 1);
        return ScanStep{{state[0] + twice + 0 * seen}, {}};
      });
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (graph[id].name == "twice")
      CHECK(testing::value(graph.var(id), data) == std::vector<real>{2, 4, 6, 8, 10, 12});
    if (graph[id].name == "seen")
      CHECK(testing::value(graph.var(id), data) == std::vector<real>{11, 21, 13, 25, 19, 33});
  }
  CHECK(testing::value(s.last[0], data) == std::vector<real>{28, 44});
}

TEST_CASE("without rows a scan gives nothing, and its state stays") {
  Recurrence r(0);
  const auto results = r.scanned();
  CHECK(results[0].shape() == Shape{0, 1, 3});
  CHECK(testing::value(results[0], r.data).empty());
  check_same(testing::value(results[1], r.data), r.data.at(r.h0.id()));
  const Var sum = total(results[1]);
  const auto slope = gradients(sum, scalar(sum, 1), {r.h0, r.U});
  CHECK(testing::value(slope[0], r.data) == std::vector<real>{1, 1, 1});
  for (const real x : testing::value(slope[1], r.data)) CHECK(x == 0);
}

// s <- s + sum over the inner rows of tanh(a s + x_tu): a scan in the step of a scan.
Var nested(Graph& graph, Var s0, Var a, Var x) {
  return scan(graph, x.extent(0), {{"s", s0}}, {{"x", x}},
              [&](const auto& outer, const auto& rows) {
                const Scanned inner =
                    scan(graph, x.extent(1), {{"r", zeros(graph, {})}}, {{"z", rows[0]}},
                         [&](const auto& state, const auto& z) {
                           return ScanStep{{let("r'", state[0] + tanh(a * outer[0] + z[0]))}, {}};
                         });
                return ScanStep{{outer[0] + inner.last[0]}, {}};
              })
      .last[0];
}

TEST_CASE("a scan may stand in the step of a scan") {
  Graph graph;
  Data data;
  sweep::Numbers numbers(8);
  const Var x = testing::leaf(graph, data, {3, 2}, numbers.list(6, -1, 1));
  const Var s0 = testing::leaf(graph, data, {}, {real(0.3)}, "s"),
            a = testing::leaf(graph, data, {}, {real(0.7)}, "a");
  const Var scanned = nested(graph, s0, a, x);
  Var s = s0;
  for (std::size_t t = 0; t < 3; ++t) {
    Var r = scalar(s, 0);
    for (std::size_t u = 0; u < 2; ++u) {
      const Var z = reshape(slice(slice(x, 0, t, t + 1), 1, u, u + 1), {});
      r = r + tanh(a * s + z);
    }
    s = s + r;
  }
  check_same(testing::value(scanned, data), testing::value(s, data));
  const auto slopes = gradients(scanned, scalar(s, 1), {s0, a, x});
  const auto expected = gradients(s, scalar(s, 1), {s0, a, x});
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    CAPTURE(k);
    check_same(testing::value(slopes[k], data), testing::value(expected[k], data));
  }
  const auto second = gradients(slopes[1], scalar(s, 1), {s0, a});
  const auto hand = gradients(expected[1], scalar(s, 1), {s0, a});
  check_same(testing::value(second[0], data), testing::value(hand[0], data));
  check_same(testing::value(second[1], data), testing::value(hand[1], data));
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (graph[id].name == "r'") CHECK(graph[id].shape == Shape{3, 2});
  }
}

TEST_CASE("a cell of a scan is explained by the step that made it") {
  Graph graph;
  Data data;
  const Var x = testing::leaf(graph, data, {3, 2}, {1, 2, 3, 4, 5, 6}, "X");
  const Var s0 = testing::leaf(graph, data, {2}, {10, 20}, "s_0");
  const Var w = testing::leaf(graph, data, {1, 2}, {2, 3}, "w");
  const Scanned s =
      scan(graph, 3, {{"s_{t-1}", s0}}, {{"x_t", x}}, [&](const auto& state, const auto& row) {
        const Var twice = let("d", reshape(w, {2}) * row[0]);
        return ScanStep{{let("s_t", state[0] + twice)}, {}};
      });
  const Var out = let("S", s.states[0]);
  const auto values = testing::run_all(graph, data);
  const auto named = [&](std::string_view name) {
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (graph[id].name == name) return id;
    }
    return NodeId{0};
  };
  const Explanation first = explain(graph, values, out.id(), 1);
  CHECK(first.value == 26);
  CHECK(first.formula == "s_{t-1} + d");
  CHECK(first.numbers == "20 + 6");
  CHECK(first.feeds.size() == 2);
  CHECK(first.feeds[0].node == s0.id());
  CHECK(first.feeds[1].node == named("d"));
  CHECK(first.feeds[1].cells == std::vector<std::size_t>{1});
  const Explanation last = explain(graph, values, out.id(), 5);
  CHECK(last.numbers == "38 + 18");
  CHECK(last.feeds[0].node == named("s_t"));
  CHECK(last.feeds[0].cells == std::vector<std::size_t>{3});
  const Explanation step = explain(graph, values, named("d"), 4);
  CHECK(step.formula == "w \\cdot x_t");
  CHECK(step.numbers == "2 \\cdot 5");
  CHECK(step.feeds[0].node == x.id());
  CHECK(step.feeds[0].cells == std::vector<std::size_t>{4});
  CHECK(formula_of(graph, named("d")) == "w \\cdot x_t");
}

TEST_CASE("what does not fit a scan is an error") {
  Graph graph;
  const Var s = graph.leaf({2}, "s"), x = graph.leaf({4, 2}, "x");
  const auto same = [](const auto& state, const auto&) { return ScanStep{state, {}}; };
  CHECK_THROWS_WITH(scan(graph, 3, {{"s", s}}, {{"x", x}}, same),
                    doctest::Contains("cannot run over rows of shape [4 2]"));
  CHECK_THROWS_WITH(scan(graph, 4, {{"s", s}}, {{"x", x}},
                         [](const auto& state, const auto&) {
                           return ScanStep{{expand(state[0], 0)}, {}};
                         }),
                    doctest::Contains("has the shape [1 2] after a step"));
  Var leaked;
  scan(graph, 4, {{"s", s}}, {{"x", x}}, [&](const auto& state, const auto& row) {
    leaked = state[0] + row[0];
    return ScanStep{{leaked}, {}};
  });
  CHECK_THROWS_WITH(leaked + s, doctest::Contains("read outside"));
}

}  // namespace
}  // namespace attend::scan_test
