// SPDX-License-Identifier: Apache-2.0
#include "ops/explain.h"

#include "ops/compose.h"
#include "ops/error.h"
#include "ops/formula.h"
#include "ops/scan.h"
#include "tests/ops/latex_value.h"
#include "tests/ops/run.h"

namespace attend::explain_test {
namespace {

using testing::Data;

// A small attention with one nameless step of each kind: scores, mask, weights, context, two
// aliases.
struct Example {
  Graph graph;
  Data data;
  Var q, k, v, e, mask, a, c, turned, alias;

  Example() {
    q = testing::leaf(graph, data, {2, 2}, {1, 0.5, -1, 0.25}, "Q");
    k = testing::leaf(graph, data, {3, 2}, {0.5, 1, -1, 0.5, 0.25, -0.75}, "K");
    v = testing::leaf(graph, data, {3, 2}, {1, 2, 3, 4, 5, 6}, "V");
    e = let("E", matmul(q, k, false, true) * 0.5);
    mask = let("M", greater(iota(graph, 2, 2) + 2, iota(graph, 3)));  // row 0 sees keys 0 and 1
    a = let("A", softmax(e, mask));
    c = let("C", matmul(a, v));
    turned = permute(a, {1, 0});
    alias = let("A'", reshape(broadcast_to(a, {2, 2, 3}), {4, 3}));
  }

