// SPDX-License-Identifier: Apache-2.0
// Clusters: x^ = layernorm(x); each of c centroids takes the m/c queries and the n/c keys with the
// largest mu . x^; row i sees key j iff some centroid took both
// Roy et al. 2021 (Routing Transformer), section 4, arXiv:2003.05997
#include "catalogue/entry.h"

namespace attend::mask_routing_entry {
namespace {

Var members(Var x, Var mu) {  // [n p] [c p] -> [c n] of 0 and 1
  const std::size_t n = x.extent(-2), c = mu.extent(-2), share = (n + c - 1) / c;
  const Var centred = x - mean(x, -1, true);
  const Var normed = centred / sqrt(mean(centred * centred, -1, true) + 1e-5);
  const Var order = argsort(matmul(mu, normed, false, true));  // [c n], the closest first
  return sum(one_hot(slice(order, -1, 0, share), n), -2);
}

Var build(const MaskIn& in) {
  if (!in.inputs.q) refuse("it reads the query, but this module has none");
  const Var mu = in.param("mu"), q = in.inputs.q, k = in.inputs.k;
  if (q.extent(-1) != k.extent(-1)) {
    refuse(
        "queries and keys share one set of centroids, so they must be equally wide; they "
        "are " +
        std::to_string(q.extent(-1)) + " and " + std::to_string(k.extent(-1)) + " wide");
  }
  const Var queries = let("T_Q", members(q, mu)), keys = let("T_K", members(k, mu));
  const Var shared = matmul(queries, keys, true, false);  // [m n] clusters that hold both
  return greater(shared, scalar(shared, 0));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& mu = in.parameter("mu");
  const std::size_t c = mu.rows();
  const auto affinity = [&](const Array& x, std::size_t row, std::size_t cluster) {
    return inner(mu.row(cluster), standardised(one_row(x.row(row))).data);
  };
  // Taken: fewer than the cluster's share of rows come before it.
  const auto taken = [&](const Array& x, std::size_t row, std::size_t cluster) {
    const double own = affinity(x, row, cluster);
    std::size_t before = 0;
    for (std::size_t other = 0; other < x.rows(); ++other) {
      const double its = affinity(x, other, cluster);
      before += its > own || (its == own && other < row) ? 1 : 0;
    }
    return before * c < x.rows();
  };
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    bool met = false;
    for (std::size_t cluster = 0; cluster < c; ++cluster)
      met = met || (taken(in["query"], i, cluster) && taken(in["key"], j, cluster));
    return met;
  });
}

extern const Mechanism record{.id = "mask-routing",
                              .parameters = {{"mu", "clusters dk"}},
                              .knobs = {size_knob("clusters", "clusters", "ceil(sqrt(n))", 1, 16)},
                              .needs_query = true,
                              .differentiable = false,
                              .behaviour = Mask{build}};
}  // namespace attend::mask_routing_entry
