// SPDX-License-Identifier: Apache-2.0
// Stacked self-attention as hops, the new features asking in the next one:
//   F^{s+1} = LN(F^s + softmax(F^s W_Q (F^s W_K)^T / sqrt(p)) F^s W_V)
// Brauwers & Frasincar 2022, section 3.3.2, arXiv:2203.14263; Vaswani et al. 2017, section 3.1
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::transformer_as_hops_entry {
namespace {

Tensors build(const Scope& structure, const Tensors& inputs) {
  const Scope in = structure.sized();
  Var f = inputs["x"];                                       // [n d]
  const auto [W_Q, W_K, W_V, gamma, beta] = in.params<5>();  // [hops d p] .. [hops d]
  in.label("m", inputs["x"]);
  in.label("n", inputs["x"]);
  Looked seen;
  Tensors results;
  for (std::size_t s = 0; s < W_Q.extent(0); ++s) {
    const std::string hop = std::to_string(s);
    const auto of_hop = [&](Var W) { return squeeze(slice(W, 0, s, s + 1), 0); };
    const StepSuffix suffix(in.graph(), "^{\\text{hop }" + hop + "}");
    const Var q = let("Q", matmul(f, of_hop(W_Q))), k = let("K", matmul(f, of_hop(W_K)));
    seen = attend_scaled(q, k, matmul(f, of_hop(W_V)));  // [n n] [n d]
    f = let("F", layer_norm(f + seen.context, row(gamma, s), row(beta, s)));
    results.add({out::weights.as("weights." + hop), seen.weights, "m n"});
  }
  return results + Tensors{{out::scores, seen.scores, "m n"},
                           {out::weights, seen.weights, "m n"},
                           {out::context, seen.context, "m dv"},
                           {out::output, f, "m dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array f = in["x"];
  const Array &W_Q = in.parameter("W_Q"), &W_K = in.parameter("W_K"), &W_V = in.parameter("W_V");
  const std::size_t n = f.rows(), d = f.cols();
  Arrays out;
  for (std::size_t s = 0; s < W_Q.shape[0]; ++s) {
    const auto entry = [&](const Array& W, std::size_t i, std::size_t c) {
      double x = 0;
      for (std::size_t g = 0; g < d; ++g) x += f(i, g) * W(s, g, c);
      return x;
    };
    Array e({n, n}), a({n, n}), v({n, d});
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < d; ++c) v(i, c) = entry(W_V, i, c);
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t c = 0; c < W_Q.cols(); ++c) e(i, j) += entry(W_Q, i, c) * entry(W_K, j, c);
        e(i, j) /= std::sqrt(static_cast<double>(W_Q.cols()));
      }
      const Row weights = soft(e.row(i), [](std::size_t) { return true; });
      for (std::size_t j = 0; j < n; ++j) a(i, j) = weights[j];
    }
    const Array context = weighted(a, v);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0, squares = 0;
      for (std::size_t c = 0; c < d; ++c) sum += f(i, c) += context(i, c);
      for (std::size_t c = 0; c < d; ++c) squares += std::pow(f(i, c) - sum / double(d), 2);
      for (std::size_t c = 0; c < d; ++c) {
        f(i, c) = (f(i, c) - sum / double(d)) / std::sqrt(squares / double(d) + 1e-5) *
                      in.parameter("gamma")(s, c) +
                  in.parameter("beta")(s, c);
      }
    }
    out["weights." + std::to_string(s)] = out["weights"] = a;
    out["scores"] = e;
    out["context"] = context;
    out["output"] = f;
  }
  return out;
}

extern const Mechanism record{.id = "transformer-as-hops",
                              .aliases = {"stacked-self-attention"},
                              .parameters = {{"W_Q", "hops d p"},
                                             {"W_K", "hops d p"},
                                             {"W_V", "hops d d"},
                                             {"gamma", "hops d", Distribution::one},
                                             {"beta", "hops d", Distribution::zero}},
                              .symbols = {{"p", "d"}},
                              .knobs = {size_knob("hops", "hops", 2., 1, 6)},
                              .roles = {{"x", "n d"}},
                              .coordinates = {{"scoring", "scaled multiplicative"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"},
                                              {"multiplicity", "multi-hop"}},
                              .behaviour = Structure{build}};
}  // namespace attend::transformer_as_hops_entry
