// SPDX-License-Identifier: Apache-2.0
// LayerNorm as one node: the digits of the formula, its gradients, and finite differences.
#include "fused/layer_norm.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/evaluate.h"
#include "tests/ops/run.h"

namespace attend::layer_norm_test {
namespace {

using testing::Data;

constexpr double eps = 1e-5;

// tanh(LayerNorm(x)), added up; leaves x, gamma, beta and, if it is learned, eps.
struct Recorded {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Data data;
  std::vector<Program::Leaf> leaves;
  NodeId normal = 0;

  explicit Recorded(const Shape& shape, bool learns_eps = false) {
    sweep::Numbers numbers(7);
    const auto leaf = [&](const Shape& extents, double low, double high, const char* name) {
      const Var var = testing::leaf(*graph, data, extents,
                                    numbers.list(element_count(extents), low, high), name);
      leaves.push_back({name, var.id(), LeafKind::weight});
      return var;
    };
    const Var x = leaf(shape, -3, 3, "x"), gamma = leaf({1, shape.back()}, .5, 2, "gamma"),
              beta = leaf({shape.back()}, -1, 1, "beta");
    const Var number = learns_eps ? leaf({}, .01, .02, "eps") : graph->number_leaf({}, eps);
    if (!learns_eps) data[number.id()] = {static_cast<real>(eps)};
    normal = layer_norm(x, gamma, beta, number).id();
  }

  [[nodiscard]] Program program() const { return {graph, leaves, {{"normal", normal}}}; }
};

struct Numbers {
  std::vector<real> normal, dx, dgamma, dbeta;
};

Numbers numbers_of(const Program& program, const Data& data) {
  const std::unique_ptr<Graph> graph = program.graph().copy();
  const Var y = graph->var(program.find("normal"));
  std::vector<Var> by;
  for (const char* name : {"x", "gamma", "beta"}) by.push_back(graph->var(program.leaf(name)));
  // A slope that differs from place to place.
  std::vector<Var> wanted =
      gradients(sum(reshape(tanh(y), {element_count(y.shape())}), 0), ones(*graph, {}), by);
  wanted.push_back(y);
  const Values all = testing::run(*graph, wanted, data);
  const auto list = [&](std::size_t k) { return testing::list(all[wanted[k].id()]); };
  return {list(3), list(0), list(1), list(2)};
}

const std::vector<Shape> shapes{{3, 5}, {2, 3, 8}, {7, 17}, {4, 64}, {1, 1}, {2, 2, 1, 9}};

TEST_CASE("LayerNorm as one node has the digits of the formula, and its gradients") {
  constexpr double tolerance = sizeof(real) == 8 ? 1e-11 : 2e-5;
  for (const Shape& shape : shapes) {
    CAPTURE(shape);
    const Recorded one(shape);
    const Program formula = one.program(), node = fused::with_layer_norms(formula);
    REQUIRE(node.graph()[node.find("normal")].primitive == &fused::layer_norm);
    const Numbers expected = numbers_of(formula, one.data), found = numbers_of(node, one.data);
    const auto check = [&](const std::vector<real>& a, const std::vector<real>& b) {
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        CHECK(std::abs(a[i] - b[i]) <= tolerance * (1 + std::abs(b[i])));
    };
#ifdef __EMSCRIPTEN__
    // Kernels with relaxed SIMD add a product in one step where the nodes of the formula round in between.
    check(found.normal, expected.normal);
#else
    CHECK(found.normal == expected.normal);
#endif
    check(found.dx, expected.dx);
    check(found.dgamma, expected.dgamma);
    check(found.dbeta, expected.dbeta);
  }
}

TEST_CASE("the gradients of LayerNorm as one node are slopes") {
  const double step = sizeof(real) == 8 ? 1e-5 : 1e-2, tolerance = sizeof(real) == 8 ? 1e-7 : 2e-2;
  for (const Shape& shape : {Shape{3, 5}, Shape{2, 11}}) {
    Recorded one(shape);
    const Program node = fused::with_layer_norms(one.program());
    const Numbers at = numbers_of(node, one.data);
    const std::vector<const std::vector<real>*> slopes{&at.dx, &at.dgamma, &at.dbeta};
    const auto total = [&] {
      double sum = 0;
      for (const auto numbers = numbers_of(node, one.data); const real y : numbers.normal)
        sum += std::tanh(static_cast<double>(y));
      return sum;
    };
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      std::vector<real>& numbers = one.data[one.leaves[k].node];
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        CAPTURE(k);
        CAPTURE(i);
        const real kept = numbers[i];
        numbers[i] = static_cast<real>(kept + step);
        const double above = total();
        numbers[i] = static_cast<real>(kept - step);
        const double below = total();
        numbers[i] = kept;
        CHECK(std::abs((above - below) / (2 * step) - (*slopes[k])[i]) <= tolerance);
      }
    }
  }
}

TEST_CASE("a LayerNorm whose eps is learned, or that reads other rows, keeps its formula") {
  const Recorded learned({3, 5}, true);
  const Program kept = fused::with_layer_norms(learned.program());
  CHECK(kept.graph()[kept.find("normal")].primitive != &fused::layer_norm);

  Graph graph;
  Data data;
  const auto leaf = [&](const Shape& shape) {
    return testing::leaf(graph, data, shape, std::vector<real>(element_count(shape), real(1)));
  };
  const Var x = leaf({3, 5}), other = leaf({3, 5}), gamma = leaf({1, 5}), beta = leaf({1, 5});
  const auto normal = [&](Var centred, Var squared) {
    return centred / sqrt(mean(squared, -1, true) + eps) * gamma + beta;
  };
  const Var centred = x - mean(x, -1, true), moved = x - mean(other, -1, true);
  const std::vector<Var> others{
      normal(moved, moved * moved), normal(centred, centred * moved),
      normal(centred, absolute(centred)),
      centred / sqrt(mean(centred * centred, -2, true) + eps) * gamma + beta};
  for (const Var& var : others) {
    const Program program(graph.copy(), {}, {{"normal", var.id()}});
    const Program passed = fused::with_layer_norms(program);
    CHECK(passed.graph()[var.id()].primitive != &fused::layer_norm);
  }
}

}  // namespace
}  // namespace attend::layer_norm_test
