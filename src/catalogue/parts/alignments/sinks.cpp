// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/alignments/sinks.h"

#include "catalogue/result.h"

namespace attend {

Var softmax_beside_sink(const AlignmentIn& in, Var sink) {
  if (sink.rank() < 2) sink = reshape(sink, {1, 1});
  Shape column = in.scores.shape();  // [.. m 1]
  column.back() = 1;
  const Var all = concat({broadcast_to(sink, column), in.scores}, -1);  // [.. m n+1]
  Var seen;                                                             // [m n+1]
  if (in.mask) {
    Shape front = in.mask.shape();
    front.back() = 1;
    seen = concat({ones(in.graph(), front), in.mask}, -1);
  }
  const Var weights = seen ? softmax(all, seen) : softmax(all);  // [.. m n+1]
  const Var keys = slice(weights, -1, 1, all.extent(-1)), rest = slice(weights, -1, 0, 1);
  // Rows that come one after another are small, and computed as the formula is written.
  if (in.rows == nullptr) {
    std::vector<Var> operands{in.scores, sink};
    if (in.mask) operands.insert(operands.begin() + 1, in.mask);
    stated(keys, sink_intent(), operands);
    operands.insert(operands.begin(), keys);
    stated(rest, rest_intent(), operands);
  }
  in.output_rows(out::remainder, let("r", squeeze(rest, -1)));
  return keys;
}

Var below_best(const AlignmentIn& in) {
  constexpr double lowest = -3e38;
  const Var below = in.scores - cancelled(max(exclude(in.scores, in.mask, lowest), -1, true));
  if (in.rows != nullptr) return below;
  std::vector<Var> operands{in.scores};
  if (in.mask) operands.push_back(in.mask);
  return stated(below, shifted_intent(), operands);
}

Var allowed_keys(const AlignmentIn& in) {
  // Counted, not written as a number, so that an exported script knows that it holds for this many keys.
  if (!in.mask) return sum(fill(in.graph(), {1, in.scores.extent(-1)}, 1), -1, true);
  const MaybeIntent pairs = mask_intent(in.graph(), in.mask.id());
  Var causal;  // the same without a map
  if (in.rows == nullptr && pairs && pairs->is_causal()) {
    const Var next = in.row_index() + 1;
    const auto all = static_cast<double>(in.scores.extent(-1));
    causal = -maximum(-next, scalar(next, -all));
  }
  const Var count = sum(in.mask, -1, true);
  if (causal) stated(count, shorter_intent(), {causal});
  return let("n_i", maximum(count, scalar(count, 1)));
}

}  // namespace attend
