// SPDX-License-Identifier: Apache-2.0
// Heads: split before the scores, merged after the contexts.
#include "assembly/general_module.h"

namespace attend {

// The heads' own parameters are sized by what comes in, before it is split; the family axis is
// part of their shapes.
Scope GeneralModule::head_in(const Choice& heads) {
  if (!head_dimensions_set_) {
    head_dimensions_ = dimensions();
    head_dimensions_set_ = true;
  }
  if (const std::string_view list = mixed_alignments(); !list.empty() && !heads.all(list).empty())
    head_dimensions_.set("h", heads.all(list).size());
  Family outer = family_;
  outer.heads = 0;
  return b_.enter(heads, head_dimensions_, outer);
}

void GeneralModule::split() {
  const Choice& heads = *choice_.in("heads");
  within(heads, [&] {
    if (!in_.q) refuse("heads project queries, and this module reads none");
    const HeadsIn in{head_in(heads), whole_, {}};
    in_ = std::get<Heads>(heads.mechanism->behaviour).split(in, in_);
    in_.memory = whole_.memory;
    family_.heads = in_.q.extent(0);
  });
}

Var GeneralModule::merged(Var heads) {
  const Choice& choice = *choice_.in("heads");
  const Heads& record = std::get<Heads>(choice.mechanism->behaviour);
  return within(choice, [&] {
    const HeadsIn in{head_in(choice), whole_, mask_};
    if (record.heads != nullptr) heads = record.heads(in, heads);
    b_.output(choice_, out::heads, heads, "h m pv");
    return let("O", record.merge(in, heads));
  });
}

}  // namespace attend
