// SPDX-License-Identifier: Apache-2.0
// A hoisted program against the program that it was made of.
#include "ops/hoist.h"

#include <algorithm>
#include <numeric>

#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/keep_steps.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "tests/ops/run.h"

namespace attend::hoist_test {
namespace {

using testing::Data;

#ifdef ATTEND_DOUBLE
constexpr double tolerance = 1e-12;
#else
constexpr double tolerance = 5e-5;
#endif

Var total(Var x) {
  while (x.rank() > 0) x = sum(x, 0);
  return x;
}

// A gated recurrence with an output that does not feed it, and two weights that steps share.
struct Recurrence {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Data data;
  std::vector<Program::Leaf> leaves;
  std::vector<Program::Result> results;
  NodeId flat = 0;  // the scan

  explicit Recurrence(std::size_t steps, bool backwards) {
    sweep::Numbers numbers(5);
    const auto make = [&](const Shape& shape, const char* name, LeafKind kind) {
      const Var var =
          testing::leaf(*graph, data, shape, numbers.list(element_count(shape), -1, 1), name);
      leaves.push_back({name, var.id(), kind});
      return var;
    };
    const Var x = make({steps, 1, 2}, "x", LeafKind::input);
    const Var h0 = make({1, 3}, "h", LeafKind::weight), W = make({2, 3}, "W", LeafKind::weight);
    const Var U = make({3, 3}, "U", LeafKind::weight), V = make({3, 2}, "V", LeafKind::weight);
    const Var b = make({1, 3}, "b", LeafKind::weight);
    const Scanned s = scan(
        *graph, steps, {{"h", h0}, {"seen", zeros(*graph, {1, 2})}}, {{"x", x}},
        [&](const auto& state, const auto& row) {
          const Var read = tanh(matmul(row[0], W) + b);  // of rows alone
          const Var h = sigmoid(matmul(state[0], U) + read) * state[0] + read;
          const Var y = matmul(tanh(h), V);  // nothing later reads it, but for the sum
          return ScanStep{{h, state[1] + y}, {y * y}};
        },
        backwards);
    results.push_back({"h", s.last[0].id()});
    results.push_back({"sum", s.last[1].id()});
    results.push_back({"y", s.outputs[0].id()});
    results.push_back({"states", s.states[0].id()});
    flat = s.whole.id();
    const Var loss = total(s.outputs[0]) + total(s.last[1] * s.last[1]) + total(sin(s.last[0]));
    results.push_back({"loss", loss.id()});
  }
  [[nodiscard]] Program program() const { return {graph, leaves, results}; }
};

std::vector<const ScanBody*> needed_scans(const Program& program) {
  std::vector<const ScanBody*> list;
  const Plan made = plan(program.graph(), program.wanted());
  for (NodeId id = 0; id < program.graph().size(); ++id) {
    const Node& node = program.graph()[id];
    if (made.needed[id] && node.primitive == &primitives::scan)
      list.push_back(node.attributes.body.get());
  }
  return list;
}

std::size_t products(const ScanBody& body) {
  return static_cast<std::size_t>(
      std::count_if(body.plan.each.begin(), body.plan.each.end(),
                    [&](NodeId id) { return (*body.graph)[id].primitive == &primitives::matmul; }));
}

void check_same(const Program& program, const Program& other, const std::string& first_leaf,
                std::size_t batch) {
  Workspace one = workspace_for(program), two = workspace_for(other);
  sweep::Numbers numbers(17 + batch);
  REQUIRE(program.leaves().size() == other.leaves().size());
  for (std::size_t k = 0; k < program.leaves().size(); ++k) {
    const Program::Leaf& leaf = program.leaves()[k];
    CHECK(leaf.name == other.leaves()[k].name);
    const bool cotangent = leaf.name.starts_with("cotangent.");
    const auto count = element_count(program.graph()[leaf.node].shape);
    const std::vector<real> given =
        cotangent ? std::vector<real>(count, 1) : numbers.list(count, -1, 1);
    std::copy(given.begin(), given.end(), one.write(leaf.node).begin());
    std::copy(given.begin(), given.end(), two.write(other.leaves()[k].node).begin());
  }
  CHECK(program.leaves().front().name == first_leaf);
  one.evaluate();
  two.evaluate();
  for (const Program::Result& result : program.results()) {
    CAPTURE(result.name);
    const Numbers a = one[result.node], b = two[other.find(result.name)];
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CAPTURE(i);
      const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
      CHECK(std::abs(x - y) <= tolerance * (1 + std::abs(x)));
    }
  }
}

TEST_CASE("a hoisted program gives the same results, values and gradients, batched or not") {
  for (const std::size_t steps : {1, 2, 6}) {
    for (const bool backwards : {false, true}) {
      for (const std::size_t batch : {0, 3}) {
        CAPTURE(steps);
        CAPTURE(backwards);
        CAPTURE(batch);
        const Program plain = Recurrence(steps, backwards).program();
        const Program many = batch == 0 ? plain : batched(plain, batch);
        check_same(many, hoisted(many), "x", batch);
        const Program sloped = with_gradient(many, "loss", {"W", "U", "V", "b", "h"});
        check_same(sloped, hoisted(sloped), "x", batch);
      }
    }
  }
}

TEST_CASE("a hoisted scan keeps what carries its state on, and nothing else") {
  const Program plain = Recurrence(6, false).program();
  const Program results = pruned(plain, {"h", "sum", "y"});
  const auto before = needed_scans(results);
  REQUIRE(before.size() == 1);
  CHECK(products(*before[0]) == 3);  // x W, h U, tanh(h) V
  const Program parted = hoisted(results);
  const auto after = needed_scans(parted);
  REQUIRE(after.size() == 1);
  CHECK(products(*after[0]) == 2);  // x W stands before the scan
  // On the way back the sums over the steps go too.
  Program sloped = with_gradient(batched(plain, 3), "loss", {"W", "U", "V", "b"});
  sloped = pruned(sloped, {"gradients.W", "gradients.U", "gradients.V", "gradients.b"});
  CHECK(needed_scans(sloped).back()->states.size() == 6);  // two, and a sum for each weight
  const Program without = hoisted(sloped);
  for (const ScanBody* body : needed_scans(without)) {
    CHECK(body->states.size() == 2);
    CHECK(products(*body) == 2);  // what the two states hand back
  }
}

// A node whose numbers are all 0, or a part of one.
bool is_zero(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.leaf) return false;
  if (node.primitive == &primitives::fill) return node.attributes.number == 0;
  const bool part =
      node.primitive == &primitives::reshape || node.primitive == &primitives::slice ||
      node.primitive == &primitives::permute || node.primitive == &primitives::broadcast_to;
  return part && is_zero(graph, node.inputs[0]);
}

