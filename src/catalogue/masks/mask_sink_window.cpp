// SPDX-License-Identifier: Apache-2.0
// A window and the first tokens: row i sees the last `window` keys and the first `sinks`, always j <= i
// Xiao et al. 2023 (StreamingLLM), arXiv:2309.17453
#include "catalogue/entry.h"

namespace attend::mask_sink_window_entry {
namespace {

Var build(const MaskIn& in) {
  const Var i = in.rows(), j = in.columns();  // [m 1] [n]
  const Var gap = i - j;                      // [m n]
  const Var near = greater(scalar(gap, in.number("window") - 0.5), gap);
  const Var first = greater(scalar(j, in.number("sinks") - 0.5), j);  // [n]
  return in.stated(maximum(near, first) * greater(i + 1, j),
                   both(first_intent(in.number("sinks"), in.number("window")), causal_intent()));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t window = in.integer("window"), sinks = in.integer("sinks");
  return each_pair(
      in, [&](std::size_t i, std::size_t j) { return j <= i && (i < j + window || j < sinks); });
}

extern const Mechanism record{.id = "mask-sink-window",
                              .aliases = {"streaming"},
                              .knobs = {integer_knob("sinks", 4., 0, 32).at_least(0),
                                        integer_knob("window", 4., 0, 32).at_least(0)},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_sink_window_entry
