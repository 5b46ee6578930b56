// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "ops/feature_map.h"
#include "ops/graph.h"
#include "ops/unbounded.h"

// What a recorded formula is meant to be. The build that records a mask, weights or a kernel states it beside the
// formula, and the node keeps both: fast forms (src/fused) are chosen by the intent, everything else reads the formula.
namespace attend {

struct Intent {
  // Of a mask that leaves pairs of a query i and a key j:
  //   band        those that the numbers below leave
  //   strided     j within l before i (first part), and (i - j) mod l = 0 (second part)
  //   fixed       the same block of l (first part), and the last c keys of every block (second part)
  //   recent      j from the c keys before the block of l that i is in
  //   summarised  at most l apart, and the last c keys
  //   bigbird     blocks of l at most c apart, and the first `global` blocks as rows and as columns (first part);
  //               beside them the keys of each row that the operand [.. m r] lists (second part), or the pairs of the
  //               operand, which is a mask (both)
  //   first       the first c keys, and i - l < j <= i
  //   others      j other than i
  //   documents   those with the same number in the operand, a list [1 n]
  //   diffusion   tokens are a noised text of c tokens and the clean one, in blocks of l: the same block of the same
  //               text, and the clean blocks before that of i
  //   neighbours  keys lie on a grid of `global` columns: c rows and l columns around i, moved inside at a border
  // Of attention weights:
  //   spans       softmax of the first operand times m, divided by the row's sum; m = clip((R + z - |i - j|) / R, 0, 1)
  //               with z [.. 1 1] or [.. m 1] and R, one number, the second and third operand
  //   sink        softmax of the first operand, of keys that the second leaves where there are three, beside one more
  //               entry that has no value; its score is the last operand [.. 1 1]
  // Of a column [.. m 1]:
  //   rest        the weight of the sink beside the weights that are the first operand; then the operands of these
  // Of scores:
  //   capped      c tanh(e / c) of the first operand e; c, one number, is the second
  //   shifted     the first operand plus a number for each row, which a softmax does not see
  //   relative    p_i . R_c with c = clip(j - i + after, 0, r - 1), of p [.. m e] and R [.. r e], the first two of c
  //               operands; a third [.. 1 n] is added to it
  // Of a bias:
  //   gaps        bias [.. i j] is the operand, a table [.. 1 m+n-1], at j - i + m - 1
  //   by_key      bias [.. i j] is the operand [.. 1 n] at j plus a number for each row, where j <= i + after
  // Of a kernel:
  //   gaussian    exp(-scale |a_i - b_j|^2 / 2) of the two operands
  // Of a context:
  //   features    attention by `features` of the operands q, k and v; then the drawn rows [.. r d] and the gates
  //               [.. n 1] or [.. 1 1], where there are any
  //   delta       y_t = phi(q_t) W_t with W_t = W_{t-1} + beta_t phi(k_t)^T (v_t - phi(k_t) W_{t-1}), of the operands
  //               q, k, v and beta [.. n 1]
  //   hashed      attention within buckets of locality-sensitive hashing, of the operands q (whose rows at length 1 are
  //               the keys), v, and the planes [.. rounds d buckets/2]: `global` rounds, `c` buckets, chunks of l
  //   relative_values  the first operand, a product of the second, weights, with values, plus the weights times V_c,
  //               of V [.. r e], the third; c is that of `relative`
  // Of anything:
  //   shorter     the first operand, which is computed in fewer steps from the other operands
  enum Kind : long {
    band,
    strided,
    fixed,
    spans,
    recent,
    summarised,
    bigbird,
    gaussian,
    gaps,
    by_key,
    first,
    others,
    documents,
    diffusion,
    neighbours,
    features,
    delta,
    hashed,
    sink,
    rest,
    capped,
    shifted,
    relative,
    relative_values,
    shorter
  };
  // Which of a pattern's two parts there are.
  enum class Part { both, first, second };
  Kind kind = band;
  // Besides, i - before <= j <= i + after, and i and j in the same block of so many if that is not 0.
  std::ptrdiff_t before = unbounded;
  std::ptrdiff_t after = unbounded;
  std::size_t block = 0;
  std::size_t l = 0, c = 0;
  Part part = Part::both;
  std::size_t global = 0;
  double scale = 0;
  Features of = {};
  std::vector<NodeId> operands = {};

