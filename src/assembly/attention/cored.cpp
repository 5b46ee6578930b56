// SPDX-License-Identifier: Apache-2.0
// A core in place of score, alignment and aggregate: (Q, K, V) -> context.
#include "assembly/attention/stages.h"
#include "catalogue/core_calls.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend::stages {
namespace {

bool is_causal(const Module& module, const Scope& core) {
  return std::get<Core>(core.choice.mechanism->behaviour).always_causal ||
         !module.choice.all("mask").empty() ||
         (core.knobs.contains(causal_switch) && core.flag(causal_switch));
}

Flow with_maps(const Module& module, Flow flow, const Weighing& weighing) {
  const Var implied = implied_map(weighing, flow.in.q, flow.in.k);
  const std::string front =
      std::string(module.splits() ? "h " : "") + std::string(weighing.maps ? "dv " : "") + "m ";
  OutputKind map = out::implied, weights = out::weights;
  map.when_asked = flow.in.k.extent(-2) > most_implied_keys;
  if (!weighing.probabilities) weights.numbers = NumberKind::real_number;
  const Var own = weighing.weights;
  const std::size_t behind = !own && weighing.maps ? 3 : 2;  // a map for each feature
  weights.when_asked = !own && map.when_asked;
  if (own || implied) {
    flow.weights = flow.named("A", own ? own : implied, behind);
    output(module, flow, weights, flow.weights, front + std::string(own ? weighing.columns : "n"));
  }
  if (implied) output(module, flow, map, implied, front + "n");
  return flow;
}

// The mask is to be looked at, and may be too large. Heads that look at the keys themselves read it, unless each query
// sees one key more than the query before it: then that is all they need.
Flow with_past_pairs(const Module& module, Flow flow, const CoreIn& in) {
  if (!in.causal) return flow;
  const bool read = module.splits() && !only_joins(*module.heads()) && in.keys_per_query != 1;
  flow.causal = !read && in.m() > max_elements / in.n();
  if (flow.causal) return flow;
  flow.mask = let("M", in.past_pairs());
  module.assembler.output(module.choice, out::mask, flow.mask, "m n");
  return flow;
}

}  // namespace

Flow through_core(const Module& module, Flow flow) {
  const Choice& choice = *module.choice.in("core");
  const Core& record = std::get<Core>(choice.mechanism->behaviour);
  return within(choice, [&] {
    if (!flow.in.q) module.assembler.refuse_missing(choice, "query");
    if (record.shares_keys) flow.in.k = flow.in.q;
    if (record.shares_keys) flow.ready.k = flow.ready.q;
    Dimensions d = flow.dimensions();
    add_core_sizes(d, flow.in.q, flow.in.k, flow.ready);
    const Scope scope =
        module.assembler.enter(choice, d, record.serves_all_heads ? Family{} : flow.family);
    const std::size_t keys =
        record.keys_per_query.empty() ? 1 : scope.integer(record.keys_per_query);
    flow = with_rows_around(module, std::move(flow));
    const CoreIn in{scope,      flow.in.q, flow.in.k,      is_causal(module, scope),
                    flow.ready, keys,      flow.rows.get()};
    flow = output_inputs(module, std::move(flow));
    flow = with_past_pairs(module, std::move(flow), in);
    const Weighing weighing = record.build(in);
    flow.context = weighing.context(flow.in.v);
    if (record.finish != nullptr) flow.context = record.finish(in, flow.context);
    flow.context = flow.named("C", flow.context);
    return with_maps(module, std::move(flow), weighing);
  });
}

}  // namespace attend::stages
