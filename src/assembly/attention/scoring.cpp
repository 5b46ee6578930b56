// SPDX-License-Identifier: Apache-2.0
// From queries and keys to scores, with the terms of positions.
#include <algorithm>

#include "assembly/attention/stages.h"

namespace attend::stages {

// Heads that split nothing may name a size of the score, the filters of a convolution; what the
// score makes of it holds for both.
Scope scope_of_score(const Module& module, const Flow& flow) {
  Assembler& assembler = module.assembler;
  const Choice& choice = *module.score();
  Dimensions d = flow.dimensions();
  const Choice* heads = module.choice.in("heads");
  if (heads == nullptr || module.splits()) return assembler.enter(choice, d, flow.family);
  const Dimensions named = assembler.enter(*heads, d).dimensions;
  for (const Knob& knob : heads->mechanism->knobs) {
    if (!knob.symbol.empty() && heads->knobs.contains(knob.name))
      d.set(knob.symbol, *named.get(knob.symbol));
  }
  Scope in = assembler.enter(choice, d, flow.family);
  assembler.enter(*heads, in.dimensions);
  return in;
}

namespace {

Var score_of_each_feature(const Module& module, const Flow& flow, Var q) {
  const Choice& dim = *module.choice.in("dimensionality");
  return within(dim, [&] {
    const DimensionalityIn in{module.assembler.enter(dim, flow.dimensions(), flow.family),
                              {q, flow.in.k, flow.in.v}};
    return std::get<Dimensionality>(dim.mechanism->behaviour).scores(in);
  });
}

// A score with rows of its own leaves nothing for the query to do.
Flow without_query_beside(const Module& module, Flow flow, Var scores) {
  const Choice* choice = module.score();
  if (choice == nullptr) return flow;
  const Score& record = std::get<Score>(choice->mechanism->behaviour);
  if (record.asks_nobody == nullptr || !record.asks_nobody(scope_of_score(module, flow)))
    return flow;
  flow.in.q = flow.projected.q = flow.whole.q = flow.ready.q = {};
  flow.scored_rows = scores.extent(-2);
  return flow;
}

// A query-independent score has one row, which serves all queries; one without heads serves all
// heads.
Var for_every_row(const Module& module, const Flow& flow, Var scores) {
  Shape whole(flow.in.v.shape().begin(), flow.in.v.shape().end() - 2);
  if (flow.family.shares_keys()) whole.back() = flow.family.heads / flow.family.key_heads;
  if (module.splits() && !flow.family.shares_keys()) whole.back() = flow.family.heads;
  whole.push_back(flow.row_count());
  whole.push_back(flow.in.k.extent(-2));
  return broadcast_to(scores, broadcast_shapes(scores.shape(), whole));
}

}  // namespace

Var score_of(const Module& module, const Flow& flow, Var q, Rows* rows) {
  if (module.feature_wise()) return score_of_each_feature(module, flow, q);
  const Choice& choice = *module.score();
  const Score& record = std::get<Score>(choice.mechanism->behaviour);
  return within(choice, [&] {
    if (!q && record.reads_query) module.assembler.refuse_missing(choice, "query");
    return record.build(
        {scope_of_score(module, flow), q, flow.in.k, flow.in.v, rows, flow.changed});
  });
}

Var with_positions(const Module& module, const Flow& flow, Var scores, Var q, Rows* rows) {
  for (const Choice& choice : module.choice.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.score == nullptr) continue;
    scores = within(choice, [&] {
      return record.score(scored_position_in(module, flow, choice, q, rows), scores);
    });
  }
  return scores;
}

namespace {

bool has_scored_position(const Module& module) {
  const std::vector<Choice>& all = module.choice.all("position");
  return std::any_of(all.begin(), all.end(), [](const Choice& choice) {
    return std::get<Position>(choice.mechanism->behaviour).score != nullptr;
  });
}

}  // namespace

Flow score_rows(const Module& module, Flow flow) {
  flow = with_rows_around(module, std::move(flow));
  if (module.is_recurrent("score")) return flow;  // its rows are scored where they are weighed
  Rows* const rows = flow.rows.get();
  const Var own = score_of(module, flow, flow.in.q, rows);
  if (!flow.in.q && module.score() != nullptr) flow.scored_rows = own.extent(-2);
  flow = without_query_beside(module, std::move(flow), own);
  // A position may have a term for each query, so it needs all rows of a score that has only one.
  const Var spread = has_scored_position(module) ? for_every_row(module, flow, own) : own;
  const Var placed =
      for_every_row(module, flow, with_positions(module, flow, spread, flow.in.q, rows));
  flow.scores = flow.named("E", mixed_scores(module, flow, placed));
  return flow;
}

}  // namespace attend::stages
