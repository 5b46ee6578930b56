// SPDX-License-Identifier: Apache-2.0
// A core in place of score, alignment and aggregate: (Q, K, V) -> context.
#include "assembly/general_module.h"
#include "catalogue/core_calls.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend {

bool GeneralModule::is_causal(const Scope& core) const {
  return std::get<Core>(core.choice.mechanism->behaviour).always_causal ||
         !choice_.all("mask").empty() ||
         (core.knobs.contains(causal_switch) && core.flag(causal_switch));
}

void GeneralModule::output_maps(const Weighing& weighing, Var implied) {
  const std::string front =
      std::string(splits() ? "h " : "") + std::string(weighing.maps ? "dv " : "") + "m ";
  OutputKind map = out::implied, weights = out::weights;
  map.when_asked = in_.k.extent(-2) > most_implied_keys;
  if (!weighing.probabilities) weights.numbers = NumberKind::real_number;
  const Var own = weighing.weights;
  weights.when_asked = !own && map.when_asked;
  if (own || implied) {
    weights_ = named("A", own ? own : implied);
    output(weights, weights_, front + std::string(own ? weighing.columns : "n"));
  }
  if (implied) output(map, implied, front + "n");
}

ModuleResult GeneralModule::through_core() {
  const Choice& choice = *choice_.in("core");
  const Core& record = std::get<Core>(choice.mechanism->behaviour);
  within(choice, [&] {
    if (!in_.q) {
      refuse("/inputs",
             "\"" + std::string(choice.mechanism->id) +
                 "\" compares keys with a query, and the document has no input \"query\"");
    }
    if (record.shares_keys) in_.k = in_.q;
    if (record.shares_keys) ready_.k = ready_.q;
    Dimensions d = dimensions();
    add_core_sizes(d, in_.q, in_.k, ready_);
    const Scope scope = b_.enter(choice, d, record.serves_all_heads ? Family{} : family_);
    const std::size_t keys =
        record.keys_per_query.empty() ? 1 : scope.integer(record.keys_per_query);
    const CoreIn in{scope, in_.q, in_.k, is_causal(scope), ready_, keys};
    output_inputs();
    // Heads that look at the keys themselves read the mask; otherwise it is to be looked at, and may be too large.
    const Choice* heads = choice_.in("heads");
    const bool read = splits() && !only_joins(std::get<Heads>(heads->mechanism->behaviour));
    if (in.causal && (read || in.m() <= max_elements / in.n()))
      b_.output(choice_, out::mask, mask_ = let("M", in.past_pairs()), "m n");
    const Weighing weighing = record.build(in);
    context_ = weighing.context(in_.v);
    if (record.finish != nullptr) context_ = record.finish(in, context_);
    context_ = named("C", context_);
    output_maps(weighing, attend::implied_map(weighing, in_.q, in_.k));
  });
  ModuleResult result{{}, in_one_row(weights_), splits() ? merged(context_) : context_, {}};
  result.output = result.context;
  const std::string axes = splits() ? "m dc" : "m dv";
  b_.output(choice_, out::context, result.context, axes);
  // What stands in the slot `output` has that name for its own.
  if (choice_.in("output") == nullptr) b_.output(choice_, out::output, result.context, axes);
  return result;
}

}  // namespace attend
