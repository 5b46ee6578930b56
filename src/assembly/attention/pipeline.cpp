// SPDX-License-Identifier: Apache-2.0
#include "assembly/attention/pipeline.h"

#include <algorithm>
#include <array>

#include "assembly/attention/stages.h"
#include "catalogue/preparation.h"

namespace attend {
namespace {

using Stage = stages::Flow (*)(const stages::Module&, stages::Flow);

// What every module does first.
constexpr std::array<Stage, 5> to_queries_keys_and_values{
    stages::split_heads, stages::change_values, stages::change_queries_and_keys, stages::turn,
    stages::share_keys};

// Then it asks a core, or scores, aligns and aggregates.
constexpr std::array<Stage, 1> by_core{stages::through_core};
constexpr std::array<Stage, 4> by_scores{stages::score_rows, stages::output_inputs,
                                         stages::mask_pairs, stages::weigh_rows};

template <std::size_t Count>
stages::Flow through(const std::array<Stage, Count>& list, const stages::Module& module,
                     stages::Flow flow) {
  for (const Stage stage : list) flow = stage(module, std::move(flow));
  return flow;
}

stages::Result attended(const stages::Module& module, stages::Flow flow) {
  flow = through(to_queries_keys_and_values, module, std::move(flow));
  if (module.choice.in("core") != nullptr)
    return results_of_core(module, through(by_core, module, std::move(flow)));
  return results(module, through(by_scores, module, std::move(flow)));
}

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
  const stages::Result result =
      attended({assembler, in.choice}, stages::begin(triple, prepare.rows(), in.family));
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
