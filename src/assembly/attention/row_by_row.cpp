// SPDX-License-Identifier: Apache-2.0
// Rows all at once, or, where a part needs the rows before, each as one step of a scan.
#include "assembly/attention/stages.h"

namespace attend::stages {
namespace {

// An alignment that weighs all rows together has no meaning where rows come one by one.
void refuse_all_rows(const Choice& choice) {
  if (choice.mechanism->needs_all_rows) {
    refuse(choice.path, "\"" + std::string(choice.mechanism->id) +
                            "\" needs all rows together, but here rows are computed one after "
                            "another, because another part needs the earlier rows");
  }
  for (const auto& [name, inner] : choice.slots) {
    for (const Choice& one : inner) refuse_all_rows(one);
  }
}

Flow weigh_one_after_another(const Module& module, Flow flow) {
  refuse_all_rows(module.choice);
  if (!flow.rows) flow.rows = std::make_shared<Rows>(module.assembler.graph(), flow.row_count());
  Rows& r = *flow.rows;
  const Var q = flow.in.q ? r.row_of(flow.in.q, "q_t") : flow.in.q;
  const Var mask = flow.mask ? r.row_of(flow.mask, "m_t") : flow.mask;
  const bool scored = static_cast<bool>(flow.scores);
  Var e;
  if (scored) {
    e = r.row_of(flow.scores, "e_t");
  } else {
    e = score_of(module, flow, q, &r);
    if (!q && module.score() != nullptr) flow.scored_rows = e.extent(-2);
    e = mixed_scores(module, flow, with_positions(module, flow, e, q, &r));
  }
  flow = align(module, std::move(flow), e, mask, q, &r);
  const Var a = let("a_t", flow.weights);
  const Var c = let("c_t", context_of(module, flow, a, q, &r));
  const std::vector<Var> all = r.finish(a, c, scored ? std::vector{a, c} : std::vector{a, c, e});
  if (!scored) flow.scores = flow.named("E", all[2]);
  flow.weights = flow.named("A", all[0]);
  flow.context = flow.named("C", all[1]);
  return flow;
}

}  // namespace

Flow with_rows_around(const Module& module, Flow flow) {
  const Steps* around = module.assembler.steps;
  if (flow.rows || around == nullptr || flow.row_count() != 1) return flow;
  refuse_all_rows(module.choice);
  flow.rows = std::make_shared<Rows>(*around);
  return flow;
}

Flow weigh_rows(const Module& module, Flow flow) {
  if (module.is_recurrent("score") || module.is_recurrent("alignment") ||
      module.is_recurrent("heads"))
    return weigh_one_after_another(module, std::move(flow));
  Rows* const rows = flow.rows.get();
  const Var scores = flow.scores, mask = flow.mask, q = flow.in.q;
  flow = with_stream_values(module, std::move(flow));
  flow = align(module, std::move(flow), scores, mask, q, rows);
  flow.weights = flow.named("A", flow.weights);
  flow.context = flow.named("C", context_of(module, flow, flow.weights, flow.in.q, rows));
  return flow;
}

}  // namespace attend::stages
