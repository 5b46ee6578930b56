// SPDX-License-Identifier: Apache-2.0
// What a primitive says that it costs, against plain loops that count what they do.
#include "ops/cost.h"

#include "ops/scan.h"
#include "tests/each.h"
#include "tests/ops/counted_loops.h"
#include "tests/ops/run.h"

namespace attend::cost_test {
namespace {

using testing::Counted;
using testing::CountedTensor;
using testing::Trial;

std::vector<bool> all_of(const Graph& graph) { return std::vector<bool>(graph.size(), true); }

// What the loop does on the trial's operands; its numbers are the forward's.
Cost counted(const testing::Loop& loop, const Trial& trial) {
  std::vector<CountedTensor> in;
  for (const Var operand : trial.in) {
    const std::vector<real>& numbers = trial.data.at(operand.id());
    in.emplace_back(operand.shape(), std::vector<Counted>(numbers.begin(), numbers.end()));
  }
  CountedTensor out(trial.out.shape(),
                    std::vector<Counted>(element_count(trial.out.shape()), Counted(-1e9)));
  testing::tally = {};
  loop(in, out, trial.out.node());
  Cost cost{testing::tally.multiply_adds, testing::tally.exponentials, 0, true};
  cost.bytes = out.touched();
  CHECK(out.touched() == out.size());
  for (const CountedTensor& operand : in) cost.bytes += operand.touched();
  cost.bytes *= sizeof(real);
  const std::vector<real> expected = testing::value(trial.out, trial.data);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto y = static_cast<double>(expected[i]);
    CHECK(std::abs(out.at(i).plain() - y) <= 2e-5 * (1 + std::abs(y)));
  }
  return cost;
}

testing::Primitives counted_primitives() {
  testing::Primitives list = testing::every_primitive();
  std::erase_if(list,
                [](const Primitive* p) { return !testing::counted_loops().contains(p->name); });
  return list;
}

const testing::Each counts("costs what a plain loop counts, or at most as much as it says",
                           counted_primitives, [](const Primitive& p) {
                             const testing::Loop& loop = testing::counted_loops().at(p.name);
                             for (const Sample& sample : p.samples) {
                               const Trial trial(p, sample);
                               const Cost said = cost_of(trial.graph, all_of(trial.graph));
                               const Cost found = counted(loop, trial);
                               if (said.exact) {
                                 CHECK(said.multiply_adds == found.multiply_adds);
                                 CHECK(said.exponentials == found.exponentials);
                                 CHECK(said.bytes == found.bytes);
                                 continue;
                               }
                               CHECK(said.multiply_adds >= found.multiply_adds);
                               CHECK(said.exponentials >= found.exponentials);
                               CHECK(said.bytes >= found.bytes);
                               CHECK(said.bytes <= 2 * found.bytes);
                               CHECK(said.multiply_adds <= 5 * found.multiply_adds);
                             }
                           });

TEST_CASE("every primitive says what it costs, and a loop counts it unless it is a scan") {
  for (const Primitive* p : all_primitives()) {
    CAPTURE(p->name);
    CHECK(p->cost != nullptr);
    CHECK(testing::counted_loops().contains(p->name) == (p->samples.size() > 0));
  }
}

TEST_CASE("the cost of a graph is that of what is needed, and ends at the largest number") {
  Graph graph;
  const Var a = graph.leaf({3, 4}, "a"), b = graph.leaf({4, 5}, "b");
  const Var product = matmul(a, b), unneeded = exp(product);
  std::vector<bool> needed = all_of(graph);
  needed[unneeded.id()] = false;
  CHECK(cost_of(graph, needed) == Cost{60, 0, (12 + 20 + 15) * sizeof(real), true});
  needed[unneeded.id()] = true;
  CHECK(cost_of(graph, needed) == Cost{60, 15, (12 + 20 + 15 + 30) * sizeof(real), true});
  Cost much{~std::uint64_t{0} - 1, 5, 0, true};
  much += Cost{7, 1, 0, false};
  CHECK(much == Cost{~std::uint64_t{0}, 6, 0, false});
}

TEST_CASE("a scan costs its step as often as it runs") {
  Graph graph;
  const Var x = graph.leaf({7, 1, 3}, "x"), w = graph.leaf({3, 3}, "w");
  const Scanned made = scan(graph, 7, {{"h_{t-1}", graph.leaf({1, 3}, "h")}}, {{"x_t", x}},
                            [&](const std::vector<Var>& states, const std::vector<Var>& rows) {
                              return ScanStep{{tanh(matmul(states[0], w) + rows[0])}, {}};
                            });
  std::vector<bool> needed(graph.size(), false);
  needed[made.whole.id()] = true;
  const Cost cost = cost_of(graph, needed);
  CHECK(cost.multiply_adds == 7 * (9 + 3));
  CHECK(cost.exponentials == 7 * 3);
}

}  // namespace
}  // namespace attend::cost_test
