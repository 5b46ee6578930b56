// SPDX-License-Identifier: Apache-2.0
// From weights and values to the context.
#include "assembly/attention/stages.h"
#include "catalogue/penalties.h"

namespace attend::stages {

Var by_feature_last(const Module& module, Var x) {
  if (!module.feature_wise()) return x;
  std::vector<long> axes;
  for (std::size_t i = 1; i < x.rank(); ++i) axes.push_back(static_cast<long>(i));
  axes.push_back(0);
  return permute(x, axes);
}

namespace {

// The contexts of all streams, joined: the same as the product with their joined maps.
Var context_of_streams(const Module& module, const Flow& flow) {
  const Var contexts = matmul(flow.stream_weights, flow.stream_values);
  return within(*module.choice.in("heads"), [&] {
    return module.heads()->contexts({scope_of_heads(module, flow), flow.whole, {}}, contexts);
  });
}

Var product_with_values(const Module& module, const Flow& flow, Var weights) {
  if (!flow.stream_weights) return matmul(weights, flow.in.v);
  const Var by_streams = context_of_streams(module, flow);
  return stated(matmul(weights, flow.in.v), shorter_intent(),
                {by_streams, flow.stream_weights, flow.in.v});
}

}  // namespace

Var context_of(const Module& module, const Flow& flow, Var weights, Var q, Rows* rows) {
  Var c = module.feature_wise()
              ? sum(by_feature_last(module, weights) * pair_columns(flow.in.v), -2)
              : product_with_values(module, flow, weights);
  for (const Choice& choice : module.choice.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.context == nullptr) continue;
    c = within(choice, [&] {
      return record.context(scored_position_in(module, flow, choice, q, rows), weights, c);
    });
  }
  return gated_by_penalties(module.assembler, module.choice, q, c);
}

Var aggregated(const Module& module, const Flow& flow, const std::string& axes) {
  const Choice* choice = module.choice.in("aggregate");
  if (choice == nullptr) return flow.context;
  return within(*choice, [&] {
    Dimensions d = flow.dimensions();
    if (flow.ready.q) d.set("dx", flow.ready.q.extent(-1));
    const Triple inputs{flow.projected.q, flow.projected.k, flow.in.v, flow.in.memory};
    const AggregateIn in{module.assembler.enter(*choice, d, flow.family),
                         inputs,
                         by_feature_last(module, flow.weights),
                         flow.context,
                         axes,
                         flow.ready};
    return flow.named("U", std::get<Aggregate>(choice->mechanism->behaviour).build(in));
  });
}

}  // namespace attend::stages
