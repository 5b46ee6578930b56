// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/aggregation.h"

namespace attend {

Tensors aggregate_by_perceptron(const Scope& in, const Tensors& inputs,
                                const std::function<Views(Var)>& views, const char* w_first,
                                const char* w_second) {
  const Sides s = sides_of(in, inputs);
  const Scope sized = in.sized();
  const Var e = named_affinity(in, s);  // [n1 n2]
  const Views seen = views(e);
  const Var own1 = matmul(s.key1, sized.param("W2")), own2 = matmul(s.key2, sized.param("W1"));
  const auto rows = [&] {
    const Var h = let("H_1", in.activate(own1 + seen.first(own2)));  // [n1 a]
    return matmul(sized.param(w_first), h, false, true);             // [1 n1]
  };
  const auto columns = [&] {
    const Var h = let("H_2", in.activate(own2 + seen.second(own1)));  // [n2 a]
    return matmul(sized.param(w_second), h, false, true);             // [1 n2]
  };
  const Tensors first = ask_side(in, s, 1, rows), second = ask_side(in, s, 2, columns);
  return Tensors{{affinity_table, e, "n1 n2"}} + results_of_sides(in, first, second) +
         join_sides(first, second);
}

Arrays aggregated_by_loops(const ReferenceIn& in, const std::function<Array(const Array&)>& seen,
                           const char* w_first, const char* w_second) {
  const Array e = dots(in["key1"], in["key2"]);
  const Array own1 = product(in["key1"], in.parameter("W2"));
  const Array own2 = product(in["key2"], in.parameter("W1"));
  const auto energies = [&](const Array& table, const Array& own, const Array& other,
                            const char* w) {
    return dots(in.parameter(w), activated(plus(own, product(seen(table), other)), in.text("act")));
  };
  const AttentionTables first =
      seen_by(energies(e, own1, own2, w_first), or_else(in, "value1", "key1"));
  const AttentionTables second =
      seen_by(energies(transposed(e), own2, own1, w_second), or_else(in, "value2", "key2"));
  Arrays out = joined_sides(first, second);
  out["affinity"] = e;
  return out;
}

}  // namespace attend
