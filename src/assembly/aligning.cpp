// SPDX-License-Identifier: Apache-2.0
// From scores to weights.
#include "assembly/general_module.h"

namespace attend {

Var GeneralModule::align(Var e, Var mask, Var q, Rows* rows) {
  e = masking().energies(e, masked_rows(), rows);
  const Triple inputs{q, in_.k, in_.v, in_.memory};
  const Var a =
      mixed_alignments().empty()
          ? align_with(*choice_.in("alignment"), {e, mask, inputs, rows, std::nullopt}, family_)
          : align_each_head({e, mask, inputs, rows, std::nullopt});
  return joined_weights(masking().weights(a, masked_rows(), rows));
}

Var GeneralModule::align_with(const Choice& choice, const ToAlign& to, const Family& family) {
  return within(choice, [&] {
    const AlignmentIn in{
        b_.enter(choice, dimensions(), family), to.scores, to.mask, to.inputs, to.rows, to.head};
    return std::get<Alignment>(choice.mechanism->behaviour).build(in);
  });
}

// Head by head, each with the alignment of its place in the list.
Var GeneralModule::align_each_head(const ToAlign& all) {
  const std::vector<Choice>& list = choice_.in("heads")->all(mixed_alignments());
  Family alone = family_;
  alone.heads = 0;
  const long axis = static_cast<long>(all.scores.rank()) - 3;  // features stand in front of heads
  std::vector<Var> weights;
  for (std::size_t t = 0; t < list.size(); ++t) {
    const Triple part{all.inputs.q ? one_head(all.inputs.q, t) : Var{}, one_head(all.inputs.k, t),
                      one_head(all.inputs.v, t), all.inputs.memory};
    const Var own =
        align_with(list[t], {one_head(all.scores, t), all.mask, part, all.rows, t}, alone);
    weights.push_back(expand(own, axis));
  }
  return concat(weights, axis);
}

}  // namespace attend
