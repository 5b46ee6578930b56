// SPDX-License-Identifier: Apache-2.0
// Transparent attention: decoder layer t reads a mixture of all encoder layers,
//   s_t = softmax(logits_t),  z_t = sum_l s_tl H_l
// Bapna et al. 2018, arXiv:1808.07561; Galassi, Lippi, Torroni 2021, arXiv:1902.02181
#include "catalogue/entry.h"

namespace attend::transparent_attention_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var layers = inputs["layers"];  // [L n d]
  const Scope sized = in.sized();
  const Var logits = sized.param("logits");       // [Ldec L]
  const Var weights = let("S", softmax(logits));  // [Ldec L]
  const std::size_t n = layers.extent(1), d = layers.extent(2);
  const Var flat = reshape(layers, {layers.extent(0), n * d});
  const Var mixed = reshape(matmul(weights, flat), {logits.extent(-2), n, d});
  return {{out::scores, logits, "Ldec L"},
          {out::weights, weights, "Ldec L"},
          {out::context, let("Z", mixed), "Ldec n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &layers = in["layers"], &logits = in.parameter("logits");
  const Array weights = soft_rows(logits);
  Array all = layers;
  all.shape = {layers.shape[0], layers.shape[1] * layers.shape[2]};
  Array context = product(weights, all);
  context.shape = {logits.rows(), layers.shape[1], layers.shape[2]};
  return {{"scores", logits}, {"weights", weights}, {"context", context}};
}

extern const Mechanism record{.id = "transparent-attention",
                              .parameters = {{"logits", "Ldec L"}},
                              .knobs = {size_knob("decoder", "Ldec", 6., 1, 24)},
                              .roles = {{"layers", "L n d"}},
                              .behaviour = Structure{build}};
}  // namespace attend::transparent_attention_entry
