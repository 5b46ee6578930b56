// SPDX-License-Identifier: Apache-2.0
#include "ops/intent.h"

#include <cmath>

#include "ops/compose.h"
#include "ops/rewrite.h"
#include "tests/fused/drawn_pairs.h"
#include "tests/ops/run.h"

namespace attend::intent_test {
namespace {

constexpr double none = HUGE_VAL;  // no bound

struct Masks {
  Graph graph;
  Var row = iota(graph, 7, 2), column = iota(graph, 9);
  Var past = stated(greater(row + 1, column), causal_intent());

  [[nodiscard]] Var window(double w) const {
    const Var gap = absolute(row - column);
    return stated(greater(scalar(gap, w + .5), gap), band_intent(w, w));
  }
  [[nodiscard]] Var blocks(double size) const {
    return stated(equal(floor(row / size), floor(column / size)), blocks_intent(size));
  }
};

// What the intent leaves must be the mask itself.
void check_pairs(Var mask) {
  const MaybeIntent intent = mask_intent(mask.graph(), mask.id());
  REQUIRE(intent);
  CHECK(testing::drawn_pairs(*intent, mask.extent(-2), mask.extent(-1)) ==
        testing::value(mask, {}));
}

TEST_CASE("a stated band leaves the pairs of its formula, alone and cut by others") {
  Masks m;
  for (const double shift : {-3., -1., 0., 1., 3., 20.}) {
    CAPTURE(shift);
    const Var after = stated(greater(m.row + (shift + 1), m.column), band_intent(none, shift));
    const Var before = stated(greater(m.column + (shift + 1), m.row), band_intent(shift, none));
    for (const Var mask : {after, before, after * before, before * m.past, m.past * m.past * after})
      check_pairs(mask);
    if (shift >= 0) check_pairs(m.window(shift) * m.past);
  }
  for (const double size : {1., 2., 3., 5., 20.}) {
    CAPTURE(size);
    check_pairs(m.blocks(size));
    check_pairs(m.blocks(size) * m.past);
    check_pairs(m.window(2) * m.blocks(size) * m.blocks(size));
    check_pairs(m.blocks(size) * m.blocks(2 * size));
    check_pairs(m.blocks(2 * size) * m.past * m.blocks(size));
  }
}

TEST_CASE("an intent is kept through names, new leading axes and rows that are repeated") {
  Masks m;
  const auto causal = [](Var mask) {
    const MaybeIntent intent = mask_intent(mask.graph(), mask.id());
    return intent && intent->is_causal();
  };
  CHECK(causal(m.past));
  CHECK(causal(let("M", let("P", m.past))));
  CHECK(causal(reshape(m.past, {1, 7, 9})));
  CHECK(causal(broadcast_to(m.past, {3, 7, 9})));
  CHECK(causal(let("M", m.past) * reshape(m.past, {1, 7, 9})));
  const Var keys = stated(greater(scalar(m.column, 9), m.column), band_intent(none, none));
  CHECK(causal(keys * m.past));
  CHECK(mask_intent(m.graph, broadcast_to(keys, {7, 9}).id()));
}

TEST_CASE("numbers that are not whole, or out of range, state nothing") {
  for (const double bad : {-1., 2.5, std::nan(""), 1e12}) {
    CAPTURE(bad);
    CHECK(!blocks_intent(bad));
    CHECK(!strided_intent(bad, Intent::Part::both));
    CHECK(!fixed_intent(bad, 1, Intent::Part::both));
    CHECK(!fixed_intent(4, bad, Intent::Part::second));
    CHECK(!recent_intent(bad, 1));
    CHECK(!recent_intent(4, bad));
    CHECK(!summarised_intent(bad, 1));
    CHECK(!bigbird_intent(bad, 1, 1));
    CHECK(!bigbird_intent(1, bad, 1));
    CHECK(!bigbird_intent(1, 1, bad));
  }
  CHECK(!blocks_intent(0));
  CHECK(!band_intent(1.5, 0));
  CHECK(!band_intent(0, std::nan("")));
  CHECK(!gaussian_intent(0));
  CHECK(!gaussian_intent(-1));
  Masks m;
  CHECK(stated(m.row, std::nullopt).node().intent == nullptr);
}

TEST_CASE("what no intent describes has none") {
  Masks m;
  testing::Data data;
  const Var given = testing::leaf(m.graph, data, {7, 9}, std::vector<real>(63, 1));
  const Var one_row = stated(greater(iota(m.graph, 1, 2) + 1, m.column), causal_intent());
  const Var strided = stated(given * 0 + m.window(2), strided_intent(2, Intent::Part::both));
  for (const Var mask :
       {given, m.past * given, given * m.past, 1 - m.past, maximum(m.past, m.window(1)),
        m.blocks(2) * m.blocks(3), broadcast_to(one_row, {7, 9}), m.window(3) * one_row,
        reshape(m.past, {9, 7}), strided})
    CHECK(!mask_intent(m.graph, mask.id()));
  const MaybeIntent far = strided_intent(2, Intent::Part::both);
  CHECK(both(far, far) == far);
  CHECK(!both(far, strided_intent(3, Intent::Part::both)));
  CHECK(!both(far, recent_intent(2, 1)));
  CHECK(!both(far, spans_intent(false)));
  CHECK(!both(far, std::nullopt));
}

TEST_CASE("a formula that reads more than its operands is not what was stated") {
  Masks m;
  testing::Data data;
  const Var cells = testing::leaf(m.graph, data, {7, 9}, std::vector<real>(63, 0));
  const auto known = [](Var var) { return intent_of(var.graph(), var.id()) != nullptr; };
  CHECK(known(m.past));
  // As an intervention changes one: through a leaf, or detached.
  const Var changed = where(cells, scalar(cells, 1), greater(m.row + 1, m.column));
  CHECK(!known(stated(changed, causal_intent())));
  CHECK(!known(stated(detach(greater(m.row + 1, m.column)), causal_intent())));
  CHECK(!known(stated(cells, causal_intent())));
  CHECK(known(stated(maximum(m.window(1), cells), bigbird_intent(1, 1, 0), {cells})));
}

// A program of one mask whose operand is `given` [7 9], and its leaf.
struct Drawn {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Var unused = exp(graph->leaf({1}, "u"));
  Var given = graph->leaf({7, 9}, "R");
  Var mask = stated(maximum(equal(iota(*graph, 7, 2), iota(*graph, 9)), given),
                    bigbird_intent(1, 0, 0), {given});

