// SPDX-License-Identifier: Apache-2.0
// Heads: split before the scores, merged after the contexts.
#include "assembly/general_module.h"
#include "catalogue/shared_keys.h"

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
    projected_ = in_;
  });
}

void GeneralModule::share_keys() {
  const Choice& heads = *choice_.in("heads");
  const std::size_t count = in_.q.extent(0), key_heads = in_.k.extent(0);
  if (count % key_heads != 0 || in_.v.extent(0) != key_heads) {
    refuse(heads.path, std::to_string(count) + " query heads cannot share " +
                           std::to_string(key_heads) + " key heads and " +
                           std::to_string(in_.v.extent(0)) +
                           " value heads evenly; use as many key as value heads, a number that "
                           "divides that of the query heads");
  }
  family_.key_heads = key_heads;
  for (Var* rows : {&in_.q, &in_.k, &in_.v, &projected_.q, &projected_.k})
    *rows = in_groups(*rows, family_, 0);
}

Var GeneralModule::in_one_row(Var x) const {
  return x && family_.shares_keys() ? attend::in_one_row(x, family_, x.rank() - 4) : x;
}

Var GeneralModule::named(std::string_view name, Var x) const {
  if (!family_.shares_keys()) return let(name, x);
  return in_groups(let(name, in_one_row(x)), family_, x.rank() - 4);
}

void GeneralModule::output(OutputKind kind, Var var, const std::string& axes) {
  const Named named = as_named(var, family_, axes);
  b_.output(choice_, kind, named.var, named.axes);
}

Var GeneralModule::merged(Var heads) {
  heads = in_one_row(heads);
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