  [[nodiscard]] bool is_mask() const;
  [[nodiscard]] bool is_context() const {
    return kind == features || kind == delta || kind == hashed;
  }
  [[nodiscard]] bool is_causal() const;  // the past and nothing else
  [[nodiscard]] bool lists_keys() const { return kind == bigbird && part == Part::second; }
  bool operator==(const Intent&) const = default;
};

// Each is nothing where its numbers are not whole, too small or too large: then no intent is stated.
using MaybeIntent = std::optional<Intent>;
MaybeIntent band_intent(double before, double after);  // infinite: no bound on that side
MaybeIntent causal_intent();
MaybeIntent blocks_intent(double size);
MaybeIntent strided_intent(double l, Intent::Part part);
MaybeIntent fixed_intent(double l, double c, Intent::Part part);
MaybeIntent recent_intent(double size, double memory);
MaybeIntent summarised_intent(double window, std::size_t rest);
MaybeIntent bigbird_intent(double block, double window, double global,
                           Intent::Part drawn = Intent::Part::both);
// Without a window: every key up to i.
MaybeIntent first_intent(double first, double window = HUGE_VAL);
MaybeIntent others_intent();
MaybeIntent documents_intent();
MaybeIntent diffusion_intent(std::size_t length, double block);
MaybeIntent neighbours_intent(std::size_t columns, std::size_t kernel_rows,
                              std::size_t kernel_columns);
MaybeIntent spans_intent(bool causal);
MaybeIntent gaussian_intent(double scale);
MaybeIntent gaps_intent();
MaybeIntent by_key_intent(std::size_t after);
MaybeIntent sink_intent();
MaybeIntent rest_intent();
MaybeIntent capped_intent();
MaybeIntent shifted_intent();
// `operands`: how many of them the kernel reads; `shift` is what is added to j - i.
MaybeIntent relative_intent(std::ptrdiff_t shift, std::size_t operands);
MaybeIntent relative_values_intent(std::ptrdiff_t shift);
MaybeIntent shorter_intent();
MaybeIntent features_intent(const Features& features);
MaybeIntent delta_intent(const Features& features);
MaybeIntent hashed_intent(std::size_t rounds, std::size_t buckets, std::size_t chunk, bool causal);

// The intent of the product of two masks; empty where no single intent describes the product.
MaybeIntent both(const MaybeIntent& a, const MaybeIntent& b);

// States what a formula is meant to be, and gives it back. Of what was computed outside, the formula reads the operands
// alone.
Var stated(Var formula, MaybeIntent intent, const std::vector<Var>& operands = {});

// x as a constant that cancels: the formula's value and its slope are the same whatever x is, such as the largest
// exponent that a softmax takes off. So it does not end an intent, as what an intervention detaches does.
Var cancelled(Var x);

// The node's intent, as long as its formula reads nothing but the operands (of gaps: nothing but what the table is
// computed from): an intervention, or a tensor that is given, brings a leaf into the formula, and then it is no longer
// what the build stated. Null where there is none.
const Intent* intent_of(const Graph& graph, NodeId id);

// Of a mask: its own intent, or that of the masks of which it is the product.
MaybeIntent mask_intent(const Graph& graph, NodeId mask);

// A mask as a product: what its factors with intents leave together, and the other factors. A factor with one row
// stands for the mask that repeats it.
struct MaskFactors {
  MaybeIntent stated;
  std::vector<NodeId> rest;
};
bool has_one_row(const Shape& mask);
MaskFactors factors_of_mask(const Graph& graph, NodeId mask);

// Whether a mask of one shape leaves the same pairs in each map of another: it has the same rows and keys, or one list
// of keys for all rows.
bool same_maps(const Shape& mask, const Shape& maps);

// Gives `to`, which is `from` recorded in another graph, the intent of `from`. `now` gives the new node of an old one,
// empty where there is none; then no intent is stated.
void carry_intent(const Node& from, Var to, const std::function<Var(NodeId)>& now);

}  // namespace attend
