// SPDX-License-Identifier: Apache-2.0
// Multi-head latent attention: keys and values of all heads come from one short row for each token,
//   c = N(x_K W_DKV),  k_t = [c W_UK[t] ; rope(x_K W_KR)],  v_t = c W_UV[t],
//   q_t = [q^n ; rope(q^r)] of N(x_Q W_DQ) W_UQ[t], or of x_Q W_Q[t] where query_rank is 0;  N: RMS norm
// DeepSeek-AI 2024 (DeepSeek-V2), section 2.1, arXiv:2405.04434
#include <complex>

#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/heads/turned_pairs.h"
#include "catalogue/reason.h"
#include "ops/rms_norm.h"

namespace attend::mla_entry {
namespace {

Var normed(const HeadsIn& in, Var rows, const char* gamma) {
  return in.flag("norm") ? rms_norm(rows, in.scalar("eps")) * in.param(gamma) : rows;
}

// Positions of the rows that ask, [m]: one step of a decoder is one row.
Var positions_of(const HeadsIn& in, Var q) {
  const std::size_t m = q.extent(-2);
  if (in.assembler.steps != nullptr && m == 1) return reshape(in.assembler.steps->index, {1});
  return iota(in.graph(), m);
}

Triple split(const HeadsIn& in, Triple x) {  // [m dq] [n dk], values are not read
  const bool low_rank = in.integer("query_rank") > 0;
  const Var asks = low_rank ? normed(in, matmul(x.q, in.param("W_DQ")), "gamma_Q") : x.q;
  Var q = matmul(asks, in.param(low_rank ? "W_UQ" : "W_Q"));                       // [h m p]
  const Var c = let("c", normed(in, matmul(x.k, in.param("W_DKV")), "gamma_KV"));  // [n r]
  Var k = matmul(c, in.param("W_UK"));                                             // [h n pn]
  const Var v = let("V", matmul(c, in.param("W_UV")));                             // [h n pv]
  in.output("latent", c, "n latent:feature");
  const std::size_t pn = k.extent(-1), pr = in.integer("rope_width"), n = x.k.extent(-2);
  if (pr > 0) {
    const auto turned = [&](Var rows, Var positions) {
      return turned_rows(rows, positions, in.scalar("base"), in.text("pairs") == "neighbour");
    };
    const Var places = iota(in.graph(), n) - static_cast<double>(x.memory);
    const Var rope = let("k^r", turned(matmul(x.k, in.param("W_KR")), places));  // [n pr]
    in.output("latent_key", rope, "n pr:feature");
    k = concat({k, broadcast_to(rope, {k.extent(0), n, pr})}, -1);
    q = concat({slice(q, -1, 0, pn), turned(slice(q, -1, pn, pn + pr), positions_of(in, x.q))}, -1);
  }
  return {let("Q", q), let("K", k), v};
}

// Row i turned by i, pairs as complex numbers.
Row turned_by_loops(const ReferenceIn& in, Row x, std::size_t i) {
  const std::size_t pairs = x.size() / 2;
  const bool neighbours = in.text("pairs") == "neighbour";
  for (std::size_t t = 0; t < pairs; ++t) {
    const std::size_t a = neighbours ? 2 * t : t, b = neighbours ? 2 * t + 1 : t + pairs;
    const double speed = std::exp(-std::log(in.number("base")) * double(t) / double(pairs));
    const auto z = std::complex<double>(x[a], x[b]) * std::polar(1., double(i) * speed);
    x[a] = z.real();
    x[b] = z.imag();
  }
  return x;
}

Row normed_by_loops(const ReferenceIn& in, Row x, const char* gamma) {
  if (!in.flag("norm")) return x;
  const double size = std::sqrt(inner(x, x) / double(x.size()) + in.number("eps"));
  for (std::size_t c = 0; c < x.size(); ++c) x[c] *= in.parameter(gamma)(c) / size;
  return x;
}

// A width that may be 0: then there is no such part.
constexpr Knob width_or_none(std::string_view name, std::string_view symbol, double fallback) {
  Knob knob = integer_knob(name, fallback, 0, 256).at_least(0);
  knob.symbol = symbol;
  return knob;
}

}  // namespace

// The absorbed form: queries are mapped by W_UK^T and meet the latent rows themselves.
Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &W_UK = in.parameter("W_UK"), &W_UV = in.parameter("W_UV");
  const std::size_t n = x.rows(), h = W_UK.shape[0], rank = W_UK.rows(), pn = W_UK.cols();
  const std::size_t pr = in.integer("rope_width");
  const bool low_rank = in.number("query_rank") > 0;
  Array latent({n, rank}), key({n, std::max<std::size_t>(pr, 1)}), scores({h, n, n});
  Array heads({h, n, W_UV.cols()});
  for (std::size_t j = 0; j < n; ++j) {
    latent.set(normed_by_loops(in, mapped(x.row(j), in.parameter("W_DKV")), "gamma_KV"), j);
    if (pr == 0) continue;
    const Row turned = turned_by_loops(in, mapped(x.row(j), in.parameter("W_KR")), j);
    key.set(turned, j);
  }
  for (std::size_t t = 0; t < h; ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      Row q = x.row(i);
      if (low_rank) q = normed_by_loops(in, mapped(q, in.parameter("W_DQ")), "gamma_Q");
      q = mapped(q, part_of(in.parameter(low_rank ? "W_UQ" : "W_Q"), t));
      const Row turned = turned_by_loops(in, Row(q.begin() + static_cast<long>(pn), q.end()), i);
      const Row absorbed = row_by(rank, [&](std::size_t u) { return inner(W_UK.row(t, u), q); });
      Row e(n, 0);
      for (std::size_t j = 0; j < n; ++j) {
        e[j] = inner(absorbed, latent.row(j));
        for (std::size_t c = 0; c < pr; ++c) e[j] += turned[c] * key(j, c);
        scores(t, i, j) = e[j] /= std::sqrt(double(pn + pr));
      }
      const Row a = softened(e);
      heads.set(mapped(mapped(a, latent), part_of(W_UV, t)), t, i);
    }
  }
  Arrays out{{"scores", scores}, {"latent", latent}, {"context", merged_by_loops(in, heads)}};
  if (pr > 0) out["latent_key"] = key;
  return out;
}

