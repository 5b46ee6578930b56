// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/core_parts.h"

#include <cmath>

#include "ops/primitives/matrices.h"
#include "ops/primitives/records.h"
#include "ops/ratio.h"

namespace attend {

Var scaled_scores(const CoreIn& in) {
  in.need_same_width();
  return matmul(in.q, in.k, false, true) / std::sqrt(static_cast<double>(in.p()));
}

Var visible(const CoreIn& in, Var pattern) {
  if (!in.causal) return pattern;
  return pattern ? pattern * in.past_pairs() : in.past_pairs();
}

Weighing softmax_over(const CoreIn& in, Var pattern) {
  const Var scores = let("E", scaled_scores(in)), seen = visible(in, pattern);
  return weighed_by(seen ? softmax(scores, let("P", seen)) : softmax(scores));
}

Weighing weighed_by(Var weights, bool probabilities) {
  return {[=](Var v) { return matmul(weights, v); }, weights, "n", probabilities};
}

Var squared_gaps(Var a, Var b) {
  return attend::apply(primitives::squared_gaps, matrices::with_same_leading({a, b}));
}

Var gaussian_kernel(Var a, Var b, double scale) {
  const std::vector<Var> operands = matrices::with_same_leading({a, b});
  const Var gaps = attend::apply(primitives::squared_gaps, operands);
  return stated(exp(-scale / 2 * gaps), gaussian_intent(scale), operands);
}

Var rows_at(Var x, Var index) { return transpose(take(transpose(x), expand(index, -2))); }

Var identity(Graph& graph, std::size_t n) { return equal(iota(graph, n, 2), iota(graph, n)); }

Var unit_rows(Var x) { return ratio(x, norm(x, -1, true)); }

Var by_step(Var x) {
  const long last = static_cast<long>(x.rank()) - 2;
  std::vector<long> axes{last};
  for (long i = 0; i < last; ++i) axes.push_back(i);
  axes.push_back(last + 1);
  return expand(permute(x, axes), -2);
}

Var by_row(Var x) {
  const Var flat = squeeze(x, -2);  // [n .. d]
  std::vector<long> axes;
  for (long i = 1; i + 1 < static_cast<long>(flat.rank()); ++i) axes.push_back(i);
  axes.push_back(0);
  axes.push_back(static_cast<long>(flat.rank()) - 1);
  return permute(flat, axes);
}

Var row_blocks(Var x, std::size_t b) {
  const std::size_t n = x.extent(-2), count = (n + b - 1) / b;
  Shape shape = x.shape();
  if (count * b != n) {
    shape.end()[-2] = count * b - n;
    x = concat({x, zeros(x.graph(), shape)}, -2);
  }
  shape.end()[-2] = count;
  shape.insert(shape.end() - 1, b);
  if (x.rank() == 2) return reshape(x, shape);
  std::vector<long> axes{static_cast<long>(shape.size()) - 3};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (static_cast<long>(i) != axes.front()) axes.push_back(static_cast<long>(i));
  }
  return permute(reshape(x, shape), axes);
}

Var states_by_row(Var states) {
  std::vector<long> axes;
  const long rank = static_cast<long>(states.rank());
  for (long i = 1; i + 2 < rank; ++i) axes.push_back(i);
  for (const long axis : {0L, rank - 2, rank - 1}) axes.push_back(axis);
  return permute(states, axes);
}

Var gate(const CoreIn& in, const std::string& name, const std::function<Var(Var)>& squash) {
  if (in.text("gates") == "given") return in.param(name);
  return squash(matmul(in.whole.k, in.param("W_" + name)) + in.param("b_" + name));
}

Arrays rows_of_weights(const ReferenceIn& in, const std::function<Row(std::size_t i)>& weigh) {
  Array weights({in["query"].rows(), in["key"].rows()});
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    weights.set(weigh(i), i);
  }
  return {{"weights", weights}, {"implied", weights}, {"context", product(weights, in["value"])}};
}

Row soft_row(const ReferenceIn& in, std::size_t i,
             const std::function<bool(std::size_t j)>& allowed) {
  const Array& k = in["key"];
  const Row e = row_by(k.rows(), [&](std::size_t j) {
    return inner(in["query"].row(i), k.row(j)) / std::sqrt(static_cast<double>(k.cols()));
  });
  return soft(e, allowed);
}

}  // namespace attend
