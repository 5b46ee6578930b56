// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/structure_parts.h"

namespace attend {

StructureIn sized(const StructureIn& in) {
  return {in.builder.enter(in.choice, in.builder.sizes_of_inputs(*in.choice.mechanism))};
}

Var joint_mask(const BuildIn& in, std::size_t m, std::size_t n) {
  Var all;
  for (const Choice& choice : in.choice.all("mask")) {
    const Mask& record = std::get<Mask>(choice.mechanism->behaviour);
    const Var one = within(choice, [&] {
      Dimensions d;
      d.set("m", m);
      d.set("n", n);
      return broadcast_to(record.build(MaskIn{in.builder.enter(choice, d), m, n}), {m, n});
    });
    all = all ? all * one : one;
  }
  if (all) in.output("mask", let("M", all), "m n");
  return all;
}

Var softmax_by_feature(Var scores, Var mask) {
  const Var keys_last = transpose(scores);  // [.. d n]
  return transpose(mask ? softmax(keys_last, expand(mask, -2)) : softmax(keys_last));
}

}  // namespace attend
