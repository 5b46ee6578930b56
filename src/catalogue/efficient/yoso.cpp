// SPDX-License-Identifier: Apache-2.0
// YOSO: q and k of length 1; the weight is the chance that tau random planes separate no pair,
// W_ij = (1 - arccos(q_i . k_j) / pi)^tau, or the share of M rounds in which all tau signs agree; C = rows of length 1
// of W V Zeng et al. 2021, arXiv:2111.09714
#include <limits>
#include <numbers>

#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"

namespace attend::yoso_entry {
namespace {

constexpr std::size_t most_pairs = 512 * 512;  // of which sampled weights are a map
constexpr std::size_t most_planes = 16;        // of which a bucket for each code is worth its room

// On which side of each plane the rows lie, 0 or 1: [.. rounds n tau], the planes being [.. rounds p tau].
Var sides(const CoreIn& in, Var x) {
  const Var given = in.param("R");
  const Var R = given.rank() == x.rank() ? expand(given, -3) : given;  // of one round alone
  const Var at = matmul(expand(x, -3), R);
  return greater(at, scalar(at, 0));
}

// 1 where all tau signs agree, the mean over rounds: [.. m n].
Var agreement(const CoreIn& in, Var q, Var k) {
  const Var same = matmul(2 * sides(in, q) - 1, 2 * sides(in, k) - 1, false, true);
  const double tau = in.number("tau");  // what `same` is where all agree
  return mean(greater(same, scalar(same, tau - 0.5)), -3);
}

// Agreement times values without its map: in every round values are summed by the code of their key, and a query takes
// the sum of its own code. [.. m dv]
Var by_buckets(const CoreIn& in, Var q, Var k, Var v) {
  const std::size_t tau = in.integer("tau"), buckets = std::size_t{1} << tau;
  const auto codes = [&](Var x) {
    const Var side = sides(in, x);
    Var code = slice(side, -1, 0, 1);
    for (std::size_t t = 1; t < tau; ++t) code = 2 * code + slice(side, -1, t, t + 1);
    return squeeze(code, -1);  // [.. rounds n]
  };
  const Var of_q = codes(q), of_k = codes(k), values = transpose(v);
  const std::size_t rounds = of_q.extent(-2);
  Var total;
  for (std::size_t r = 0; r < rounds; ++r) {
    const Var sums = put(values, slice(of_k, -2, r, r + 1), buckets);  // [.. dv buckets]
    const Var found = take(sums, slice(of_q, -2, r, r + 1));           // [.. dv m]
    total = total ? total + found : found;
  }
  return transpose(total) / static_cast<double>(rounds);
}

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const Var q = let("\\hat{Q}", unit_rows(in.q)), k = let("\\hat{K}", unit_rows(in.k));
  // The product of equal rows is 1 only up to rounding, and arccos would make a root of that gap; near
  // 1 the slope has no bound, and equal rows have none.
  const Var product = matmul(q, k, false, true);  // [.. m n]
  const double rounding = 8. * std::numeric_limits<real>::epsilon();
  const Var same = greater(product, scalar(product, 1 - rounding));
  const Var steep = greater(absolute(product), scalar(product, 1 - 1e-6));
  const Var exact = where(same, scalar(product, 1), clip(product, -1, 1));
  const Var cosine = where(steep, detach(exact), product);
  const Var chance = 1 - arccos(cosine) / std::numbers::pi;
  Var W = power(chance, scalar(chance, in.number("tau")));
  const bool sampled = in.text("mode") == "sample";
  if (sampled && !in.causal && in.m() > most_pairs / in.n() && in.number("tau") <= most_planes) {
    Weighing weighing{[=](Var v) {  // it learns as its expectation does
      const Var smooth = matmul(W, detach(v));
      return by_buckets(in, q, k, v) + (smooth - detach(smooth));
    }};
    if (in.m() <= max_elements / in.n() / in.integer("samples"))
      weighing.weights = agreement(in, q, k);
    weighing.probabilities = false;
    return weighing;
  }
  if (sampled) {
    const Var drawn = agreement(in, q, k);
    W = detach(drawn) + W - detach(W);  // it learns as its expectation does
  }
  if (in.causal) W = W * in.past_pairs();
  return weighed_by(let("W", W), false);
}

Var finish(const CoreIn& in, Var context) {
  return in.flag("normalise") ? unit_rows(context) : context;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const std::size_t tau = in.integer("tau");
  Array R;
  if (in.text("mode") == "sample") {
    R = in.parameter("R");
    if (R.shape.size() == 2) R.shape.insert(R.shape.begin(), 1);
  }
  const auto agree = [&](std::size_t i, std::size_t j, std::size_t round) {
    for (std::size_t t = 0; t < tau; ++t) {
      double a = 0, b = 0;
      for (std::size_t c = 0; c < q.cols(); ++c) {
        a += q(i, c) * R(round, c, t);
        b += k(j, c) * R(round, c, t);
      }
      if ((a > 0) != (b > 0)) return false;
    }
    return true;
  };
  Arrays out = rows_of_weights(in, [&](std::size_t i) {
    Row a(k.rows(), 0);
    for (std::size_t j = 0; j < a.size() && (j <= i || !in.flag("causal")); ++j) {
      const Row x = q.row(i), y = k.row(j);
      const double cosine = inner(x, y) / std::sqrt(inner(x, x) * inner(y, y));
      a[j] = std::pow(1 - std::acos(std::clamp(cosine, -1.0, 1.0)) / std::numbers::pi,
                      static_cast<double>(tau));
      if (in.text("mode") != "sample") continue;
      a[j] = 0;
      for (std::size_t round = 0; round < R.shape[0]; ++round) a[j] += agree(i, j, round) ? 1 : 0;
      a[j] /= static_cast<double>(R.shape[0]);
    }
    return a;
  });
  Array& context = out["context"];
  for (std::size_t i = 0; i < context.rows() && in.flag("normalise"); ++i) {
    const double length = std::sqrt(inner(context.row(i), context.row(i)));
    for (std::size_t c = 0; c < context.cols(); ++c) context(i, c) /= length > 0 ? length : 1;
  }
  return out;
}

extern const Mechanism record{
    .id = "yoso",
    .parameters = {{"R", "rounds p tau | p tau", Distribution::normal}},
    .knobs = {size_knob("tau", "tau", 8., 1, 32),
              choice_knob("mode", "expect", {"expect", "sample"}),
              size_knob("samples", "rounds", 16., 1, 128), flag_knob("normalise", true),
              flag_knob("causal", false)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false},
    .coordinates = core_coordinates,
    .example = R"("tau": 3)",
    .behaviour = Core{.build = build, .masks = causal_mask, .finish = finish}};
}  // namespace attend::yoso_entry
