// SPDX-License-Identifier: Apache-2.0
// Based and ReBased: linear attention with the first terms of the exponential, or with squares.
//   A_ij proportional to w(s_ij), s = scale q_i.k_j, j <= i;  w = 1 + s + s^2 / 2 (taylor) or s^2 (square);
//   rows are divided by their sum + eps
// Arora et al. 2024, arXiv:2402.18668;  Aksenov et al. 2024 (squares), arXiv:2402.10644
#include "catalogue/entry.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "catalogue/parts/cores/recurrent_memory.h"

namespace attend::based_entry {
namespace {

// So many pairs are weighed one by one.
constexpr std::size_t most_pairs = 1U << 20U;

// phi with phi(q) . phi(k) = w(q . k): [.. n p] -> [.. n r].
Var products(const std::string& kernel, Var x) {
  Shape flat = x.shape();
  flat.back() = x.extent(-1) * x.extent(-1);
  const Var squares = reshape(expand(x, -1) * expand(x, -2), flat);
  if (kernel == "square") return squares;
  Shape one = x.shape();
  one.back() = 1;
  return concat({ones(x.graph(), one), x, squares / std::sqrt(2.)}, -1);
}

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const std::string& kernel = in.text("kernel");
  const Var q = scaled_query(in), eps = in.scalar("eps");
  if (in.n() * in.n() <= most_pairs) {
    const Var s = let("s", matmul(q, in.k, false, true));  // [.. n n]
    const Var w = (kernel == "square" ? s * s : 1 + s + s * s / 2) * in.past_pairs();
    return weighed_by(w / (sum(w, -1, true) + eps), false);
  }
  const Var fq = products(kernel, q), fk = products(kernel, in.k);
  const Var total = asked_sums(in, fq, fk, fill(in.graph(), {in.n(), 1}, 1));  // [.. n 1]
  return {[=](Var v) { return asked_sums(in, fq, fk, v) / (total + eps); }, {}, "n", false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return rows_of_weights(in, [&](std::size_t i) {
    Row row(in["key"].rows());
    double total = in.number("eps");
    for (std::size_t j = 0; j <= i; ++j) {
      const double s = in.number("scale") * inner(in["query"].row(i), in["key"].row(j));
      row[j] = in.text("kernel") == "square" ? s * s : 1 + s + s * s / 2;
      total += row[j];
    }
    for (double& x : row) x /= total;
    return row;
  });
}

extern const Mechanism record{
    .id = "based",
    .aliases = {"rebased"},
    .knobs = {choice_knob("kernel", "taylor", {"taylor", "square"}),
              number_knob("scale", "1/sqrt(p)", .05, 2),
              number_knob("eps", 1e-6, 1e-12, 1e-3).above(0).log_scale()},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::based_entry
