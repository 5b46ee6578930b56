// SPDX-License-Identifier: Apache-2.0
// Hops over a memory, end to end:  u = q B,  p = softmax(u (X A)^T),  o = p (X C),
//   layer-wise u <- u H + o;  adjacent u <- u + o with A^{k+1} = C^k, B = A^0
// Sukhbaatar et al. 2015, arXiv:1503.08895
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::memnet_hop_entry {
namespace {

Tensors build(const Scope& structure, const Tensors& inputs) {
  const Scope in = structure.sized();
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
    if (!adjacent) return in.parameter(name);
    const Array& all = in.parameter("E");
    Array one({all.rows(), all.cols()});
    for (std::size_t r = 0; r < one.rows(); ++r) {
      for (std::size_t c = 0; c < one.cols(); ++c) one(r, c) = all(k, r, c);
    }
    return one;
  };
  Row u = mapped(in["query"].row(0), matrix("B", 0));
  Arrays out;
  for (std::size_t k = 0; k < static_cast<std::size_t>(in.number("hops")); ++k) {
    Row e(x.rows()), o(u.size(), 0);
    for (std::size_t j = 0; j < x.rows(); ++j) e[j] = inner(u, mapped(x.row(j), matrix("A", k)));
    const Row p = in.flag("linear") ? e : soft(e, [](std::size_t) { return true; });
    for (std::size_t j = 0; j < x.rows(); ++j) {
      const Row v = mapped(x.row(j), matrix("C", k + 1));
      for (std::size_t c = 0; c < o.size(); ++c) o[c] += p[j] * v[c];
    }
    if (!adjacent) u = mapped(u, in.parameter("H"));
    for (std::size_t c = 0; c < o.size(); ++c) u[c] += o[c];
    const auto as_row = [](const Row& values) {
      Array one({1, values.size()});
      one.data = values;
      return one;
    };
    out["weights." + std::to_string(k)] = out["weights"] = as_row(p);
    out["scores"] = as_row(e);
    out["context"] = as_row(o);
    out["output"] = as_row(u);
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
    .behaviour = Structure{build}};
}  // namespace attend::memnet_hop_entry