  Values values() { return testing::run_all(graph, data); }
  Explanation at(Var var, std::size_t flat) { return explain(graph, values(), var.id(), flat); }
};

bool has_feed(const Explanation& found, Var var, const std::vector<std::size_t>& cells) {
  for (const Feed& feed : found.feeds) {
    if (feed.node == var.id()) return feed.cells == cells;
  }
  return false;
}

TEST_CASE("a product shows its factors and says which cells it read") {
  Example x;
  const Explanation found = x.at(x.c, 3);
  CHECK(found.formula == "A\\, V");
  CHECK(found.feeds.size() == 2);
  CHECK(has_feed(found, x.a, {3, 4, 5}));
  CHECK(has_feed(found, x.v, {1, 3, 5}));
  CHECK(found.numbers.find("\\cdot 2 + ") != std::string::npos);
  CHECK(testing::latex_value(found.numbers) == doctest::Approx(found.value).epsilon(0.01));
  CHECK(found.terms.empty());
}

TEST_CASE("nameless steps are written out, down to named ones") {
  Example x;
  const Explanation found = x.at(x.e, 1);
  CHECK(found.formula == "Q\\, K^{\\top} \\cdot 0.5");
  CHECK(found.numbers == "(1 \\cdot (-1) + 0.5 \\cdot 0.5) \\cdot 0.5");
  CHECK(found.value == -0.375);
  CHECK(has_feed(found, x.q, {0, 1}));
  CHECK(has_feed(found, x.k, {2, 3}));
}

TEST_CASE("a weight of an entmax shows what of each bar stands above the threshold") {
  Graph graph;
  Data data;
  const Var e = testing::leaf(graph, data, {1, 4}, {1, 0.5, -2, 0.75}, "E");
  const Var mask = testing::leaf(graph, data, {4}, {1, 1, 1, 0}, "M");
  const Var a = let("A", entmax(e, scalar(e, 0.5), mask));
  const Explanation found = explain(graph, testing::run_all(graph, data), a.id(), 1);
  REQUIRE(found.cut.bars.size() == 3);
  CHECK(found.cut.power == doctest::Approx(2));
  double sum = 0;
  for (const Term& bar : found.cut.bars)
    sum += std::pow(std::max(0., bar.value - found.cut.level), found.cut.power);
  CHECK(sum == doctest::Approx(1));
  CHECK(found.cut.bars[1].chosen);
  CHECK(found.cut.bars[1].value == doctest::Approx(0.25));
  CHECK(std::pow(0.25 - found.cut.level, 2) == doctest::Approx(found.value));
}

TEST_CASE("a weight shows its softmax: the terms of the allowed keys, the chosen one marked") {
  Example x;
  const Explanation found = x.at(x.a, 1);
  CHECK(found.formula == "\\operatorname{softmax}_{M}\\left(E\\right)");
  REQUIRE(found.terms.size() == 2);
  double sum = 0;
  for (const Term& term : found.terms) sum += term.value;
  CHECK(found.terms[0].cell == 0);
  CHECK(!found.terms[0].chosen);
  CHECK(found.terms[1].cell == 1);
  CHECK(found.terms[1].chosen);
  CHECK(found.terms[1].value == doctest::Approx(std::exp(-0.375)));
  CHECK(found.terms[1].value / sum == doctest::Approx(found.value));
  CHECK(testing::latex_value(found.numbers) == doctest::Approx(found.value).epsilon(0.01));
  CHECK(has_feed(found, x.e, {0, 1}));
  const Explanation masked = x.at(x.a, 2);
  CHECK(masked.value == 0);
  CHECK(masked.numbers == "0");
  for (const Term& term : masked.terms) CHECK(!term.chosen);
}

TEST_CASE("a step that passes a cell on explains that cell") {
  Example x;
  const Explanation straight = x.at(x.a, 1);
  // [2 3] turned is [3 2]: cell (1, 0). The alias repeats the two rows.
  for (const Explanation& passed : {x.at(x.turned, 2), x.at(x.alias, 1), x.at(x.alias, 7)}) {
    CHECK(passed.value == straight.value);
    CHECK(passed.formula == straight.formula);
    CHECK(passed.numbers == straight.numbers);
    CHECK(passed.terms.size() == 2);
  }
  const Var chosen = where(scalar(x.a, 1), x.a, scalar(x.a, 9));
  CHECK(x.at(chosen, 1).numbers == straight.numbers);
}

TEST_CASE("a leaf is explained by itself") {
  Example x;
  const Explanation found = x.at(x.q, 2);
  CHECK(found.formula == "Q");
  CHECK(found.numbers == "-1");
  CHECK(has_feed(found, x.q, {2}));
}

TEST_CASE("a softmax is explained by its scores, not by what its row was moved by") {
  Graph graph;
  Data data;
  const Var e = testing::leaf(graph, data, {2, 2}, {3, 1, 0, 2}, "E");
  const Var below = e - detach(max(e, -1, true));
  const Var a = let("A", softmax(below / 2)), kept = let("B", softmax(below * e));
  const Values values = testing::run_all(graph, data);
  const Explanation found = explain(graph, values, a.id(), 1);
  CHECK(found.formula == "\\operatorname{softmax}\\left(\\frac{E}{2}\\right)");
  CHECK(found.numbers == "\\frac{e^{\\frac{1}{2}}}{e^{\\frac{3}{2}} + e^{\\frac{1}{2}}}");
  CHECK(testing::latex_value(found.numbers) == doctest::Approx(found.value).epsilon(0.01));
  CHECK(found.terms[0].value == doctest::Approx(std::exp(1.5)));
  CHECK(found.terms[1].value == doctest::Approx(std::exp(0.5)));
  // Where the row is changed otherwise, nothing is left out.
  CHECK(explain(graph, values, kept.id(), 1).formula.find("\\max") != std::string::npos);
}

TEST_CASE("scores beyond the exponential's reach still give finite terms") {
  Graph graph;
  Data data;
  const Var e = testing::leaf(graph, data, {1, 2}, {2000, 1999}, "E"), a = let("A", softmax(e));
  const Explanation found = explain(graph, testing::run_all(graph, data), a.id(), 0);
  CHECK(found.terms[0].value == 1);
  CHECK(found.terms[1].value == doctest::Approx(std::exp(-1)));
}

TEST_CASE("what explained_from names is enough for every cell of every step") {
  Example x;
  const Values all = x.values();
  for (NodeId node = 0; node < x.graph.size(); ++node) {
    std::vector<Var> wanted;
    for (const NodeId id : explained_from(x.graph, node)) wanted.push_back(x.graph.var(id));
    const Values some = testing::run(x.graph, wanted, x.data);
    for (std::size_t flat = 0; flat < all[node].size(); ++flat) {
      const Explanation a = explain(x.graph, all, node, flat),
                        b = explain(x.graph, some, node, flat);
      CHECK(a.numbers == b.numbers);
      CHECK(a.value == b.value);
      CHECK(a.terms.size() == b.terms.size());
      // Three digits in, so two or three out.
      CHECK(testing::latex_value(a.numbers) == doctest::Approx(a.value).epsilon(0.02));
    }
  }
}

TEST_CASE("of a scan that keeps its last states only, a step shows the state before it") {
  for (const bool backwards : {false, true}) {
    Graph graph;
    Data data;
    const Var x = testing::leaf(graph, data, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, "X");
    const Var start = testing::leaf(graph, data, {2}, {0.5, -0.5}, "S");
    ScanRecorder recorder(graph, 4, backwards);
    const Var state = recorder.state({"s", start}), row = recorder.row({"x", x});
    recorder.next(state, state * 0.5 + row);
    recorder.output(state * row);
    const Scanned scanned = recorder.finish_quietly();
    const Var y = let("Y", scanned.outputs[0] * 2), last = let("L", scanned.last[0] * 3);
    const Values values = testing::run_all(graph, data);
    for (const Var& var : {y, last}) {
      for (std::size_t flat = 0; flat < values[var.id()].size(); ++flat) {
        const Explanation found = explain(graph, values, var.id(), flat);
        CHECK(testing::latex_value(found.numbers) == doctest::Approx(found.value).epsilon(0.02));
      }
    }
  }
}

TEST_CASE("the text of a large nameless computation stays short") {
  Graph graph;
  Data data;
  sweep::Numbers numbers(9);
  const Var x = testing::leaf(graph, data, {60, 60}, numbers.list(3600, -1, 1), "X");
  Var y = x;
  for (int layer = 0; layer < 6; ++layer) y = tanh(matmul(y, y) / 8 + x);
  const Var last = let("Y", y);
  const Explanation found = explain(graph, testing::run_all(graph, data), last.id(), 61);
  CHECK(found.numbers.size() <= 1000);
  CHECK(found.numbers.find("\\dots") != std::string::npos);
  CHECK(found.formula.size() <= 2000);
  REQUIRE(found.feeds.size() == 1);
  CHECK(found.feeds[0].cells.size() == 3600);
}

TEST_CASE("no such cell, or a value that was not kept, is an error") {
  Example x;
  CHECK_THROWS_AS(x.at(x.c, 4), Error);
  CHECK_THROWS_AS(explain(x.graph, x.values(), 1000, 0), Error);
  CHECK_THROWS_AS(explain(x.graph, testing::run(x.graph, {x.c}, x.data), x.c.id(), 0), Error);
}

TEST_CASE("a step's name binds as it reads") {
  CHECK(name_text("\\tau").binding == Text::atom);
  CHECK(name_text("\\bar a").binding == Text::atom);
  CHECK(name_text("z_{\\text{a - b}}").binding == Text::atom);
  CHECK(name_text("Q W_1").binding == Text::product);
  CHECK(name_text("E/T").binding == Text::product);
  CHECK(name_text("\\sum_{i \\le k} z_i").binding == Text::product);
  CHECK(name_text("E - \\max E").binding == Text::sum);
}

TEST_CASE("a formula writes nameless operands out and brackets composite names") {
  Graph graph;
  const Var x = graph.leaf({2, 2}, "X"), w = graph.leaf({2, 2}, "W");
  const Var z = let("X - W", x - w), h = let("h", tanh(matmul(z, w) + x) * 2);
  CHECK(formula_of(graph, z.id()) == "X - W");
  CHECK(formula_of(graph, h.id()) == "\\tanh\\left((X - W)\\, W + X\\right) \\cdot 2");
  CHECK(formula_of(graph, x.id()) == "X");
  Var deep = x;
  for (int i = 0; i < 40; ++i) deep = deep * deep + deep;
  CHECK(formula_of(graph, deep.id()).size() <= 2000);
}

}  // namespace
}  // namespace attend::explain_test
