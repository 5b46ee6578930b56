// SPDX-License-Identifier: Apache-2.0
// Gated Transformer-XL: a gated recurrent unit in place of each residual, norms on the way in,
//   y = gate_1(x, relu(Att(LN([memory; x])) W_O)),  z = gate_2(y, relu(FF(LN(y)))),
//   gate(x, y) = (1 - z) * x + z * tanh(y W_g + (r * x) U_g),
//   r = sigmoid(y W_r + x U_r),  z = sigmoid(y W_z + x U_z - b_g)
// Parisotto et al. 2020, arXiv:1910.06764
#include "catalogue/entry.h"
#include "catalogue/part_parameters.h"
#include "catalogue/parts/heads/relative.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::gtrxl_entry {
namespace {

// What a gate lets through, and how far it is open.
struct Gated {
  Var gate, rows;  // [m d] [m d]
};
Gated gated(const Scope& module, const std::string& name, Var x, Var y) {
  const Scope in = module.child(name);
  const StepSuffix suffix(in.graph(), "^{\\text{" + name + "}}");
  const auto both = [&](const char* letter, Var own) {
    return matmul(y, in.param(std::string("W_") + letter)) +
           matmul(own, in.param(std::string("U_") + letter));
  };
  const Var r = let("r", sigmoid(both("r", x)));                     // [m d]
  const Var z = let("z", sigmoid(both("z", x) - in.scalar("b_g")));  // [m d]
  return {z, let("g", (1 - z) * x + z * tanh(both("g", r * x)))};
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [m d]
  const Var memory = segment_memory(in, x, inputs.find("memory"));
  const auto normed = [&](Var rows, const char* gamma, const char* beta) {
    return layer_norm(rows, in.param(gamma), in.param(beta));
  };
  const Var before = memory ? normed(memory, "gamma1", "beta1") : memory;
  const Looked seen = attend_segment(let("\\operatorname{LN}(X)", normed(x, "gamma1", "beta1")),
                                     before, segment_maps(in));
  const Gated first = gated(in, "gate1", x, relu(matmul(seen.context, in.param("W_O"))));
  const Var y = first.rows;  // [m d]
  const Var hidden = let(
      "H", relu(matmul(normed(y, "gamma2", "beta2"), in.param("W1")) + in.param("b1")));  // [m a]
  const Var fed = relu(matmul(hidden, in.param("W2")) + in.param("b2"));                  // [m d]
  const Gated second = gated(in, "gate2", y, fed);
  return {{out::gate.as("gate1"), first.gate, "m d"},  {out::scores, seen.scores, "m n"},
          {out::weights, seen.weights, "m n"},         {"attended", seen.context, "m pv"},
          {out::gate.as("gate2"), second.gate, "m d"}, {out::result, second.rows, "m d"}};
}

Array gate_by_loops(const ReferenceIn& in, const std::string& name, const Array& x,
                    const Array& y) {
  Array out(x.shape);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const auto line = [&](const char* letter, const Row& own) {
      Row sum = mapped(y.row(i), in.parameter(name + ".W_" + letter));
      const Row other = mapped(own, in.parameter(name + ".U_" + letter));
      for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += other[c];
      return sum;
    };
    Row reset = line("r", x.row(i));
    const Row update = line("z", x.row(i));
    for (std::size_t c = 0; c < reset.size(); ++c)
      reset[c] = activate("sigmoid", reset[c]) * x(i, c);
    const Row fresh = line("g", reset);
    for (std::size_t c = 0; c < fresh.size(); ++c) {
      const double z = activate("sigmoid", update[c] - in.number("b_g"));
      out(i, c) = x(i, c) + z * (std::tanh(fresh[c]) - x(i, c));
    }
  }
  return out;
}

constexpr auto gate_parameters = std::to_array<Parameter>({{"W_r", "d d"},
                                                           {"U_r", "d d"},
                                                           {"W_z", "d d"},
                                                           {"U_z", "d d"},
                                                           {"W_g", "d d"},
                                                           {"U_g", "d d"}});
constexpr auto first_norm = std::to_array<Parameter>(
    {{"gamma1", "d", Distribution::one}, {"beta1", "d", Distribution::zero}});
constexpr auto joining = std::to_array<Parameter>({{"W_O", "pv d"}});
constexpr auto fed_forward = std::to_array<Parameter>({{"gamma2", "d", Distribution::one},
                                                       {"beta2", "d", Distribution::zero},
                                                       {"W1", "d a"},
                                                       {"b1", "a", Distribution::zero},
                                                       {"W2", "a d"},
                                                       {"b2", "d", Distribution::zero}});

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const auto normed = [&](const Array& rows, const char* gamma, const char* beta) {
    return attend::normed(rows, in.parameter(gamma), in.parameter(beta));
  };
  Array memory;
  if (in.has("memory")) memory = normed(in["memory"], "gamma1", "beta1");
  const AttentionTables seen =
      segment_by_loops(in, normed(x, "gamma1", "beta1"), in.has("memory") ? &memory : nullptr);
  const Array looked = activated(product(seen.context, in.parameter("W_O")), "relu");
  const Array y = gate_by_loops(in, "gate1", x, looked);
  const Array hidden = activated(
      affine(normed(y, "gamma2", "beta2"), in.parameter("W1"), in.parameter("b1")), "relu");
  const Array fed = activated(affine(hidden, in.parameter("W2"), in.parameter("b2")), "relu");
  return {{"weights", seen.weights}, {"output", gate_by_loops(in, "gate2", y, fed)}};
}

extern const Mechanism record{
    .id = "gtrxl",
    .parameters =
        parameters_of<first_norm, segment_parameters, joining, under<"gate1", gate_parameters>,
                      fed_forward, under<"gate2", gate_parameters>>,
    .symbols = {{"p", "d"}, {"pv", "p"}},
    .knobs = {number_knob("b_g", 2., -4, 8), size_knob("hidden", "a", "4*d", 1, 256)},
    .roles = {{"x", "m d"}, {"memory", "M d", false}},
    .excludes = {always_causal},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "scaled multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .extents = {{"M", 3}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::gtrxl_entry
