// SPDX-License-Identifier: Apache-2.0
// What a pass gets from Rewrite: the program's leaves, results and list of passes on its new nodes.
#include "ops/rewrite.h"

#include <doctest/doctest.h>

#include "ops/compose.h"
#include "ops/primitives/records.h"

namespace attend::rewrite_test {
namespace {

// y = exp(x) * w,  z = y + x
struct Small {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Var x = graph->leaf({2}, "x"), w = graph->leaf({2}, "w"), e = exp(x), y = e * w, z = y + x;
  Program program{graph,
                  {{"x", x.id(), LeafKind::input}, {"w", w.id(), LeafKind::weight}},
                  {{"y", y.id()}, {"z", z.id()}},
                  {.batch = 3}};
};

std::vector<real> computed(const Program& program, const std::string& name,
                           const std::vector<std::vector<real>>& leaves) {
  Workspace workspace = workspace_for(program);
  evaluate(program, Leaves(leaves.begin(), leaves.end()), workspace);
  const Numbers numbers = workspace[program.find(name)];
  return {numbers.begin(), numbers.end()};
}

}  // namespace

TEST_CASE("rewrite: a copy without a rule is the same program") {
  const Small small;
  Rewrite to(small.program);
  to.copy();
  const Program copy = to.program();
  CHECK(copy.graph().size() == small.graph->size());
  CHECK(copy.made().batch == 3);
  REQUIRE(copy.leaves().size() == 2);
  CHECK(copy.leaves()[1].name == "w");
  CHECK(copy.leaves()[1].kind == LeafKind::weight);
  CHECK(computed(copy, "z", {{0, 1}, {2, 4}}) == computed(small.program, "z", {{0, 1}, {2, 4}}));
}

TEST_CASE("rewrite: a rule replaces a node for those that read it") {
  const Small small;
  Rewrite to(small.program);
  to.copy([&](const Node& node, const std::vector<NodeId>& inputs) {
    return node.primitive == &primitives::exp ? -to.graph().var(inputs[0]) : Var{};
  });
  const Program changed = to.program();
  CHECK(computed(changed, "y", {{3, 1}, {2, 4}}) == std::vector<real>{-6, -4});
  CHECK(computed(changed, "z", {{3, 1}, {2, 4}}) == std::vector<real>{-3, -3});
}

TEST_CASE("rewrite: what is read in a node's place leaves the result of that node alone") {
  const Small small;
  Rewrite to(small.program);
  to.copy([&](const Node& node, const std::vector<NodeId>& inputs) -> Var {
    if (node.id != small.y.id()) return {};
    const Var whole = to.same(node, inputs);
    const Var factor = to.add_leaf("factor", to.graph().leaf({2}, ""), LeafKind::noise);
    to.let_read(node.id, whole * factor);
    return whole;
  });
  const Program changed = to.program();
  REQUIRE(changed.leaves().size() == 3);
  CHECK(changed.leaves()[2].name == "factor");
  CHECK(computed(changed, "y", {{0, 0}, {2, 4}, {10, 10}}) == std::vector<real>{2, 4});
  CHECK(computed(changed, "z", {{0, 0}, {2, 4}, {10, 10}}) == std::vector<real>{20, 40});
}

TEST_CASE("rewrite: nodes that are left out take their leaves and results along") {
  const Small small;
  std::vector<bool> marked(small.graph->size(), false);
  marked[small.x.id()] = marked[small.e.id()] = true;
  const Program named = small.program.with_results({{"e", small.e.id()}, {"y", small.y.id()}});
  Rewrite to(named);
  to.copy_some(marked);
  const Program less = to.program();
  REQUIRE(less.leaves().size() == 1);
  CHECK(less.leaves()[0].name == "x");
  REQUIRE(less.results().size() == 1);
  CHECK(computed(less, "e", {{0, 0}}) == std::vector<real>{1, 1});
}

TEST_CASE("rewrite: a gradient of two results at once is that of their sum") {
  const Small small;
  const std::vector<std::string> of{"y", "z"};
  const Program both = with_gradient(small.program, of, {"w"});
  // d(y + z)/dw = 2 exp(x), each cotangent 1.
  const Numbers none;
  Workspace workspace = workspace_for(both);
  const std::vector<real> x{0, 0}, w{5, 7};
  evaluate(both, {Numbers(x), Numbers(w), none, none}, workspace);
  const Numbers slope = workspace[both.find(gradient_key("w"))];
  CHECK(slope[0] == doctest::Approx(2));
  CHECK(slope[1] == doctest::Approx(2));
}

}  // namespace attend::rewrite_test