TEST_CASE("a hoisted program adds no zeros, and its scans read none in rows") {
  for (const bool kept : {false, true}) {
    CAPTURE(kept);
    Program sloped = with_gradient(batched(Recurrence(6, false).program(), 3), "loss",
                                   {"W", "U", "V", "b", "h"});
    sloped =
        pruned(sloped, {"gradients.W", "gradients.U", "gradients.V", "gradients.b", "gradients.h"});
    if (kept) sloped = with_kept_steps(sloped);
    const auto zeros_read = [](const Program& program) {
      const Graph& graph = program.graph();
      const std::vector<bool> needed = plan(graph, program.wanted()).needed;
      std::size_t count = 0;
      for (NodeId id = 0; id < graph.size(); ++id) {
        const Node& node = graph[id];
        if (!needed[id] || node.leaf) continue;
        const bool scans = node.primitive == &primitives::scan;
        if (!scans && node.primitive != &primitives::add) continue;
        const std::size_t first = scans ? node.attributes.body->states.size() : 0;
        for (std::size_t k = first; k < node.inputs.size(); ++k)
          count += is_zero(graph, node.inputs[k]) ? 1 : 0;
      }
      return count;
    };
    CHECK(zeros_read(hoisted(sloped)) == 0);
  }
}

TEST_CASE("a scan whose numbers of all steps are too many stays as it is") {
  const Program results = pruned(Recurrence(6, false).program(), {"h", "sum", "y"});
  const Program whole = hoisted(results, 10);
  const auto after = needed_scans(whole);
  REQUIRE(after.size() == 1);
  CHECK(products(*after[0]) == 3);
}

const std::vector<std::string> weights{"W", "U", "V", "b", "h"};

TEST_CASE("a program whose scans keep their steps gives the same results, hoisted or not") {
  for (const std::size_t steps : {1, 2, 6}) {
    for (const bool backwards : {false, true}) {
      for (const std::size_t batch : {0, 3}) {
        CAPTURE(steps);
        CAPTURE(backwards);
        CAPTURE(batch);
        const Program plain = Recurrence(steps, backwards).program();
        const Program many = batch == 0 ? plain : batched(plain, batch);
        const Program sloped = with_gradient(many, "loss", weights);
        const Program kept = with_kept_steps(sloped);
        check_same(sloped, kept, "x", batch);
        check_same(sloped, hoisted(kept), "x", batch);
      }
    }
  }
}

TEST_CASE(
    "the way back reads what the scan has computed, unless that is too much or another reads the scan") {
  Recurrence made(6, false);
  const auto sloped_of = [&](std::vector<std::string> names) {
    const Program sloped = with_gradient(made.program(), "loss", weights);
    for (const std::string& name : weights) names.push_back(gradient_key(name));
    return pruned(sloped, names);
  };
  const auto products_back = [](const Program& program) {
    return products(*needed_scans(program).back());
  };
  const Program sloped = sloped_of({});
  CHECK(products_back(with_kept_steps(sloped)) ==
        products_back(sloped) - 3);  // x W, h U, tanh(h) V
  CHECK(products(*needed_scans(with_kept_steps(sloped)).front()) == 3);
  CHECK(products_back(with_kept_steps(sloped, 10)) == products_back(sloped));
  made.results.push_back({"flat", made.flat});
  const Program read = sloped_of({"flat"});
  CHECK(products_back(with_kept_steps(read)) == products_back(sloped));
  check_same(read, with_kept_steps(read), "x", 0);
}

}  // namespace
}  // namespace attend::hoist_test
