// SPDX-License-Identifier: Apache-2.0
// What a module gives, and what is to be seen of it.
#include <algorithm>

#include "assembly/attention/stages.h"
#include "catalogue/parts/heads/shared_keys.h"
#include "catalogue/penalties.h"

namespace attend::stages {
namespace {

// Whether no part of a module makes weights below zero.
bool has_no_negative_weights(const Choice& choice) {
  if (!choice.mechanism->laws.nonnegative) return false;
  return std::all_of(choice.slots.begin(), choice.slots.end(), [](const auto& slot) {
    return std::all_of(slot.second.begin(), slot.second.end(), has_no_negative_weights);
  });
}

// What recurrent rows end with, where the score says it.
void output_state(const Module& module, const Flow& flow, const std::string& front) {
  const Choice* choice = module.score();
  if (choice == nullptr || !module.is_recurrent("score")) return;
  const Score& record = std::get<Score>(choice->mechanism->behaviour);
  if (record.state == nullptr) return;
  const Var own = within(*choice, [&] {
    return record.state(
        {scope_of_score(module, flow), flow.in.q, flow.in.k, flow.in.v, flow.rows.get()});
  });
  if (!own) return;
  const bool wide = own.rank() > flow.in.k.rank() - 1;
  output(module, flow, out::state, own, front + "n" + (wide ? " state:feature" : ""));
}

void output_maps(const Module& module, const Result& result, const std::string& axes) {
  module.assembler.output(module.choice, out::scores, result.scores, axes);
  OutputKind weights = out::weights;
  if (!has_no_negative_weights(module.choice)) weights.numbers = NumberKind::real_number;
  module.assembler.output(module.choice, weights, result.weights, axes);
}

// Of one row of steps around the module there is no penalty yet: they sum it up over all rows.
void output_penalty(const Module& module, const Flow& flow) {
  if (module.assembler.steps != nullptr) return;
  const Var penalty = penalty_of(module.assembler, module.choice,
                                 {flow.in_one_row(flow.in.q), flow.in_one_row(flow.weights),
                                  flow.in_one_row(flow.in.v), flow.in_one_row(flow.context)});
  if (penalty) module.assembler.output(module.choice, out::penalty, penalty, "");
}

}  // namespace

void output(const Module& module, const Flow& flow, OutputKind kind, Var var,
            const std::string& axes) {
  const Named named = as_named(var, flow.family, axes);
  module.assembler.output(module.choice, kind, named.var, named.axes);
}

Flow output_inputs(const Module& module, Flow flow) {
  const std::string front = flow.family.heads > 0 ? "h " : "";
  if (flow.in.q) output(module, flow, out::query, flow.in.q, front + "m dq");
  output(module, flow, out::key, flow.in.k, front + "n dk");
  output(module, flow, out::value, flow.in.v, front + "n dv");
  return flow;
}

Result results(const Module& module, const Flow& flow) {
  Result result{by_feature_last(module, flow.in_one_row(flow.scores)),
                by_feature_last(module, flow.in_one_row(flow.weights)),
                flow.context,
                {}};
  const std::string front = module.splits() ? "h " : "";
  output_maps(module, result, front + "m n" + (module.feature_wise() ? " dv" : ""));
  output_state(module, flow, front);
  output_penalty(module, flow);
  const Flow finished = with_finished_heads(module, flow);
  result.context = finished.context;
  result.output = aggregated(module, finished, front + "m");
  if (module.splits()) result.context = result.output = merged(module, finished, result.output);
  const std::string axes = module.splits() ? "m dc" : "m dv";
  module.assembler.output(module.choice, out::context, result.context, axes);
  if (module.choice.in("aggregate") != nullptr && module.choice.in("output") == nullptr)
    module.assembler.output(module.choice, out::output, result.output, axes);
  return result;
}

Result results_of_core(const Module& module, const Flow& flow) {
  const Flow finished = with_finished_heads(module, flow);
  Result result{{},
                flow.in_one_row(flow.weights),
                module.splits() ? merged(module, finished, finished.context) : flow.context,
                {}};
  result.output = result.context;
  const std::string axes = module.splits() ? "m dc" : "m dv";
  module.assembler.output(module.choice, out::context, result.context, axes);
  // The mechanism in the slot `output` uses that name for its own result.
  if (module.choice.in("output") == nullptr)
    module.assembler.output(module.choice, out::output, result.context, axes);
  return result;
}

}  // namespace attend::stages
