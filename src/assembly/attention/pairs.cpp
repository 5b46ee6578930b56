// SPDX-License-Identifier: Apache-2.0
// Which pairs may attend.
#include "assembly/attention/stages.h"

namespace attend::stages {
namespace {

// What the score itself rules out; nothing where it rules out none.
Var ruled_out_by_score(const Module& module, const Flow& flow) {
  const Choice* choice = module.score();
  if (choice == nullptr) return {};
  const Score& record = std::get<Score>(choice->mechanism->behaviour);
  if (record.mask == nullptr) return {};
  return within(*choice, [&] {
    return record.mask(
        {scope_of_score(module, flow), flow.masked_rows(), flow.whole.k.extent(-2), flow.whole});
  });
}

}  // namespace

Masking masking(const Module& module, const Flow& flow) {
  return {module.assembler, module.choice, flow.whole};
}

Flow mask_pairs(const Module& module, Flow flow) {
  Var all = masking(module, flow).mask(flow.masked_rows());
  if (const Var own = ruled_out_by_score(module, flow)) all = all ? all * own : own;
  if (!all) return flow;
  if (flow.rows) all = flow.rows->row_of(all, "m_t");
  flow.mask = let("M", all);
  module.assembler.output(module.choice, out::mask, flow.mask, "m n");
  return flow;
}

}  // namespace attend::stages
