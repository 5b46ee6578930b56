// SPDX-License-Identifier: Apache-2.0
// From scores to weights.
#include "assembly/attention/stages.h"

namespace attend::stages {
namespace {

// What an alignment is handed besides its own parameters.
struct ToAlign {
  Var scores, mask;
  Triple inputs;
  Rows* rows;
  std::optional<std::size_t> head;
};

Var align_with(const Module& module, const Flow& flow, const Choice& choice, const ToAlign& to,
               const Family& family) {
  return within(choice, [&] {
    const AlignmentIn in{module.assembler.enter(choice, flow.dimensions(), family),
                         to.scores,
                         to.mask,
                         to.inputs,
                         to.rows,
                         to.head};
    return std::get<Alignment>(choice.mechanism->behaviour).build(in);
  });
}

// Head by head, each with the alignment of its place in the list.
Var align_each_head(const Module& module, const Flow& flow, const ToAlign& all) {
  const std::vector<Choice>& list = module.choice.in("heads")->all(module.alignment_of_each_head());
  Family alone = flow.family;
  alone.heads = 0;
  const long axis = static_cast<long>(all.scores.rank()) - 3;  // features stand in front of heads
  std::vector<Var> weights;
  for (std::size_t t = 0; t < list.size(); ++t) {
    const Triple part{all.inputs.q ? one_head(all.inputs.q, t) : Var{}, one_head(all.inputs.k, t),
                      one_head(all.inputs.v, t), all.inputs.memory};
    const ToAlign one{one_head(all.scores, t), all.mask, part, all.rows, t};
    weights.push_back(expand(align_with(module, flow, list[t], one, alone), axis));
  }
  return concat(weights, axis);
}

}  // namespace

Flow align(const Module& module, Flow flow, Var scores, Var mask, Var q, Rows* rows) {
  scores = masking(module, flow).energies(scores, flow.masked_rows(), rows);
  const ToAlign all{scores, mask, {q, flow.in.k, flow.in.v, flow.in.memory}, rows, std::nullopt};
  const Var aligned =
      module.alignment_of_each_head().empty()
          ? align_with(module, flow, *module.choice.in("alignment"), all, flow.family)
          : align_each_head(module, flow, all);
  const Var weights = masking(module, flow).weights(aligned, flow.masked_rows(), rows);
  return with_joined_weights(module, std::move(flow), weights);
}

}  // namespace attend::stages
