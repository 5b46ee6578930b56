// SPDX-License-Identifier: Apache-2.0
// From weights and values to the context.
#include "assembly/general_module.h"
#include "catalogue/penalties.h"

namespace attend {

Var GeneralModule::aggregate(Var weights, Var q, Rows* rows) {
  Var c = feature_wise() ? sum(by_feature_last(weights) * pair_columns(in_.v), -2)
                         : matmul(weights, in_.v);
  for (const Choice& choice : choice_.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.context == nullptr) continue;
    c = within(choice,
               [&] { return record.context(scored_position_in(choice, q, rows), weights, c); });
  }
  return gated_by_penalties(b_, choice_, q, c);
}

// The gate or other model in the slot `aggregate`, of each head.
Var GeneralModule::aggregated(const std::string& axes) {
  const Choice* choice = choice_.in("aggregate");
  if (choice == nullptr) return context_;
  return within(*choice, [&] {
    Dimensions d = dimensions();
    if (ready_.q) d.set("dx", ready_.q.extent(-1));
    const Triple inputs{projected_.q, projected_.k, in_.v, in_.memory};
    const AggregateIn in{
        b_.enter(*choice, d, family_), inputs, by_feature_last(weights_), context_, axes, ready_};
    return named("U", std::get<Aggregate>(choice->mechanism->behaviour).build(in));
  });
}

}  // namespace attend
