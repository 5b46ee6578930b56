// SPDX-License-Identifier: Apache-2.0
// Between the heads' projections and the scores: the slots `value` and `qk`, then rotations.
#include "assembly/general_module.h"

namespace attend {

// Parameters of these slots serve all heads: h heads of queries, and G of keys.
Scope GeneralModule::enter_for_all_heads(const Choice& choice) {
  Family shared = family_;
  shared.heads = 0;
  Dimensions d = dimensions();
  if (splits()) {
    d.set("h", family_.heads);
    d.set("G", in_.k.extent(-3));
  }
  return b_.enter(choice, d, shared);
}

void GeneralModule::change_projected() {
  if (const Choice* value = choice_.in("value")) {
    in_.v = within(*value, [&] {
      const ValueIn in{enter_for_all_heads(*value)};
      return std::get<Value>(value->mechanism->behaviour).build(in, in_.v);
    });
  }
  if (const Choice* qk = choice_.in("qk")) {
    const Triple changed = within(*qk, [&] {
      if (!in_.q) refuse("it changes queries and keys, and this module reads no query");
      const QkIn in{enter_for_all_heads(*qk)};
      return std::get<Qk>(qk->mechanism->behaviour).build(in, in_);
    });
    in_.q = changed.q;
    in_.k = changed.k;
  }
  rotate();
}

// The record of a rotation excludes any other, so that rows are turned once.
void GeneralModule::rotate() {
  for (const Choice& choice : choice_.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.projected == nullptr) continue;
    const Triple turned = within(choice, [&] {
      if (!in_.q) refuse("it turns queries and keys, and this module reads no query");
      return record.projected(position_in(choice, in_.q, rows_around()), in_);
    });
    in_.q = turned.q;
    in_.k = turned.k;
  }
}

}  // namespace attend
