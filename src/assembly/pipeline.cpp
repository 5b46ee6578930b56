// SPDX-License-Identifier: Apache-2.0
#include "assembly/pipeline.h"

#include <algorithm>

#include "assembly/general_module.h"
#include "catalogue/penalties.h"
#include "catalogue/preparation.h"

namespace attend {

ModuleResult GeneralModule::run() {
  if (in_.v.extent(-2) != in_.k.extent(-2)) {
    refuse("there are " + std::to_string(in_.k.extent(-2)) + " keys, but " +
           std::to_string(in_.v.extent(-2)) + " values");
  }
  if (splits()) split();
  change_projected();
  if (splits()) share_keys();
  if (choice_.in("core") != nullptr) return through_core();
  Rows* const around = rows_around();
  if (!is_recurrent_slot("score")) {
    const Var e = score(in_.q, around);
    drop_query_beside(e);
    scores_ = named("E", mixed_scores(for_every_row(positioned(e, in_.q, around))));
  }
  output_inputs();
  mask_ = build_mask();
  if (mask_) b_.output(choice_, out::mask, mask_, "m n");
  if (is_recurrent_slot("score") || is_recurrent_slot("alignment") || is_recurrent_slot("heads")) {
    row_by_row();
  } else {
    weights_ = named("A", align(scores_, mask_, in_.q, around));
    context_ = named("C", aggregate(weights_, in_.q, around));
  }
  return results();
}

namespace {
// Whether no part of a module makes weights below zero.
bool has_no_negative_weights(const Choice& choice) {
  if (!choice.mechanism->laws.nonnegative) return false;
  return std::all_of(choice.slots.begin(), choice.slots.end(), [](const auto& slot) {
    return std::all_of(slot.second.begin(), slot.second.end(), has_no_negative_weights);
  });
}
}  // namespace

ModuleResult GeneralModule::results() {
  ModuleResult result{
      by_feature_last(in_one_row(scores_)), by_feature_last(in_one_row(weights_)), context_, {}};
  const std::string front = splits() ? "h " : "";
  const std::string back = feature_wise() ? " dv" : "";
  b_.output(choice_, out::scores, result.scores, front + "m n" + back);
  OutputKind weights = out::weights;
  if (!has_no_negative_weights(choice_)) weights.numbers = NumberKind::real_number;
  b_.output(choice_, weights, result.weights, front + "m n" + back);
  output_state(front);
  // Of one row of steps around the module there is no penalty yet: they sum it up over all rows.
  if (b_.steps == nullptr) {
    const Var penalty = penalty_of(
        b_, choice_,
        {in_one_row(in_.q), in_one_row(weights_), in_one_row(in_.v), in_one_row(context_)});
    if (penalty) b_.output(choice_, out::penalty, penalty, "");
  }
  result.output = aggregated(front + "m");
  if (splits()) {
    result.context = merged(result.output);
    result.output = result.context;
  }
  b_.output(choice_, out::context, result.context, std::string("m") + (splits() ? " dc" : " dv"));
  if (choice_.in("aggregate") != nullptr && choice_.in("output") == nullptr)
    b_.output(choice_, out::output, result.output, std::string("m") + (splits() ? " dc" : " dv"));
  return result;
}

void GeneralModule::output_inputs() {
  const std::string front = family_.heads > 0 ? "h " : "";
  if (in_.q) output(out::query, in_.q, front + "m dq");
  output(out::key, in_.k, front + "n dk");
  output(out::value, in_.v, front + "n dv");
}

// What recurrent rows end with, where the score says it.
void GeneralModule::output_state(const std::string& front) {
  const Var own = score_state();
  if (!own) return;
  const bool wide = own.rank() > in_.k.rank() - 1;
  output(out::state, own, front + "n" + (wide ? " state" : ""));
}

namespace {
// A core whose keys are its queries leaves nothing for other keys to do.
void check_shared_keys(const Scope& in) {
  const Choice* core = in.choice.in("core");
  if (core == nullptr || !std::get<Core>(core->mechanism->behaviour).shares_keys) return;
  const List<Role>& read = in.choice.in("query")->mechanism->roles;
  const bool keys =
      std::any_of(read.begin(), read.end(), [](const Role& role) { return role.name == "key"; });
  const Var key = keys ? in.port("key") : Var{}, query = in.port("query");
  if (!key || (query && &key.node() == &query.node())) return;
  refuse(in.source_of("key"), "the keys of \"" + std::string(core->mechanism->id) +
                                  "\" are its queries; leave \"key\" out, or let it be the same "
                                  "input as \"query\"");
}
}  // namespace

void attend_generally(Assembler& assembler, const Scope& in) {
  check_shared_keys(in);
  Preparation prepare(assembler, in.choice);
  const Choice& choice = *in.choice.in("query");
  const Choice* heads = in.choice.in("heads");
  const QueryIn query{
      assembler.enter(choice, {}).sized(), prepare,
      heads != nullptr && std::get<Heads>(heads->mechanism->behaviour).split != nullptr};
  const Triple triple =
      within(choice, [&] { return std::get<Query>(choice.mechanism->behaviour).build(query); });
  const ModuleResult result =
      GeneralModule(assembler, in.choice, triple, prepare.rows(), in.family).run();
  const Choice* model = in.choice.in("output");
  if (model == nullptr) return;
  within(*model, [&] {
    Dimensions d;
    if (prepare.features()) d.set("df", prepare.features().extent(-1));
    d.set("m", result.output.extent(-2));
    d.set("dv", result.output.extent(-1));
    std::get<OutputModel>(model->mechanism->behaviour)
        .build({assembler.enter(*model, d), prepare.features(), result.weights, result.output});
  });
}

}  // namespace attend
