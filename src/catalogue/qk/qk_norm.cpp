// SPDX-License-Identifier: Apache-2.0
// Queries and keys brought to one length in each head, before any rotation:
//   rms: x / sqrt(mean x^2 + eps) gamma,  layer: the same of x - mean x,  l2: x / max(|x|, 1e-12) gamma
// Henry et al. 2020 (l2), arXiv:2010.04245; Dehghani et al. 2023 (layer), arXiv:2302.05442
#include "catalogue/entry.h"
#include "catalogue/reason.h"

namespace attend::qk_norm_entry {
namespace {

constexpr double shortest = 1e-12;

// x [.. n p] with its gamma, [p] for all heads; over = heads: the heads' rows side by side are one, and gamma is [h p].
Var normed(const QkIn& in, const char* name, Var x, const char* gamma, bool joined) {
  const std::string& kind = in.text("kind");
  const bool query = std::string_view(gamma) == "gamma_Q";
  const Var own = joined ? expand(in.param(gamma, query ? "h dq" : "G dk"), -2)  // [h 1 p]
                         : in.param(gamma, query ? "dq" : "dk");                 // [1 p]
  const auto count = static_cast<double>(x.extent(-1) * (joined ? x.extent(-3) : 1));
  const auto total = [&](Var y) {  // [.. n 1]
    const Var by_head = sum(y, -1, true);
    return joined ? sum(by_head, -3, true) : by_head;
  };
  if (kind == "layer") x = x - total(x) / count;
  const Var squares = total(x * x);
  const Var length = kind == "l2" ? maximum(sqrt(squares), scalar(squares, shortest))
                                  : sqrt(squares / count + in.scalar("eps"));
  return let(name, x / length * (own + in.scalar("offset")));
}

Triple build(const QkIn& in, Triple now) {  // q [.. m dq]  k [.. n dk]
  const bool joined = in.text("over") == "heads" && in.dimensions.get("h");
  now.q = normed(in, "\\bar{Q}", now.q, "gamma_Q", joined);
  now.k = normed(in, "\\bar{K}", now.k, "gamma_K", joined);
  return now;
}

Row normed(const ReferenceIn& in, Row x, const Array& gamma) {
  const std::string& kind = in.text("kind");
  const auto n = static_cast<double>(x.size());
  double mean = 0, squares = 0;
  for (const double one : x) mean += kind == "layer" ? one / n : 0;
  for (const double one : x) squares += (one - mean) * (one - mean);
  const double length = kind == "l2" ? std::max(std::sqrt(squares), shortest)
                                     : std::sqrt(squares / n + in.number("eps"));
  for (std::size_t c = 0; c < x.size(); ++c)
    x[c] = (x[c] - mean) / length * (gamma(c) + in.number("offset"));
  return x;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Arrays out;
  for (const auto& [name, gamma] : {std::pair{"query", "gamma_Q"}, {"key", "gamma_K"}}) {
    Array y = in["inputs." + std::string(name)];
    for (std::size_t i = 0; i < y.rows(); ++i) {
      const Row row = normed(in, y.row(i), in.parameter(gamma));
      std::copy(row.begin(), row.end(), y.data.begin() + static_cast<long>(i * row.size()));
    }
    out[name] = y;
  }
  const Array e =
      table_by(out["query"].rows(), out["key"].rows(), [&](std::size_t i, std::size_t j) {
        return inner(out["query"].row(i), out["key"].row(j)) /
               std::sqrt(static_cast<double>(out["key"].cols()));
      });
  out["scores"] = e;
  return out;
}

extern const Mechanism record{
    .id = "qk-norm",
    .parameters = {{"gamma_Q", "dq | h dq", Distribution::one},
                   {"gamma_K", "dk | G dk", Distribution::one}},
    .knobs = {choice_knob("kind", "rms", {"rms", "layer", "l2"}),
              choice_knob("over", "head", {"head", "heads"}),
              number_knob("eps", 1e-6, 1e-12, 1e-3).above(0).log_scale(),
              number_knob("offset", 0., 0, 1)},
    .excludes = {{"score", {"external-energy"}, false, "scores-are-given"_reason}},
    .needs_query = true,
    .behaviour = Qk{build}};
}  // namespace attend::qk_norm_entry