  [[nodiscard]] Program program() const {
    return {graph, {{"inputs.R", given.id(), LeafKind::input}}, {{"mask", mask.id()}}};
  }
};

// The operand of the result's intent must be the leaf of that program.
void check_carried(const Program& program) {
  const Intent* intent = intent_of(program.graph(), program.find("mask"));
  REQUIRE(intent != nullptr);
  CHECK(intent->kind == Intent::bigbird);
  CHECK(intent->operands == std::vector{program.leaf("inputs.R")});
}

TEST_CASE("passes carry the intent and its operands along") {
  const Drawn drawn;
  const Program kept = drawn.program();
  check_carried(kept);
  check_carried(pruned(kept, {"mask"}));  // ids are others
  CHECK(pruned(kept, {"mask"}).leaf("inputs.R") != kept.leaf("inputs.R"));
  check_carried(batched(kept, 3));
  check_carried(pruned(batched(kept, 3), {"mask"}));
  // A rule that records something else in a node's place states nothing.
  Rewrite other(kept);
  other.copy([&](const Node& node, const std::vector<NodeId>&) {
    return node.id == drawn.mask.id() ? other.graph().leaf(node.shape, "given") : Var{};
  });
  const Program replaced = other.program();
  CHECK(intent_of(replaced.graph(), replaced.find("mask")) == nullptr);
}

}  // namespace
}  // namespace attend::intent_test
