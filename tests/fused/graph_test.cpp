// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bindings/efficient/multi_head.h"
#include "ops/backward.h"
#include "tests/fused/trial.h"
#include "tests/ops/run.h"

namespace attend::fused_tests::graph_test {
namespace {

using testing::Data;
using testing::leaf;
using testing::run;
using testing::value;

std::vector<real> dense(Tensor& x, std::size_t heads) {
  std::vector<real> numbers;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      for (std::size_t c = 0; c < x.cols; ++c) numbers.push_back(x.at(h, i, c));
    }
  }
  return numbers;
}

// `size`: of the terms that were added up.
void check_close(Tensor& got, std::size_t heads, Numbers want, const std::vector<sweep::wide>& size,
                 double tolerance) {
  const std::vector<real> numbers = dense(got, heads);
  REQUIRE(numbers.size() == want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    CHECK(std::abs(numbers[i] - want[i]) <= tolerance * static_cast<double>(size[i]) + 1e-35);
  }
}

TEST_CASE("fused attention is the graph that it stands for") {
  Setting s;
  s.heads = 2;
  s.m = 45;
  s.n = 300;
  s.d = 12;
  s.dv = 7;
  s.bias = true;
  s.mask = true;
  Trial trial(s, 9);
  for (std::size_t j = 0; j < s.n; ++j) trial.mask.at(1, 4, j) = 0;
  trial.forward();
  trial.backward();
  trial.expect();

  Graph graph;
  Data data;
  const Var q = leaf(graph, data, {2, s.m, s.d}, dense(trial.q, 2));
  const Var k = leaf(graph, data, {2, s.n, s.d}, dense(trial.k, 2));
  const Var v = leaf(graph, data, {2, s.n, s.dv}, dense(trial.v, 2));
  const Var bias = leaf(graph, data, {2, s.m, s.n}, dense(trial.bias, 2));
  const Var mask = leaf(graph, data, {2, s.m, s.n}, dense(trial.mask, 2));
  const Var dout = leaf(graph, data, {2, s.m, s.dv}, dense(trial.out_gradient, 2));
  const Var scores = matmul(q, k, false, true) * static_cast<double>(trial.call.scale) + bias;
  const Var out = matmul(softmax(scores, mask), v);
  const std::vector<Var> slopes = gradients(out, dout, {q, k, v, bias});
  const Values values = run(graph, {out, slopes[0], slopes[1], slopes[2], slopes[3]}, data);

  const double both = 2 * trial.tolerance;  // the graph rounds, too
  check_close(trial.out, 2, values[out.id()], trial.out_expected.size, both);
  check_close(trial.q_gradient, 2, values[slopes[0].id()], trial.q_expected.size, both);
  check_close(trial.k_gradient, 2, values[slopes[1].id()], trial.k_expected.size, both);
  check_close(trial.v_gradient, 2, values[slopes[2].id()], trial.v_expected.size, both);
  check_close(trial.bias_gradient, 2, values[slopes[3].id()], trial.bias_expected.size, both);
}

TEST_CASE("multi-head attention with its projections is the graph's") {
  struct Sizes {
    std::size_t m, n, width, heads;
  };
  for (const Sizes& s : {Sizes{1, 1, 1, 1}, Sizes{5, 9, 6, 3}, Sizes{17, 33, 24, 2},
                         Sizes{40, 40, 64, 8}, Sizes{9, 150, 100, 4}, Sizes{7, 9, 300, 3}}) {
    CAPTURE(s.width);
    sweep::Numbers numbers(s.width);
    Graph graph;
    Data data;
    const auto draw = [&](std::size_t rows, double size) {
      return leaf(graph, data, {rows, s.width}, numbers.list(rows * s.width, -size, size));
    };
    const double small = 1.7 / std::sqrt(static_cast<double>(s.width));
    const Var x = draw(s.m, 1);
    const Var y = draw(s.n, 1);
    const Var w_q = draw(s.width, small);
    const Var w_k = draw(s.width, small);
    const Var w_v = draw(s.width, small);
    const Var w_o = draw(s.width, small);
    const std::size_t d = s.width / s.heads;
    const auto split = [&](Var rows) {
      return permute(reshape(rows, {rows.extent(0), s.heads, d}), {1, 0, 2});
    };
    const Var scores = matmul(split(matmul(x, w_q)), split(matmul(y, w_k)), false, true) /
                       std::sqrt(static_cast<double>(d));
    const Var context = matmul(softmax(scores), split(matmul(y, w_v)));
    const Var out = matmul(reshape(permute(context, {1, 0, 2}), {s.m, s.width}), w_o);

    fused::MultiHead call;
    call.m = s.m;
    call.n = s.n;
    call.width = s.width;
    call.heads = s.heads;
    call.x = data[x.id()].data();
    call.y = data[y.id()].data();
    call.w_q = data[w_q.id()].data();
    call.w_k = data[w_k.id()].data();
    call.w_v = data[w_v.id()].data();
    call.w_o = data[w_o.id()].data();
    sweep::Guarded got(s.m * s.width, 1);
    fused::multi_head(call, got.data());
    CHECK(got.intact());
    const std::vector<real> want = value(out, data);
    for (std::size_t i = 0; i < want.size(); ++i) {
      // Four sums of about `width` terms below 1 follow each other.
      CHECK(std::abs(got.data()[i] - want[i]) <= 200 * sweep::epsilon);
    }
  }
}

}  // namespace
}  // namespace attend::fused_tests::graph_test
