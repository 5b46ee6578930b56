// SPDX-License-Identifier: Apache-2.0
// Differential heads, each the difference of two maps, in which what both have in common cancels:
//   A_t = align(q1 k1^T) - lambda align(q2 k2^T),  [q1 ; q2] = Q W_Q[t],  [k1 ; k2] = K W_K[t],
//   head_t = (1 - lambda_0) RMS(A_t V W_V[t]) * gamma,
//   lambda = exp(lq1 . lk1) - exp(lq2 . lk2) + lambda_0,  lambda_0 = 0.8 - 0.6 exp(-0.3 layer)
// Ye et al. 2024, section 2.1, arXiv:2410.05258
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/layers/loops.h"
#include "ops/rms_norm.h"

namespace attend::differential_entry {
namespace {

// x [n d] by W [h d 2p] -> [2h n p], the two streams of a head one after the other.
Var streams(const char* name, Var x, Var W) {
  const std::size_t h = W.extent(0), n = x.extent(-2), p = W.extent(-1) / 2;
  const Var apart = permute(reshape(matmul(x, W), {h, n, 2, p}), {0, 2, 1, 3});
  return let(name, reshape(apart, {2 * h, n, p}));
}

Triple split(const HeadsIn& in, Triple x) {
  return {streams("Q", x.q, in.param("W_Q")), streams("K", x.k, in.param("W_K")),
          let("V", matmul(x.v, in.param("W_V")))};
}

Var lambda_start(const HeadsIn& in) { return .8 - .6 * exp(-.3 * in.scalar("layer")); }

// Of [.. 2h m x], a row of two streams for each head, one stream [.. h m x].
Var stream(Var x, std::size_t k) {
  Shape pairs = x.shape();
  pairs.end()[-3] /= 2;
  pairs.insert(pairs.end() - 2, 2);
  return squeeze(slice(reshape(x, pairs), -3, k, k + 1), -3);
}

Var lambda_of(const HeadsIn& in) {  // []
  const auto product = [&](const char* q, const char* k) {
    return exp(matmul(in.param(q), in.param(k), false, true));  // [1 1]
  };
  return reshape(product("lambda_q1", "lambda_k1") - product("lambda_q2", "lambda_k2"), {}) +
         lambda_start(in);
}

Var weights(const HeadsIn& in, Var a) {                                      // [.. 2h m n]
  const Var one = let("A^1", stream(a, 0)), two = let("A^2", stream(a, 1));  // [.. h m n]
  const Var lambda = let("\\lambda", lambda_of(in));
  if (a.rank() == 3) {  // not one map for each feature
    in.output(out::weights.as("weights1"), one, "h m n");
    in.output(out::weights.as("weights2"), two, "h m n");
  }
  in.output("lambda", lambda, "");
  return one - lambda * two;
}

Var contexts(const HeadsIn& in, Var c) {  // [2h m dv]
  return stream(c, 0) - lambda_of(in) * stream(c, 1);
}

Var normed(const HeadsIn& in, Var heads) {  // [h m pv]
  if (in.flag("norm")) heads = rms_norm(heads, in.scalar("eps")) * in.param("gamma");
  return (1 - lambda_start(in)) * heads;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t h = in.parameter("W_Q").shape[0], p = in.parameter("W_Q").cols() / 2;
  const double start = .8 - .6 / std::pow(std::exp(.3), in.number("layer"));
  double lambda = start;
  for (const char* number : {"1", "2"}) {
    const double product = inner(in.parameter(std::string("lambda_q") + number).data,
                                 in.parameter(std::string("lambda_k") + number).data);
    lambda += std::exp(product) * (number[0] == '1' ? 1 : -1);
  }
  const auto half = [&](const char* W, std::size_t t, std::size_t k) {
    const Array all = product(x, part_of(in.parameter(W), t));
    return table_by(x.rows(), p, [&](std::size_t i, std::size_t c) { return all(i, k * p + c); });
  };
  const std::size_t n = x.rows(), pv = in.parameter("W_V").cols();
  Array all({h, n, n}), first({h, n, n}), heads({h, n, pv});
  for (std::size_t t = 0; t < h; ++t) {
    const Array v = product(x, part_of(in.parameter("W_V"), t));
    const AttentionTables one = attended(half("W_Q", t, 0), half("W_K", t, 0), v);
    const AttentionTables two = attended(half("W_Q", t, 1), half("W_K", t, 1), v);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        first(t, i, j) = one.weights(i, j);
        all(t, i, j) = one.weights(i, j) - lambda * two.weights(i, j);
      }
      const Row c =
          row_by(pv, [&](std::size_t f) { return one.context(i, f) - lambda * two.context(i, f); });
      const double size =
          in.flag("norm") ? std::sqrt(inner(c, c) / double(pv) + in.number("eps")) : 1;
      for (std::size_t f = 0; f < pv; ++f)
        heads(t, i, f) =
            (1 - start) * c[f] / size * (in.flag("norm") ? in.parameter("gamma")(f) : 1);
    }
  }
  return {{"weights", all},
          {"weights1", first},
          {"lambda", Array(Shape{}, lambda)},
          {"heads", heads},
          {"context", merged_by_loops(in, heads)}};
}

extern const Mechanism record{
    .id = "differential",
    .aliases = {"diff-transformer"},
    .parameters = {{"W_Q", "h dq 2p"},
                   {"W_K", "h dk 2p"},
                   {"W_V", "h dv pv"},
                   {"W_O", "h*pv dc"},
                   {"lambda_q1", "p", Distribution::zero},
                   {"lambda_k1", "p", Distribution::zero},
                   {"lambda_q2", "p", Distribution::zero},
                   {"lambda_k2", "p", Distribution::zero},
                   {"gamma", "pv", Distribution::one}},
    .symbols = {{"p", "ceil(dq/h/2)"}, {"pv", "2p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 2., 1, 16), integer_knob("layer", 0., 0, 96).at_least(0),
              flag_knob("norm", true), number_knob("eps", 1e-5, 1e-12, 1e-3).above(0).log_scale()},
    .needs_query = true,
    .laws = {.rows_sum_to_one = false, .nonnegative = false},
    .coordinate = "multi-head",
    .behaviour = Heads{.split = split,
                       .merge = merge_without_bias,
                       .heads = normed,
                       .weights = weights,
                       .streams = true,
                       .contexts = contexts}};
}  // namespace attend::differential_entry
