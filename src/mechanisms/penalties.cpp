// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/penalties.h"

namespace attend {
namespace {

Dimensions sizes_of(Var query, const Attended& parts) {
  Dimensions d;
  if (query) d.set("dq", query.extent(-1));
  if (parts.weights) d.set("m", parts.weights.extent(-2));
  if (parts.weights) d.set("n", parts.weights.extent(-1));
  return d;
}

}  // namespace

Var gated_by_penalties(Builder& builder, const Choice& module, Var query, Var context) {
  for (const Choice& choice : module.all("penalties")) {
    const Penalty& record = std::get<Penalty>(choice.mechanism->behaviour);
    if (record.context == nullptr) continue;
    context = within(choice, [&] {
      const PenaltyIn in{builder.enter(choice, sizes_of(query, {})), query, {}, {}, context};
      return record.context(in, context);
    });
  }
  return context;
}

void output_penalty(Builder& builder, const Choice& module, const Attended& attended) {
  Var total;
  for (const Choice& choice : module.all("penalties")) {
    const Var one = within(choice, [&] {
      const PenaltyIn in{builder.enter(choice, sizes_of(attended.query, attended)), attended.query,
                         attended.weights, attended.values, attended.outputs};
      return std::get<Penalty>(choice.mechanism->behaviour).build(in);
    });
    total = total ? total + one : one;
  }
  if (total) builder.output("penalty", let("\\mathcal{P}", total), "");
}

}  // namespace attend
