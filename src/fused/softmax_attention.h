// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/intent.h"
#include "ops/primitive.h"

namespace attend::fused {

// softmax(scale q k^T + bias, where mask and band allow) v as one node that never holds the
// weights. In: q [.. m d], k [.. n d], v [.. n dv], then bias and mask [.. m n] if there are any;
// leading extents are those of q or absent, those of k and v may also be 1 behind the first of them, and bias and mask
// may have one row for all. A bias of gaps is the table of their intent. With spans: z [.. m 1] or
// [.. 1 1] and the ramp, one number, in their place. Then, if there are any: the cap of the scores, one number; the
// sinks [.. 1 1]; and relative rows: p [.. m e], keys [.. r e] and perhaps values [.. r dv]. Out: [.. m dv+2], the
// context and, in the last two columns, what attend() keeps of each row (Statistics); with sinks [.. m dv+3], their
// weights in the last.
extern const Primitive softmax_attention;

struct Parts {
  bool bias = false, mask = false;
  bool gaps = false;  // the bias is a table of gaps
  bool capped =
      false;  // scores e, the bias in them, become c tanh(e / c); not gaussian, without spans
  bool sink =
      false;  // beside the keys there is an entry without a value; not gaussian, without spans
  bool relative = false, relative_values = false;  // of distances (RelativeRows); only with a band
  std::ptrdiff_t shift = 0;                        // of the distances
  // The pairs: a band; without bias also a pattern that has kernels, or spans. The operand of a pattern is the mask.
  Intent pairs = {};
  double scale = 1;
  bool gaussian =
      false;  // scale q k^T - scale |k|^2 / 2 in place of scale q k^T; without bias and pattern
};
Attributes attributes_of(const Parts& parts);

}  // namespace attend::fused
