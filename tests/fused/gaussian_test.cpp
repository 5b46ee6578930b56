// SPDX-License-Identifier: Apache-2.0
// Gaussian kernels by the fused nodes: softmax of squared distances, and products with a kernel that is not divided.
#include <cmath>
#include <limits>

#include "fused/fuse.h"
#include "fused/gaussian_product.h"
#include "fused/softmax_attention.h"
#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/intent.h"
#include "ops/primitives/records.h"
#include "tests/ops/counted.h"
#include "tests/ops/run.h"

namespace attend::gaussian_test {
namespace {

using testing::Data;

constexpr double tolerance = sizeof(real) == 8 ? 1e-11 : 4e-5;
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

struct Form {
  Shape q{5, 4}, k{7, 4}, v{7, 3};
  bool divided = true;      // by a softmax
  bool causal = false;      // with the softmax
  bool transposed = false;  // the kernel's transpose times values of the queries
  double factor = -.4;
};

// One form, and the gradients of what it reads.
struct Recorded {
  Graph graph;
  Data data;
  std::vector<Var> learned;
  Var gaps, weights, context;

  explicit Recorded(const Form& form) {
    sweep::Numbers numbers(5);
    const auto leaf = [&](const Shape& shape) {
      learned.push_back(
          testing::leaf(graph, data, shape, numbers.list(element_count(shape), -1.5, 1.5)));
      return learned.back();
    };
    const Var q = leaf(form.q), k = leaf(form.k), v = leaf(form.v);
    gaps = apply(primitives::squared_gaps, {q, k});
    const Var e = form.factor * gaps;
    Var mask;
    if (form.causal)
      mask = stated(greater(iota(graph, q.extent(-2), 2) + 1, iota(graph, k.extent(-2))),
                    causal_intent());
    if (form.divided) {
      weights = let("A", mask ? softmax(e, mask) : softmax(e));
    } else {
      weights = let("A", stated(exp(e), gaussian_intent(-2 * form.factor), {q, k}));
    }
    context = let("C", matmul(weights, v, form.transposed, false));
  }

