// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/images/regions.h"

#include <cmath>

#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend {

Tensors ask_regions(const Scope& module, const Tensors& inputs, const RegionNames& names) {
  const Scope in = module.sized();
  const Var q = inputs["query"], k = inputs["key"];  // [m dq] [n dk]
  in.label("m", q);
  in.label("n", k);
  const Triple rows{q, k, k};
  const Var e = let("E", scores_by(in, rows, [&] {
                      const Var mapped = matmul(q, in.param(names.asks));  // [m a]
                      const Var asked = names.bias.empty() ? mapped : mapped + in.param(names.bias);
                      const Var there = matmul(k, in.param(names.told));  // [n a]
                      const Var pairs = tanh(pair_rows(asked) + pair_columns(there));
                      return dot(pairs, in.param("w"));  // [m n]
                    }));
  const Var a = let("A", weights_by(in, e, rows));
  return {{out::scores, e, "m n"},
          {out::weights, a, "m n"},
          {out::result, let("C", matmul(a, k)), "m dk"}};
}

Array region_scores_by_loops(const ReferenceIn& in, const RegionNames& names) {
  const Array &q = in["query"], &k = in["key"];
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    const Row asked = mapped(q.row(i), in.parameter(names.asks));
    for (std::size_t j = 0; j < k.rows(); ++j) {
      const Row there = mapped(k.row(j), in.parameter(names.told));
      for (std::size_t u = 0; u < there.size(); ++u) {
        const double bias = names.bias.empty() ? 0 : in.parameter(names.bias)(u);
        e(i, j) += in.parameter("w")(u) * std::tanh(asked[u] + there[u] + bias);
      }
    }
  }
  return e;
}

Arrays regions_by_loops(const ReferenceIn& in, const RegionNames& names) {
  const Array e = region_scores_by_loops(in, names);
  Array a(e.shape);
  for (std::size_t i = 0; i < e.rows(); ++i) {
    a.set(softened(e.row(i)), i);
  }
  return {{"scores", e}, {"weights", a}, {"context", product(a, in["key"])}};
}

}  // namespace attend
