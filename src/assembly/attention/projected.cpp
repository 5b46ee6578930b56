// SPDX-License-Identifier: Apache-2.0
// Between the heads' projections and the scores: the slots `value` and `qk`, then rotations.
#include "assembly/attention/stages.h"

namespace attend::stages {
namespace {

// Parameters of these slots serve all heads: h heads of queries, and G of what they are `of`, keys or values.
Scope enter_for_all_heads(const Module& module, const Flow& flow, const Choice& choice, Var of) {
  Family shared = flow.family;
  shared.heads = 0;
  Dimensions d = flow.dimensions();
  if (module.splits()) {
    d.set("h", flow.family.heads);
    d.set("G", of.extent(-3));
  }
  return module.assembler.enter(choice, d, shared);
}

Flow with_queries_and_keys(Flow flow, const Triple& changed) {
  flow.in.q = changed.q;
  flow.in.k = changed.k;
  flow.changed = true;
  return flow;
}

}  // namespace

Flow change_values(const Module& module, Flow flow) {
  const Choice* value = module.choice.in("value");
  if (value == nullptr) return flow;
  flow.in.v = within(*value, [&] {
    const ValueIn in{enter_for_all_heads(module, flow, *value, flow.in.v)};
    return std::get<Value>(value->mechanism->behaviour).build(in, flow.in.v);
  });
  return flow;
}

Flow change_queries_and_keys(const Module& module, Flow flow) {
  const Choice* qk = module.choice.in("qk");
  if (qk == nullptr) return flow;
  const Triple changed = within(*qk, [&] {
    if (!flow.in.q) refuse("it changes queries and keys, but this module reads no query");
    const QkIn in{enter_for_all_heads(module, flow, *qk, flow.in.k)};
    return std::get<Qk>(qk->mechanism->behaviour).build(in, flow.in);
  });
  return with_queries_and_keys(std::move(flow), changed);
}

// The record of a rotation excludes any other, so that rows are turned once.
Flow turn(const Module& module, Flow flow) {
  for (const Choice& choice : module.choice.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.projected == nullptr) continue;
    const Triple turned = within(choice, [&] {
      if (!flow.in.q) refuse("it rotates queries and keys, but this module reads no query");
      flow = with_rows_around(module, std::move(flow));
      return record.projected(position_in(module, flow, choice, flow.in.q, flow.rows.get()),
                              flow.in);
    });
    flow = with_queries_and_keys(std::move(flow), turned);
  }
  return flow;
}

}  // namespace attend::stages