  std::vector<std::vector<real>> values(std::size_t from, std::size_t expected) {
    CHECK(fused::fuse(graph, {context}, from) == expected);
    std::vector<Var> wanted = gradients(tanh(context), ones(graph, context.shape()), learned);
    wanted.push_back(context);
    const Values all = testing::run(graph, wanted, data);
    std::vector<std::vector<real>> list;
    for (const Var var : wanted) list.push_back(testing::list(all[var.id()]));
    return list;
  }
};

void check_equal(const Form& form) {
  const auto expected = Recorded(form).values(never, 0), found = Recorded(form).values(0, 1);
  for (std::size_t t = 0; t < expected.size(); ++t) {
    CAPTURE(t);
    REQUIRE(found[t].size() == expected[t].size());
    for (std::size_t i = 0; i < expected[t].size(); ++i) {
      CAPTURE(i);
      CHECK(std::abs(found[t][i] - expected[t][i]) <= tolerance * (1 + std::abs(expected[t][i])));
    }
  }
}

TEST_CASE("the softmax of squared distances is fused, with its gradients") {
  check_equal({});
  check_equal({.causal = true});
  check_equal({.factor = -2});
  check_equal({.q = {130, 9}, .k = {270, 9}, .v = {270, 5}});
  check_equal({.q = {2, 5, 4}, .k = {2, 7, 4}, .v = {2, 7, 3}, .causal = true});
  check_equal({.q = {2, 5, 4}, .k = {2, 7, 4}, .v = {7, 3}});
}

TEST_CASE(
    "products with a Gaussian kernel are fused, and with its transpose, with their gradients") {
  check_equal({.divided = false});
  check_equal({.divided = false, .factor = -2});
  check_equal({.v = {5, 3}, .divided = false, .transposed = true});
  check_equal({.q = {130, 9}, .k = {270, 9}, .v = {270, 5}, .divided = false});
  check_equal({.q = {2, 5, 4}, .k = {2, 7, 4}, .v = {2, 7, 3}, .divided = false});
  check_equal({.q = {2, 5, 4}, .k = {2, 7, 4}, .v = {7, 3}, .divided = false});
  check_equal({.q = {1, 4}, .k = {1, 4}, .v = {1, 2}, .divided = false});
}

TEST_CASE(
    "a kernel that somebody asks for, that grows or whose values have heads of their own stays") {
  const auto count = [](const Form& form, auto wanted) {
    Recorded one(form);
    return fused::fuse(one.graph, wanted(one), 0);
  };
  using Vars = std::vector<Var>;
  for (const bool divided : {false, true}) {
    CHECK(count({.divided = divided}, [](Recorded& r) { return Vars{r.context}; }) == 1);
    CHECK(count({.divided = divided}, [](Recorded& r) { return Vars{r.context, r.weights}; }) == 0);
    CHECK(count({.divided = divided}, [](Recorded& r) { return Vars{sum(r.weights, -1) * 2}; }) ==
          0);
    CHECK(count({.divided = divided, .factor = .3}, [](Recorded& r) { return Vars{r.context}; }) ==
          0);
  }
  const Form heads{.v = {2, 7, 3}, .divided = false};
  CHECK(count(heads, [](Recorded& r) { return Vars{r.context}; }) == 0);
  // Two products with one kernel are two nodes; one of them with another reader of the kernel is none.
  Recorded both(Form{.k = {5, 4}, .v = {5, 3}, .divided = false});
  const Var back = matmul(both.weights, both.context, true, false);
  CHECK(fused::fuse(both.graph, {back}, 0) == 2);
  Recorded read(Form{.divided = false});
  CHECK(fused::fuse(read.graph, {read.context, sum(read.weights, -1)}, 0) == 0);
}

TEST_CASE("a fused kernel is never held") {
  for (const bool divided : {false, true}) {
    Recorded one(Form{.q = {300, 4}, .k = {400, 4}, .v = {400, 3}, .divided = divided});
    CHECK(plan(one.graph, {one.context}).peak_bytes > 300 * 400 * sizeof(real));
    CHECK(fused::fuse(one.graph, {one.context}) == 1);
    CHECK(plan(one.graph, {one.context}).peak_bytes < 300 * 400 * sizeof(real) / 10);
  }
}

TEST_CASE(
    "exponents of rows far from 0, or far from every key, neither overflow nor vanish wrongly") {
  Graph graph;
  Data data;
  const Var q = testing::leaf(graph, data, {2, 1}, {30, 100}),
            k = testing::leaf(graph, data, {2, 1}, {30.5, -70}),
            v = testing::leaf(graph, data, {2, 1}, {2, 5});
  const Var kernel = exp(-.5 * apply(primitives::squared_gaps, {q, k}));
  const Var out = matmul(stated(kernel, gaussian_intent(1), {q, k}), v);
  CHECK(fused::fuse(graph, {out}, 0) == 1);
  const std::vector<real> found = testing::value(out, data);
  CHECK(found[0] == doctest::Approx(2 * std::exp(-.125)).epsilon(1e-4));
  CHECK(found[1] == 0);
}

// Of rows that are far from 0, but near each other: by the formula in double.
TEST_CASE("distances of rows that nearly coincide keep their digits, and so do their slopes") {
  sweep::Numbers numbers(7);
  const std::size_t m = 9, n = 70, p = 5;
  const std::vector<real> a = numbers.list(m * p, 20, 20.5), b = numbers.list(n * p, 20, 20.5),
                          v = numbers.list(n, -1, 1);
  std::vector<double> context(m), slope(m * p), key_slope(n * p);
  for (std::size_t i = 0; i < m; ++i) {
    std::vector<double> weights(n);
    double total = 0;
    for (std::size_t j = 0; j < n; ++j) {
      double square = 0;
      for (std::size_t c = 0; c < p; ++c)
        square +=
            std::pow(static_cast<double>(a[i * p + c]) - static_cast<double>(b[j * p + c]), 2);
      total += weights[j] = std::exp(-3 * square);
    }
    for (std::size_t j = 0; j < n; ++j)
      context[i] += weights[j] / total * static_cast<double>(v[j]);
    for (std::size_t j = 0; j < n; ++j) {
      const double of_square = -3 * weights[j] / total * (static_cast<double>(v[j]) - context[i]);
      for (std::size_t c = 0; c < p; ++c) {
        const double along =
            2 * of_square * (static_cast<double>(a[i * p + c]) - static_cast<double>(b[j * p + c]));
        slope[i * p + c] += along;
        key_slope[j * p + c] -= along;
      }
    }
  }
  for (const bool fused : {false, true}) {
    CAPTURE(fused);
    Graph graph;
    Data data;
    const Var q = testing::leaf(graph, data, {m, p}, a), k = testing::leaf(graph, data, {n, p}, b),
              values = testing::leaf(graph, data, {n, 1}, v);
    const Var out = matmul(softmax(-3 * apply(primitives::squared_gaps, {q, k})), values);
    CHECK(fused::fuse(graph, {out}, fused ? 0 : never) == (fused ? 1 : 0));
    std::vector<Var> wanted = gradients(out, ones(graph, {m, 1}), {q, k});
    wanted.push_back(out);
    const Values all = testing::run(graph, wanted, data);
    const std::vector<double>* const expected[] = {&slope, &key_slope, &context};
    for (std::size_t t = 0; t < 3; ++t) {
      CAPTURE(t);
      const std::vector<real> found = testing::list(all[wanted[t].id()]);
      REQUIRE(found.size() == expected[t]->size());
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(std::abs(static_cast<double>(found[i]) - (*expected[t])[i]) <
              (sizeof(real) == 8 ? 1e-13 : 2e-6));
    }
  }
}

using testing::Counted;
using testing::tally;

// The kernel times values in plain loops that count what they do, exponents relative to the row's largest.
Cost counted(std::size_t m, std::size_t n, std::size_t d, std::size_t dv) {
  std::vector<Counted> q(m * d, .5), k(n * d, .25);
  const std::vector<Counted> v(n * dv, 1);
  tally = {};
  std::vector<Counted> mean(d, 0);
  for (std::size_t j = 0; j < n * d; ++j) mean[j % d] = mean[j % d] + k[j];
  for (Counted& x : mean) x = x / static_cast<double>(n);
  for (std::size_t i = 0; i < m * d; ++i) q[i] = q[i] - mean[i % d];
  for (std::size_t j = 0; j < n * d; ++j) k[j] = k[j] - mean[j % d];
  const auto square = [&](const std::vector<Counted>& x, std::size_t i) {
    Counted sum = 0;
    for (std::size_t c = 0; c < d; ++c) sum = multiply_add(x[i * d + c], x[i * d + c], sum);
    return sum * -.5;
  };
  const auto power = [](Counted x) { return exponential([](double y) { return std::exp(y); }, x); };
  std::vector<Counted> bias(n);
  for (std::size_t j = 0; j < n; ++j) bias[j] = square(k, j);
  for (std::size_t i = 0; i < m; ++i) {
    const Counted own = square(q, i);
    std::vector<Counted> e(n), out(dv, 0);
    Counted most = -1e30, sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      Counted product = 0;
      for (std::size_t c = 0; c < d; ++c)
        product = multiply_add(q[i * d + c], k[j * d + c], product);
      e[j] = product * 1 + bias[j];
      most = e[j] > most ? e[j] : most;
    }
    for (std::size_t j = 0; j < n; ++j) {
      const Counted weight = power(e[j] - most);
      sum = sum + weight;
      for (std::size_t c = 0; c < dv; ++c) out[c] = multiply_add(weight, v[j * dv + c], out[c]);
    }
    const Counted by = sum * power(most - (Counted(own.plain())));
    for (std::size_t c = 0; c < dv; ++c) out[c] = out[c] * by;
  }
  return {tally.multiply_adds, tally.exponentials, 0, true};
}

TEST_CASE("the fused product with a kernel costs what plain loops count") {
  for (const auto& [m, n] : {std::pair{3UL, 5UL}, {1UL, 1UL}, {8UL, 2UL}}) {
    Recorded one(Form{.q = {m, 4}, .k = {n, 4}, .v = {n, 3}, .divided = false});
    REQUIRE(fused::fuse(one.graph, {one.context}, 0) == 1);
    std::vector<bool> needed(one.graph.size(), false);
    needed[one.context.id()] = true;
    const Cost said = cost_of(one.graph, needed), found = counted(m, n, 4, 3);
    CHECK(said.exact);
    CHECK(said.multiply_adds == found.multiply_adds);
    CHECK(said.exponentials == found.exponentials);
    CHECK(said.bytes == (m * 4 + n * 4 + n * 3 + m * 3) * sizeof(real));
  }
}

}  // namespace
}  // namespace attend::gaussian_test
