// SPDX-License-Identifier: Apache-2.0
#include "ops/workspace.h"

#include <algorithm>
#include <limits>

#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/error.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "tests/each.h"
#include "tests/ops/counted_memory.h"
#include "tests/ops/run.h"

namespace attend::workspace_test {
namespace {

using testing::Data;
using testing::list;

// scores = x w / t, weights of them, and a context: the number t is a leaf that shows as a number.
struct Module {
  Graph graph;
  Data data;
  Var x, t, product, weights, context, slope;

  Module() {
    sweep::Numbers numbers(7);
    x = testing::leaf(graph, data, {4, 3}, numbers.list(12, -1, 1));
    const Var w = testing::leaf(graph, data, {3, 4}, numbers.list(12, -1, 1));
    t = graph.number_leaf({}, .5);
    product = matmul(x, w);
    weights = softmax(reshape(product * t, {4, 4}));
    context = matmul(weights, x);
    slope = gradients(context, ones(graph, context.shape()), {w})[0];
  }

  [[nodiscard]] std::vector<Var> wanted() const { return {weights, context, slope}; }

  void fill(Workspace& work) const {
    for (const auto& [leaf, numbers] : data) work.set(leaf, numbers);
  }
};

void check_as_fresh(const Module& m, const Workspace& work) {
  Workspace fresh(m.graph, plan(m.graph, m.wanted()));
  m.fill(fresh);
  fresh.set(m.t.id(), work[m.t.id()]);
  fresh.evaluate();
  for (const Var v : m.wanted()) CHECK(list(work[v.id()]) == list(fresh[v.id()]));
}

TEST_CASE("what is computed again does not write over what stays") {
  Graph graph;
  Data data;
  sweep::Numbers numbers(9);
  const Var x = testing::leaf(graph, data, {64}, numbers.list(64, -1, 1));
  const Var w = testing::leaf(graph, data, {64}, numbers.list(64, -1, 1));
  const Var early = exp(x), between = sqrt(early);
  const Var stays = tanh(between);      // could lie where `early` was
  const Var asked = between * (w * w);  // after a change of w it needs both again
  Workspace work(graph, plan(graph, {stays, asked}));
  for (const auto& [leaf, given] : data) work.set(leaf, given);
  work.evaluate();
  const std::vector<real> before = list(work[stays.id()]);
  work.set(w.id(), std::vector<real>(64, 2));
  work.evaluate();
  CHECK(list(work[stays.id()]) == before);
}

TEST_CASE("after one leaf changed, what depends on it is computed anew, and nothing else is") {
  for (const Keep keep : {Keep::wanted, Keep::all}) {
    Module m;
    Workspace work(m.graph, plan(m.graph, m.wanted(), keep));
    m.fill(work);
    work.evaluate();
    const std::size_t all = work.computed();
    check_as_fresh(m, work);
    work.evaluate();
    CHECK(work.computed() == 0);
    const std::vector<real> warmer{2}, before = list(work[m.context.id()]);
    work.set(m.t.id(), warmer);
    work.evaluate();
    // What was not kept lay where others do now: it is computed anew.
    CHECK((keep == Keep::all ? work.computed() < all : work.computed() <= all));
    CHECK(work.holds(m.product.id()) == (keep == Keep::all));
    CHECK(list(work[m.context.id()]) != before);
    check_as_fresh(m, work);
    work.set(m.t.id(), warmer);  // the same number again
    work.evaluate();
    CHECK(work.computed() == 0);
    for (real& number : m.data[m.x.id()]) number = -number;
    m.fill(work);
    work.evaluate();
    check_as_fresh(m, work);
  }
}

TEST_CASE(
    "leaves that are written in turn, together and not at all give what a fresh workspace gives") {
  Module m;
  Workspace work(m.graph, plan(m.graph, m.wanted(), Keep::all));
  m.fill(work);
  work.evaluate();
  const std::size_t all = work.computed();
  real next = 1;
  // The same leaves twice in a row, and then others.
  for (const auto& [x, t] : {std::pair{true, true},
                             {true, true},
                             {false, true},
                             {false, true},
                             {false, false},
                             {true, false},
                             {true, true},
                             {true, true}}) {
    if (x) work.write(m.x.id())[0] = next += 1;
    if (t) work.write(m.t.id())[0] = next += 1;
    work.evaluate();
    CAPTURE(next);
    CHECK((work.computed() == 0) == (!x && !t));
    if (!x && t) CHECK(work.computed() < all);
    Workspace fresh(m.graph, plan(m.graph, m.wanted()));
    m.fill(fresh);
    fresh.set(m.x.id(), work[m.x.id()]);
    fresh.set(m.t.id(), work[m.t.id()]);
    fresh.evaluate();
    for (const Var v : m.wanted()) CHECK(list(work[v.id()]) == list(fresh[v.id()]));
  }
}

TEST_CASE("with everything kept, a product of what did not change is not computed again") {
  Module m;
  Workspace work(m.graph, plan(m.graph, m.wanted(), Keep::all));
  m.fill(work);
  work.evaluate();
  work.write(m.product.graph()[m.product.id()].inputs[1])[0] = 3;  // w
  work.evaluate();
  const std::size_t by_weight = work.computed();
  work.set(m.t.id(), std::vector<real>{1});
  work.evaluate();
  CHECK(work.computed() + 1 == by_weight);
}

// How often an evaluation of `wanted` calls for memory, the first one apart.
std::size_t allocations(const Graph& graph, Var wanted, const Data& data) {
  Workspace work(graph, plan(graph, {wanted}));
  const auto evaluate = [&] {
    for (const auto& [leaf, numbers] : data)
      std::copy(numbers.begin(), numbers.end(), work.write(leaf).begin());
    work.evaluate();
  };
  evaluate();
  const std::size_t before = testing::memory_calls();
  evaluate();
  return testing::memory_calls() - before;
}

// All except the inverse, as workspace.h says, and a scan, which has no samples because its steps are a document's.
testing::Primitives quiet_primitives() {
  testing::Primitives list = testing::every_primitive();
  std::erase_if(list, [](const Primitive* primitive) {
    return primitive == &primitives::scan || primitive == &primitives::inverse;
  });
  return list;
}

const testing::Each quiet("allocates nothing after the first evaluation", quiet_primitives,
                          [](const Primitive& primitive) {
                            for (const Sample& sample : primitive.samples) {
                              const testing::Trial trial(primitive, sample);
                              CHECK(allocations(trial.graph, trial.out, trial.data) == 0);
                            }
                          });

// How often an evaluation of a scan over so many rows calls for memory.
std::size_t allocations_of_scan(std::size_t rows) {
  Graph graph;
  Data data;
  const Var x = testing::leaf(graph, data, {rows, 3}, std::vector<real>(rows * 3, 1));
  const Var h = testing::leaf(graph, data, {3}, {1, 2, 3});
  const Scanned all =
      scan(graph, rows, {{"h", h}}, {{"x", x}}, [&](const auto& states, const auto& row) {
        const Var next = tanh(states[0] * h + row[0]);
        return ScanStep{{next}, {exp(next)}};
      });
  return allocations(graph, all.outputs[0], data);
}

TEST_CASE("a scan allocates nothing after the first evaluation, an inverse a little") {
  CHECK(allocations_of_scan(30) == 0);
  Graph graph;
  Data data;
  const Var x = testing::leaf(graph, data, {2, 2}, {2, 1, 1, 2});
  CHECK(allocations(graph, inverse(x), data) < 20);
}

const testing::Each written("writes all its numbers, whatever the memory held before",
                            testing::every_primitive, [](const Primitive& primitive) {
                              for (const Sample& sample : primitive.samples) {
                                testing::Trial trial(primitive, sample);
                                const std::vector<real> expected =
                                    testing::value(trial.out, trial.data);
                                const std::size_t count = element_count(trial.out.shape());
                                std::vector<real> out(count,
                                                      std::numeric_limits<real>::quiet_NaN());
                                Forward forward{trial.out.node(), {}, {}, out.data()};
                                for (const Var& in : trial.in) {
                                  forward.in.push_back(trial.data.at(in.id()).data());
                                  forward.in_shapes.push_back(&in.shape());
                                }
                                primitive.forward(forward);
                                CHECK(out == expected);
                              }
                            });

TEST_CASE("a view reads where its operand lies, also behind other views, and is kept with it") {
  Graph graph;
  Data data;
  const Var x = testing::leaf(graph, data, {4, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Var doubled = x * 2, rows = slice(doubled, 0, 1, 3), flat = reshape(rows, {6});
  const Var column = slice(doubled, 1, 1, 2);  // not in one piece
  Workspace work(graph, plan(graph, {flat, column}));
  work.set(x.id(), data.at(x.id()));
  work.evaluate();
  CHECK(list(work[flat.id()]) == std::vector<real>{6, 8, 10, 12, 14, 16});
  CHECK(list(work[column.id()]) == std::vector<real>{2, 8, 14, 20});
  CHECK(work[flat.id()].data() == work[rows.id()].data());
  CHECK(work.computed() == 3);  // the number 2, the product, and the column
}

TEST_CASE("when a value is refused, the next evaluation computes everything") {
  Graph graph;
  const Var x = graph.leaf({2, 2}, "x"), y = exp(x), z = matmul(inverse(x), y);
  Workspace work(graph, plan(graph, {y, z}));
  work.set(x.id(), std::vector<real>{1, 0, 0, 1});
  work.evaluate();
  work.set(x.id(), std::vector<real>{1, 1, 1, 1});
  CHECK_THROWS_AS(work.evaluate(), Error);
  work.set(x.id(), std::vector<real>{1, 0, 0, 1});
  work.evaluate();
  CHECK(work.computed() == 3);
  CHECK(work[z.id()][0] == work[y.id()][0]);
}

}  // namespace
}  // namespace attend::workspace_test
