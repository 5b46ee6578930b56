// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/alignments/spans.h"

#include <algorithm>
#include <cmath>

namespace attend {

Weighing faded(const CoreIn& in, Var z) {
  const Var distance = absolute(in.row_index() - in.key_index());  // [m n]
  const Var R = in.scalar("R");
  const Var ramp = visible(in, clip((R + z - distance) / R, 0, 1));  // [.. m n]
  in.output(OutputKind{"ramp", TensorRole::output, NumberKind::real_number}, ramp,
            in.family.heads > 0 ? "h m n" : "m n");
  const Var scores = let("E", scaled_scores(in));
  const Var seen = greater(ramp, scalar(ramp, 0));
  const Var faint = softmax(scores, seen) * let("m_{z}", ramp);
  const Var total = sum(faint, -1, true);  // 0 where a row sees nothing
  const Var weights = faint / where(greater(total, scalar(total, 0)), total, scalar(total, 1));
  return weighed_by(in.stated(weights, spans_intent(in.causal), {scores, z, R}));
}

Row faded_row(const ReferenceIn& in, std::size_t i, double z) {
  const Array &q = in["query"], &k = in["key"];
  const double R = in.number("R");
  std::vector<long double> a(k.rows(), 0);
  long double total = 0, top = -HUGE_VALL;
  const auto ramp = [&](std::size_t j) {
    const auto x = static_cast<double>(i > j ? i - j : j - i);
    return in.flag("causal") && j > i ? 0.0 : std::min(std::max((R + z - x) / R, 0.0), 1.0);
  };
  const auto score = [&](std::size_t j) -> long double {
    return inner(q.row(i), k.row(j)) / std::sqrt(static_cast<double>(q.cols()));
  };
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (ramp(j) > 0) top = std::max(top, score(j));
  }
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (ramp(j) > 0) total += a[j] = ramp(j) * std::exp(score(j) - top);
  }
  Row row;
  for (const long double one : a) row.push_back(static_cast<double>(total > 0 ? one / total : 0));
  return row;
}

}  // namespace attend
