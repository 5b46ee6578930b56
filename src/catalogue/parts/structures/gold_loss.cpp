// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/gold_loss.h"

namespace attend {
namespace {

constexpr double smallest_weight = 1e-30;

Var log_of(Var x) { return log(maximum(x, scalar(x, smallest_weight))); }

}  // namespace

Tensors gold_loss(const Scope& in, GoldLoss form, Var weights, std::string_view gold_port,
                  Var gold) {
  if (weights.shape() != gold.shape())
    refuse(in.source_of(gold_port), "expected the weights' shape " + to_text(weights.shape()) +
                                        ", found " + to_text(gold.shape()));
  Var rows;  // [m]
  if (form == GoldLoss::squares) {
    const Var gap = gold - weights;
    rows = sum(gap * gap, -1);
  } else if (form == GoldLoss::cross_entropy) {
    rows = -sum(gold * log_of(weights), -1);
  } else {
    // A row for which nothing is wanted costs nothing.
    const Var wanted = greater(sum(gold, -1), scalar(weights, 0));
    rows = -(wanted * log_of(sum(gold * weights, -1)));
  }
  return {{out::loss, let("L", in.scalar("lambda") * sum(rows, 0)), ""}};
}

}  // namespace attend
