// SPDX-License-Identifier: Apache-2.0
// Stacked self-attention as hops, the new features asking in the next one:
//   F^{s+1} = LN(F^s + softmax(F^s W_Q (F^s W_K)^T / sqrt(p)) F^s W_V)
// Brauwers & Frasincar 2022, section 3.3.2, arXiv:2203.14263; Vaswani et al. 2017, section 3.1
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::transformer_as_hops_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
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
  Arrays out;
  for (std::size_t s = 0; s < in.parameter("W_Q").shape[0]; ++s) {
    const auto of = [&](const char* name) { return part_of(in.parameter(name), s); };
    const AttentionTables seen =
        attended(product(f, of("W_Q")), product(f, of("W_K")), product(f, of("W_V")));
    f = normed(plus(f, seen.context), of("gamma"), of("beta"));
    out["weights." + std::to_string(s)] = out["weights"] = seen.weights;
    out["scores"] = seen.scores;
    out["context"] = seen.context;
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
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::transformer_as_hops_entry
