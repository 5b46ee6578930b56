// SPDX-License-Identifier: Apache-2.0
// Linformer:  C = softmax(Q (E K)^T / sqrt(p)) (G V),  E, G [r n]
// Wang et al. 2020, arXiv:2006.04768
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/reason.h"

namespace attend::linformer_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const std::size_t r = *in.dimensions.get("r");
  if (r > max_elements / in.n()) {
    refuse(in.choice.path + "/rank",
           "E and G would have " + std::to_string(r) + " x " + std::to_string(in.n()) +
               " numbers, more than allowed; use a smaller rank (the default is 2) or fewer "
               "tokens");
  }
  const auto [E, G] = in.params<2>();                 // [.. r n]
  const Var keys = let("\\bar{K}", matmul(E, in.k));  // [.. r p]
  const Var e = let("E", matmul(in.q, keys, false, true) / std::sqrt(static_cast<double>(in.p())));
  const Var weights = softmax(e);  // [.. m r]
  return {[=, G = G](Var v) { return matmul(weights, let("\\bar{V}", matmul(G, v))); }, weights,
          "r:key"};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &G = in.parameter("G");
  const AttentionTables seen =
      attended(q, product(in.parameter("E"), in["key"]), product(G, in["value"]));
  return {
      {"weights", seen.weights}, {"implied", product(seen.weights, G)}, {"context", seen.context}};
}

extern const Mechanism record{
    .id = "linformer",
    .parameters = {{"E", "r n"}, {"G", "r n"}},
    .knobs = {size_knob("rank", "r", 2., 1, 256).log_scale()},
    .roles = core_roles,
    .laws = {.permutation = false},
    .coordinates = core_coordinates,
    .behaviour = Core{.build = build, .never_causal = "rows-mix-all"_reason}};
}  // namespace attend::linformer_entry
