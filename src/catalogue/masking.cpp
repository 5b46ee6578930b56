// SPDX-License-Identifier: Apache-2.0
#include "catalogue/masking.h"

namespace attend {

MaskIn Masking::mask_in(const Choice& choice, std::size_t m, Rows* rows) const {
  Dimensions d;
  d.set("m", m);
  d.set("n", inputs_.k.extent(-2));
  if (inputs_.q) d.set("dq", inputs_.q.extent(-1));
  d.set("dk", inputs_.k.extent(-1));
  d.set("dv", inputs_.v.extent(-1));
  return {assembler_.enter(choice, d), m, inputs_.k.extent(-2), inputs_, rows};
}

Var Masking::mask(std::size_t m) const {
  Var all;
  for (const Choice& choice : module_.all("mask")) {
    const Mask& record = std::get<Mask>(choice.mechanism->behaviour);
    if (record.build == nullptr) continue;
    const Var one = within(choice, [&] {
      const MaskIn in = mask_in(choice, m, nullptr);
      const Var pairs = record.build(in);
      return pairs ? broadcast_to(pairs, {in.m, in.n}) : pairs;
    });
    if (one) all = all ? all * one : one;
  }
  return all;
}

Var Masking::energies(Var scores, std::size_t m, Rows* rows) const {
  // Energies that are added come before masks that multiply the scores, in whatever order a document lists them.
  for (const bool product : {false, true}) {
    for (const Choice& choice : module_.all("mask")) {
      const Mask& record = std::get<Mask>(choice.mechanism->behaviour);
      if (record.energy == nullptr || (record.weights != nullptr) != product) continue;
      scores = within(choice, [&] { return record.energy(mask_in(choice, m, rows), scores); });
    }
  }
  return scores;
}

Var Masking::weights(Var weights, std::size_t m, Rows* rows) const {
  for (const Choice& choice : module_.all("mask")) {
    const Mask& record = std::get<Mask>(choice.mechanism->behaviour);
    if (record.weights == nullptr) continue;
    weights = within(choice, [&] { return record.weights(mask_in(choice, m, rows), weights); });
  }
  return weights;
}

}  // namespace attend
