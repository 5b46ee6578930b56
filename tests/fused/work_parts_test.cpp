// SPDX-License-Identifier: Apache-2.0
// Long products and attention in parts: the numbers of the whole, and slices that end between two parts.
#include "ops/work_parts.h"

#include <doctest/doctest.h>

#include "fused/softmax_attention.h"
#include "kernels/matmul.h"
#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/plan.h"
#include "ops/scan.h"
#include "ops/workspace.h"
#include "tests/ops/run.h"

namespace attend::work_parts_test {
namespace {

// The numbers of a node, with a stop wherever there may be one.
struct Stopped {
  std::vector<real> numbers;
  std::size_t stops = 0;
};

Stopped in_slices(Var wanted, const testing::Data& data) {
  Workspace work(wanted.graph(), plan(wanted.graph(), {wanted}));
  for (const auto& [leaf, numbers] : data) work.set(leaf, numbers);
  Stopped result;
  while (!work.evaluate_some([] { return true; })) ++result.stops;
  result.numbers = testing::list(work[wanted.id()]);
  return result;
}

Var drawn(Graph& graph, testing::Data& data, const Shape& shape, std::uint64_t seed) {
  sweep::Numbers numbers(seed);
  return testing::leaf(graph, data, shape, numbers.list(element_count(shape), -1, 1));
}

}  // namespace

TEST_CASE("parts have each row of each item once, and none ends with a single row") {
  for (const std::size_t items : {0UL, 1UL, 2UL, 7UL, 1000UL}) {
    for (const std::size_t rows : {0UL, 1UL, 5UL, 144UL, 145UL, 289UL, 433UL, 5000UL}) {
      for (const std::size_t row : {std::size_t{0}, std::size_t{1} << 10U, std::size_t{1} << 20U,
                                    std::size_t{1} << 25U, ~std::size_t{0}}) {
        CAPTURE(items);
        CAPTURE(rows);
        CAPTURE(row);
        const WorkParts parts(items, rows, row, 144);
        std::vector<int> seen(items * rows, 0);
        for (std::size_t k = 0; k < parts.count(); ++k) {
          const WorkPart part = parts[k];
          if (rows > 1) CHECK(part.last_row - part.first_row != 1);
          for (std::size_t item = part.first_item; item < part.last_item; ++item)
            for (std::size_t i = part.first_row; i < part.last_row; ++i) ++seen[item * rows + i];
        }
        CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
      }
    }
  }
}

TEST_CASE("a product in parts is the product at once, bit by bit") {
  for (const bool transposed : {false, true}) {
    for (const std::size_t heads : {1UL, 5UL}) {
      const std::size_t m = heads == 1 ? 865 : 289, n = 620, k = 540;
      Graph graph;
      testing::Data data;
      const Var a = drawn(graph, data, transposed ? Shape{heads, k, m} : Shape{heads, m, k}, 1);
      const Var b = drawn(graph, data, transposed ? Shape{heads, n, k} : Shape{heads, k, n}, 2);
      const Stopped parts = in_slices(matmul(a, b, transposed, transposed), data);
      CHECK(parts.stops >= 1);
      std::vector<real> whole(heads * m * n);
      kernels::matmul_batch({data[a.id()].data(), transposed ? m : k, transposed}, m * k,
                            {data[b.id()].data(), transposed ? k : n, transposed}, k * n,
                            whole.data(), n, m * n, heads, m, n, k);
      CHECK(parts.numbers == whole);
    }
  }
}

TEST_CASE("a scan stops between steps, and its states and those of its gradient go on") {
  constexpr std::size_t count = 12, width = 180;
  for (const bool keeps : {false, true}) {
    CAPTURE(keeps);
    Graph graph;
    testing::Data data;
    const Var x = drawn(graph, data, {count, width, width}, 1),
              w = drawn(graph, data, {width, width}, 2),
              start = drawn(graph, data, {width, width}, 3);
    const auto step = [&](Var state, Var row) {
      return tanh(matmul(matmul(row, w), matmul(state, w)) / 900.0);
    };
    ScanRecorder recorder(graph, count);
    const Var state = recorder.state({"s", start}), row = recorder.row({"x", x});
    const Var next = step(state, row);
    recorder.next(state, next);
    recorder.output(next * row);
    const Scanned scanned = keeps ? recorder.finish() : recorder.finish_quietly();
    Var one = start, sums;
    for (std::size_t t = 0; t < count; ++t) {
      const Var at = reshape(slice(x, 0, t, t + 1), {width, width});
      one = step(one, at);
      sums = sums ? sums + one * at : one * at;
    }
    const Var fast = scanned.last[0] + sum(scanned.outputs[0], 0), slow = one + sums;
    std::size_t stops = 0;
    const auto check = [&](Var a, Var b) {
      const Stopped parts = in_slices(a, data);
      stops = parts.stops;
      const std::vector<real> expected = testing::value(b, data);
      for (std::size_t i = 0; i < expected.size(); ++i)
        REQUIRE(std::abs(parts.numbers[i] - expected[i]) <= 2e-3 * (1 + std::abs(expected[i])));
    };
    check(fast, slow);
    CHECK(stops > 8);
    const auto fast_slopes = gradients(fast, ones(graph, fast.shape()), {w, start});
    const auto slow_slopes = gradients(slow, ones(graph, slow.shape()), {w, start});
    for (const std::size_t k : {0U, 1U}) check(fast_slopes[k], slow_slopes[k]);
  }
}

TEST_CASE("a step of a scan computes all parts of a large product") {
  constexpr std::size_t m = 600, n = 700, width = 400;
  Graph graph;
  testing::Data data;
  const Var x = drawn(graph, data, {1, m, width}, 1), w = drawn(graph, data, {width, n}, 2);
  ScanRecorder recorder(graph, 1);
  recorder.output(matmul(recorder.row({"x", x}), w));
  const Var all = recorder.finish_quietly().outputs[0];
  const std::vector<real> expected = testing::value(matmul(reshape(x, {m, width}), w), data);
  CHECK(testing::value(all, data) == expected);
}

TEST_CASE("attention in parts is attention at once") {
  Graph graph;
  testing::Data data;
  const std::size_t m = 1500, n = 1500, width = 33;
  const Var q = drawn(graph, data, {2, m, width}, 3), k = drawn(graph, data, {2, n, width}, 4),
            v = drawn(graph, data, {2, n, width}, 5);
  fused::Parts parts;
  parts.pairs = Intent{.after = 40};
  const Stopped stopped =
      in_slices(apply(fused::softmax_attention, {q, k, v}, attributes_of(parts)), data);
  CHECK(stopped.stops == 3);
  // The last rows of each head alone, which are too few for parts; their band lies at its end.
  const std::size_t last = 200, first = m - last;
  fused::Parts below = parts;
  below.pairs.after = static_cast<std::ptrdiff_t>(40 + first);
  const Var rows =
      apply(fused::softmax_attention, {slice(q, -2, first, m), k, v}, attributes_of(below));
  const std::vector<real> alone = testing::value(rows, data);
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t i = 0; i < last * (width + 2); ++i)
      CHECK(std::abs(stopped.numbers[(h * m + first) * (width + 2) + i] -
                     alone[h * last * (width + 2) + i]) <= 1e-4);
  }
}

}  // namespace attend::work_parts_test