extern const Mechanism record{
    .id = "mla",
    .aliases = {"multi-head-latent", "latent-attention"},
    .parameters = {{"W_DQ", "dq cq"},
                   {"gamma_Q", "cq", Distribution::one},
                   {"W_DKV", "dk ckv"},
                   {"gamma_KV", "ckv", Distribution::one},
                   {"W_UK", "h ckv pn"},
                   {"W_UV", "h ckv pv"},
                   {"W_KR", "dk pr"},
                   {"W_UQ", "h cq pn+pr"},
                   {"W_Q", "h dq pn+pr"},
                   {"W_O", "h*pv dc"}},
    .symbols = {{"pn", "ceil(dq/h)"}, {"pv", "pn"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), width_or_none("query_rank", "cq", 0.),
              size_knob("rank", "ckv", "ceil(dk/2)", 1, 256), width_or_none("rope_width", "pr", 2.),
              number_knob("base", 10000., 1, 1e6).above(0).log_scale(),
              choice_knob("pairs", "neighbour", {"neighbour", "half"}), flag_knob("norm", true),
              number_knob("eps", 1e-6, 1e-12, 1e-3).above(0).log_scale()},
    .excludes = {{"aggregate", {"aggregate-gate"}, false, "values-not-as-wide"_reason}},
    .needs_query = true,
    .laws = {.permutation = false},
    .coordinate = "multi-head",
    .behaviour = Heads{.split = split, .merge = merge_without_bias}};
}  // namespace attend::mla_entry
