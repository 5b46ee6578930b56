// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/alignments/sinks.h"

#include "catalogue/result.h"

namespace attend {

Var softmax_beside_sink(const AlignmentIn& in, Var sink, Var open) {
  Shape column = in.scores.shape();  // [.. m 1]
  column.back() = 1;
  const Var all = concat({broadcast_to(sink, column), in.scores}, -1);  // [.. m n+1]
  Var seen, nothing;  // what may be seen, and 1 where that is no key
  if (in.mask || open) {
    const Var keys = in.mask ? in.mask : ones(in.graph(), {1, in.scores.extent(-1)});  // [m n]
    Shape front = keys.shape();
    front.back() = 1;
    const Var first = open ? broadcast_to(open, front) : ones(in.graph(), front);
    seen = concat({first, keys}, -1);
    // A closed sink gets nothing, so a row without any key keeps its whole mass otherwise.
    if (open && in.mask) nothing = (1 - first) * (1 - max(keys, -1, true));
  }
  const Var weights = seen ? softmax(all, seen) : softmax(all);  // [.. m n+1]
  Var rest = slice(weights, -1, 0, 1);
  if (nothing) rest = rest + nothing;
  in.output_rows(out::remainder, let("r", squeeze(rest, -1)));
  return slice(weights, -1, 1, all.extent(-1));
}

Var allowed_keys(const AlignmentIn& in) {
  // Counted, not written as a number, so that an exported script knows that it holds for this many keys.
  if (!in.mask) return sum(fill(in.graph(), {1, in.scores.extent(-1)}, 1), -1, true);
  const Var count = sum(in.mask, -1, true);
  return let("n_i", maximum(count, scalar(count, 1)));
}

}  // namespace attend
