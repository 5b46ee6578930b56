// SPDX-License-Identifier: Apache-2.0
// Relative positions of Transformer-XL, over the keys [memory; segment]:
//   e_ij = (q_i + u) . k_j + (q_i + v) . (R_{i-j} W_R), times the score's scale
// R sinusoidal; a key of the memory has a position below 0
// Dai et al. 2019, section 3.3, arXiv:1901.02860
#include "catalogue/entry.h"

namespace attend::pos_relative_xl_entry {
namespace {

Triple rows(const PositionIn& in, Triple now) {
  const Var memory = in.port("memory");  // [M dk]
  if (!memory) return now;
  if (now.v.extent(-1) != memory.extent(-1)) {
    refuse("the memory precedes both keys and values, so these need the same width; they are " +
           std::to_string(now.k.extent(-1)) + " and " + std::to_string(now.v.extent(-1)) + " wide");
  }
  const bool same = &now.v.node() == &now.k.node();
  now.k = let("[M; K]", concat({memory, now.k}, -2));
  now.v = same ? now.k : let("[M; V]", concat({memory, now.v}, -2));
  now.memory += memory.extent(-2);
  return now;
}

Var score(const PositionIn& in, Var scores) {  // scores [m n]: the content term
  const Var q = in.inputs.q, k = in.inputs.k;  // [m p] [n p]
  const Var u = in.param("u"), v = in.param("v"), W_R = in.param("W_R");  // [1 p] [1 p] [dr p]
  const std::size_t ahead = k.extent(-2) - in.inputs.memory - 1;
  // One row for each distance i - j that occurs, from -ahead on.
  const std::size_t count = in.row_count() + k.extent(-2) - 1;
  const Var distances = iota(in.graph(), count) - static_cast<double>(ahead);
  const Var R = let("R W_R", matmul(sinusoid(distances, W_R.extent(-2)), W_R));    // [count p]
  const Var index = in.row_index() - in.key_index() + static_cast<double>(ahead);  // [m n]
  // For the kernel: the same by j - i, and the term of the keys.
  const Var turned = static_cast<double>(count - 1 - ahead) - iota(in.graph(), count);
  const Var R_of_gap = matmul(sinusoid(turned, W_R.extent(-2)), W_R);  // [count p]
  const Var scaled = in.score_scale * (q + v);
  const Var of_keys = in.score_scale * matmul(u, k, false, true);
  const auto by_distance = [&](Var x) { return take(matmul(x, R, false, true), index); };
  const Var content_position = let("q_i R_{i-j}^{\\top}", by_distance(q));
  const Var bias_content = let("u k_j^{\\top}", matmul(u, k, false, true));  // [1 n]
  const Var bias_position = let("v R_{i-j}^{\\top}", by_distance(v));
  const Var term = in.score_scale * (content_position + bias_content + bias_position);
  const auto last = static_cast<double>(in.row_count() - 1 + in.inputs.memory);
  return scores + in.relative(term, last, {scaled, R_of_gap, of_keys}, {q, k});
}

// Each wave of the distance from waves of the two places: sin(a - b) and cos(a - b).
Row wave(double i, double j, std::size_t d) {
  Row r(d);
  for (std::size_t c = 0; c < d; ++c) {
    const double turn = std::pow(10000.0, -static_cast<double>(c - c % 2) / static_cast<double>(d));
    const double a = i * turn, b = j * turn;
    r[c] = c % 2 == 0 ? std::sin(a) * std::cos(b) - std::cos(a) * std::sin(b)
                      : std::cos(a) * std::cos(b) + std::sin(a) * std::sin(b);
  }
  return r;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &W_R = in.parameter("W_R");
  const auto memory = in.has("inputs.memory") ? static_cast<double>(in["inputs.memory"].rows()) : 0;
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      const Row r =
          mapped(wave(static_cast<double>(i), static_cast<double>(j) - memory, W_R.rows()), W_R);
      for (std::size_t c = 0; c < k.cols(); ++c)
        e(i, j) +=
            (q(i, c) + in.parameter("u")(c)) * k(j, c) + (q(i, c) + in.parameter("v")(c)) * r[c];
      e(i, j) /= std::sqrt(static_cast<double>(k.cols()));
    }
  }
  return {{"scores", e}};
}

extern const Mechanism record{.id = "pos-relative-xl",
                              .parameters = {{"u", "p"}, {"v", "p"}, {"W_R", "dr p"}},
                              .symbols = {{"dr", "d"}},
                              .roles = {{"memory", "M dk", false}},
                              .needs_query = true,
                              .needs_product = true,
                              .laws = {.permutation = false},
                              .extents = {{"M", 3}, {"dv", 6}},
                              .behaviour = Position{.rows = rows, .score = score}};
}  // namespace attend::pos_relative_xl_entry
