// SPDX-License-Identifier: Apache-2.0
// Routing attention: x^ = layernorm(x) of queries and keys; every centroid takes the m/c queries and the n/c keys
// with the largest mu . x^, which attend among themselves; a query in several clusters has the mean of their contexts
// Roy et al. 2021 (Routing Transformer), arXiv:2003.05997
#include <numeric>

#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/reason.h"

namespace attend::routing_entry {
namespace {

Var normed(Var x) {
  const Var centred = x - mean(x, -1, true);
  return centred / sqrt(mean(centred * centred, -1, true) + 1e-5);
}

// The tokens of each cluster, the closest first: x [.. n p]  mu [.. c p] -> [.. c n/c].
Var taken(Var x, Var mu) {
  const std::size_t share = x.extent(-2) / mu.extent(-2);
  return slice(argsort(matmul(mu, x, false, true)), -1, 0, share);
}

// [.. c w] -> [.. c*w]: what all clusters took, in one list.
Var listed(Var index) {
  Shape flat = index.shape();
  flat.pop_back();
  flat.back() *= index.extent(-1);
  return reshape(index, flat);
}

// Rows of x [.. n d] by cluster: index [.. c w] -> [.. c w d].
Var gathered(Var x, Var index) {
  Shape shape = index.shape();
  shape.push_back(x.extent(-1));
  return reshape(rows_at(x, listed(index)), shape);
}

void check_share(const CoreIn& in, std::size_t rows, const char* what) {
  const std::size_t c = in.integer("clusters");
  if (rows % c == 0) return;
  refuse(in.choice.path + "/clusters", "every cluster takes the same number of " +
                                           std::string(what) + ", but " + std::to_string(c) +
                                           " does not divide " + std::to_string(rows));
}

Weighing build(const CoreIn& in) {
  in.need_same_width();
  check_share(in, in.m(), "queries");
  check_share(in, in.n(), "keys");
  const Var mu = in.param("mu");  // [.. c p]
  const Var q = let("\\hat{Q}", normed(in.q)), k = let("\\hat{K}", normed(in.k));
  const Var of_q = let("T_Q", taken(q, mu)),
            of_k = let("T_K", taken(k, mu));  // [.. c m/c] [.. c n/c]
  const double root = std::sqrt(static_cast<double>(in.p()));
  const Var e = matmul(gathered(q, of_q), gathered(k, of_k), false, true) / root;  // [.. c m/c n/c]
  const Var past = greater(expand(of_q, -1) + 1, expand(of_k, -2));
  const Var a = let("A_c", in.causal ? softmax(e, past) : softmax(e));
  // The first of the clusters that take a query, and as many as there are where none does.
  const Var takes = put(0 * of_q + 1, of_q, in.m());  // [.. c m]
  const Var none = 1 - max(takes, -2);                // [.. m]
  in.output(OutputKind{"clusters", TensorRole::output, NumberKind::index},
            argmax(takes, -2) + static_cast<double>(mu.extent(-2)) * none,
            in.family.heads > 0 ? "h m" : "m");
  const Var place = expand(listed(of_q), -2);                     // [.. 1 m]
  const Var count = put(0 * place + 1, place, in.m());            // [.. 1 m] clusters of a query
  const Var share = transpose(maximum(count, scalar(count, 1)));  // [.. m 1]
  return {[=, m = in.m()](Var v) {
            const Var c = matmul(a, gathered(v, of_k));  // [.. c m/c dv]
            Shape rows = c.shape();
            rows.erase(rows.end() - 3);
            rows.end()[-2] = m;
            const Var list = transpose(reshape(c, rows));  // [.. dv m]
            return transpose(put(list, place, m)) / share;
          },
          {},
          "n",
          true};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &mu = in.parameter("mu");
  const std::size_t c = mu.rows();
  const auto norm_of = [](const Row& x) { return standardised(one_row(x)).data; };
  const auto in_cluster = [&](const Array& x, std::size_t row, std::size_t cluster) {
    const double own = inner(norm_of(x.row(row)), mu.row(cluster));
    std::size_t before = 0;
    for (std::size_t other = 0; other < x.rows(); ++other) {
      const double its = inner(norm_of(x.row(other)), mu.row(cluster));
      before += its > own || (its == own && other < row) ? 1 : 0;
    }
    return before < x.rows() / c;
  };
  return rows_of_weights(in, [&](std::size_t i) {
    Row mean(k.rows(), 0), e(k.rows());
    std::size_t count = 0;
    for (std::size_t j = 0; j < e.size(); ++j)
      e[j] = inner(norm_of(q.row(i)), norm_of(k.row(j))) / std::sqrt(static_cast<double>(k.cols()));
    for (std::size_t cluster = 0; cluster < c; ++cluster) {
      if (!in_cluster(q, i, cluster)) continue;
      ++count;
      const Row a = soft(e, [&](std::size_t j) {
        return in_cluster(k, j, cluster) && (j <= i || !in.flag("causal"));
      });
      mean = plus(mean, a);
    }
    return times(mean, 1 / static_cast<double>(std::max<std::size_t>(count, 1)));
  });
}

extern const Mechanism record{
    .id = "routing",
    .aliases = {"routing-transformer"},
    .parameters = {{"mu", "clusters p"}},
    .knobs = {size_knob("clusters", "clusters", "divisor_near_sqrt_n", 1, 64),
              flag_knob("causal", false)},
    .roles = core_roles,
    .example = R"("clusters": 2)",
    .extents = {{"m", 4}, {"n", 6}},
    .behaviour =
        Core{.build = build, .masks = causal_mask, .peeks = "clusters-depend-on-all"_reason}};
}  // namespace attend::routing_entry
