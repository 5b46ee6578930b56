// SPDX-License-Identifier: Apache-2.0
// Perceiver: N learned latents read the tokens, then each other, again and again by one set of
// weights, each step with the norm in front and the latents added,
//   Z <- Z + att(LN(Z), LN(X)) W_O, one head;  Z <- Z + MLP(LN(Z));
//   Z <- Z + MHA(LN(Z), LN(Z));                Z <- Z + MLP(LN(Z));
//   MLP(x) = gelu(x W1 + b1) W2 + b2
// Jaegle et al. 2021, section 3, arXiv:2103.03206
#include "catalogue/entry.h"
#include "catalogue/part_parameters.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::perceiver_entry {
namespace {

Var normed(const Scope& in, Var x) { return layer_norm(x, in.param("gamma"), in.param("beta")); }

// z + MLP(LN(z)): [N D]
Var fed_forward(const Scope& in, Var z) {
  const Var hidden = matmul(normed(in.child("mlp"), z), in.param("W1")) + in.param("b1");
  return let("Z", z + matmul(activation("gelu", hidden), in.param("W2")) + in.param("b2"));
}

// The latents read the tokens: z [N D]  x [n d]
Looked read(const Scope& in, Var z, Var x) {
  const Var asking = normed(in.child("q"), z), tokens = normed(in.child("kv"), x);
  Looked seen = attend_scaled(let("Q", matmul(asking, in.param("W_Q"))),
                              let("K", matmul(tokens, in.param("W_K"))),
                              let("V", matmul(tokens, in.param("W_V"))));
  seen.context = fed_forward(in, z + matmul(seen.context, in.param("W_O")));
  return seen;
}

// The latents read each other.
Looked mixed(const Scope& in, Var z) {
  const Var rows = normed(in, z);
  Looked seen = attend_in_heads({rows, rows, rows}, head_maps(in));
  seen.context = fed_forward(in, z + matmul(seen.context, in.param("W_O")));
  return seen;
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  Var z = in.param("Z");  // [N D]
  Looked cross;
  const std::size_t repeats = in.integer("repeats");
  Tensors results;
  for (std::size_t s = 0; s < repeats; ++s) {
    const std::string number = std::to_string(s);
    {
      const StepSuffix suffix(in.graph(), "^{\\text{cross }" + number + "}");
      cross = read(in.child("cross"), z, x);
    }
    const StepSuffix suffix(in.graph(), "^{\\text{self }" + number + "}");
    const Looked self = mixed(in.child("self"), cross.context);
    z = self.context;
    results.add({out::weights.as("weights." + number), cross.weights, "r:query n"});
    results.add({out::weights.as("self.weights." + number), self.weights, "h r:query r:key"});
  }
  return results + Tensors{{out::scores, cross.scores, "r:query n"},
                           {out::weights, cross.weights, "r:query n"},
                           {out::result, z, "r:query d"}};
}

constexpr auto norm_parameters = std::to_array<Parameter>(
    {{"gamma", "D", Distribution::one}, {"beta", "D", Distribution::zero}});
constexpr auto token_norm = std::to_array<Parameter>(
    {{"gamma", "d", Distribution::one}, {"beta", "d", Distribution::zero}});
constexpr auto read_maps =
    std::to_array<Parameter>({{"W_Q", "D D"}, {"W_K", "d D"}, {"W_V", "d D"}, {"W_O", "D D"}});
constexpr auto mixed_maps = std::to_array<Parameter>(
    {{"W_Q", "h D p"}, {"W_K", "h D p"}, {"W_V", "h D pv"}, {"W_O", "h*pv D"}});
constexpr auto mlp_layers = std::to_array<Parameter>({{"W1", "D D"},
                                                      {"b1", "D", Distribution::zero},
                                                      {"W2", "D D"},
                                                      {"b2", "D", Distribution::zero}});
constexpr const auto& mlp_parameters = joined_parameters<under<"mlp", norm_parameters>, mlp_layers>;
constexpr const auto& read_parameters =
    joined_parameters<under<"q", norm_parameters>, under<"kv", token_norm>, read_maps>;
constexpr const auto& mixed_parameters = joined_parameters<norm_parameters, mixed_maps>;
constexpr auto latents = std::to_array<Parameter>({{"Z", "N D", Distribution::unit}});

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const auto of = [&](const std::string& name) -> const Array& { return in.parameter(name); };
  const auto normed = [&](const Array& x, const std::string& name) {
    return attend::normed(x, of(name + "gamma"), of(name + "beta"));
  };
  const auto fed = [&](const Array& z, const std::string& at) {
    const Array hidden =
        activated(affine(normed(z, at + "mlp."), of(at + "W1"), of(at + "b1")), "gelu");
    return plus(z, affine(hidden, of(at + "W2"), of(at + "b2")));
  };
  Array z = of("Z");
  const Array tokens = normed(in["x"], "cross.kv.");
  Arrays out;
  for (int s = 0; s < static_cast<int>(in.number("repeats")); ++s) {
    const Array q = product(normed(z, "cross.q."), of("cross.W_Q"));
    const AttentionTables cross =
        attended(q, product(tokens, of("cross.W_K")), product(tokens, of("cross.W_V")));
    z = fed(plus(z, product(cross.context, of("cross.W_O"))), "cross.");
    const Array rows = normed(z, "self.");
    const AttentionTables self =
        attended_in_heads(rows, rows, {of("self.W_Q"), of("self.W_K"), of("self.W_V")});
    z = fed(plus(z, product(self.context, of("self.W_O"))), "self.");
    out["weights." + std::to_string(s)] = out["weights"] = cross.weights;
    out["self.weights." + std::to_string(s)] = self.weights;
  }
  out["output"] = out["context"] = z;
  return out;
}

extern const Mechanism record{
    .id = "perceiver",
    .parameters =
        parameters_of<latents, under<"cross", read_parameters>, under<"cross", mlp_parameters>,
                      under<"self", mixed_parameters>, under<"self", mlp_parameters>>,
    .symbols = {{"p", "ceil(D/h)"}, {"pv", "p"}},
    .knobs = {size_knob("latents", "N", 4., 1, 64), size_knob("D", "D", "d", 1, 256),
              size_knob("count", "h", 2., 1, 16), integer_knob("repeats", 2., 1, 8).at_least(1)},
    .roles = {{"x", "n d"}},
    .excludes = {never_causal("latents-read-all"_reason)},
    .coordinates = {{"scoring", "scaled multiplicative"},
                    {"alignment", "global"},
                    {"multiplicity", "multi-head"}},
    .example = R"("D": 4)",
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::perceiver_entry
