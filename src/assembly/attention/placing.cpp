// SPDX-License-Identifier: Apache-2.0
// What positions are handed.
#include "assembly/attention/stages.h"

namespace attend::stages {

PositionIn position_in(const Module& module, const Flow& flow, const Choice& choice, Var q,
                       Rows* rows) {
  Family shared = flow.family;  // tables serve every head
  shared.heads = 0;
  Dimensions d = flow.dimensions();
  if (module.splits()) d.set("h", flow.family.heads);
  const std::size_t width = flow.in.k.extent(-1) / flow.streams;
  if (flow.streams > 1) {  // the tables of scores have the width of one stream
    d.set("dq", width);
    d.set("dk", width);
  }
  d.set("p", width);                    // the width of a head,
  d.set("d", flow.whole.k.extent(-1));  // and of the whole
  d.set("dx", flow.ready.k.extent(-1));
  return {module.assembler.enter(choice, d, shared),
          {q, flow.in.k, flow.in.v, flow.in.memory},
          {},
          rows,
          flow.ready};
}

PositionIn scored_position_in(const Module& module, const Flow& flow, const Choice& choice, Var q,
                              Rows* rows) {
  PositionIn in = position_in(module, flow, choice, q, rows);
  in.score_scale = fill(module.assembler.graph(), {}, 1);
  const Choice* scored = module.score();
  if (scored == nullptr) return in;
  const Score& record = std::get<Score>(scored->mechanism->behaviour);
  if (record.scale != nullptr)
    in.score_scale = record.scale({scope_of_score(module, flow), q, flow.in.k, flow.in.v});
  return in;
}

}  // namespace attend::stages
