// SPDX-License-Identifier: Apache-2.0
// Hops over a memory, end to end:  u = q B,  p = softmax(u (X A)^T),  o = p (X C),
//   layer-wise u <- u H + o;  adjacent u <- u + o with A^{k+1} = C^k, B = A^0
// Sukhbaatar et al. 2015, arXiv:1503.08895
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::memnet_hop_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var q = inputs["query"], x = inputs["memory"];  // [1 d_in] [n d_in]
  const bool adjacent = in.text("tying") == "adjacent";
  const Var E = adjacent ? in.param("E") : Var{};  // [hops+1 d_in d]
  const auto embedding = [&](std::size_t k) { return squeeze(slice(E, 0, k, k + 1), 0); };
  in.label("n", x);
  Var u = let("u", matmul(q, adjacent ? embedding(0) : in.param("B")));  // [1 d]
  Var e, p, o;
  Tensors results;
  for (std::size_t k = 0; k < in.integer("hops"); ++k) {
    const std::string hop = std::to_string(k);
    const StepSuffix suffix(in.graph(), "^{\\text{hop }" + hop + "}");
    const Var M = let("M", matmul(x, adjacent ? embedding(k) : in.param("A")));      // [n d]
    const Var V = let("V", matmul(x, adjacent ? embedding(k + 1) : in.param("C")));  // [n d]
    const Triple rows{u, M, V};
    const auto asked = [&] { return matmul(u, M, false, true); };
    e = let("e", scores_by(in, rows, asked));  // [1 n]
    p = in.flag("linear") ? e : let("p", weights_by(in, e, rows));
    o = let("o", matmul(p, V));
    u = let("u", (adjacent ? u : matmul(u, in.param("H"))) + o);
    results.add({out::weights.as("weights." + hop), p, "1 n"});
  }
  return results + Tensors{{out::scores, e, "1 n"},
                           {out::weights, p, "1 n"},
                           {out::context, o, "1 dv"},
                           {out::output, u, "1 dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["memory"];
  const bool adjacent = in.text("tying") == "adjacent";
  const auto matrix = [&](const char* name, std::size_t k) {
    return adjacent ? part_of(in.parameter("E"), k) : in.parameter(name);
  };
  Array u = product(rows_from_to(in["query"], 0, 1), matrix("B", 0));
  Arrays out;
  for (std::size_t k = 0; k < in.integer("hops"); ++k) {
    const Array e = dots(u, product(x, matrix("A", k)));
    const Array p = in.flag("linear") ? e : soft_rows(e);
    const Array o = product(p, product(x, matrix("C", k + 1)));
    u = plus(adjacent ? u : product(u, in.parameter("H")), o);
    out["weights." + std::to_string(k)] = out["weights"] = p;
    out["scores"] = e;
    out["context"] = o;
    out["output"] = u;
  }
  return out;
}

extern const Mechanism record{
    .id = "memnet-hop",
    .aliases = {"memn2n-hop"},
    .parameters =
        {{"A", "d_in d"}, {"C", "d_in d"}, {"B", "d_in d"}, {"H", "d d"}, {"E", "hops+1 d_in d"}},
    .symbols = {{"d", "d_in"}},
    .knobs = {size_knob("hops", "hops", 3., 1, 6),
              choice_knob("tying", "layer-wise", {"layer-wise", "adjacent"}),
              flag_knob("linear", false)},
    .roles = {{"query", "1 d_in"}, {"memory", "n d_in"}},
    .slots = {own_score_slot, own_alignment_slot},
    .coordinates = {{"scoring", "multiplicative"},
                    {"alignment", "global"},
                    {"type", "basic"},
                    {"multiplicity", "multi-hop"}},
    .extents = {{"1", 1}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::memnet_hop_entry
