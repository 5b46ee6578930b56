// SPDX-License-Identifier: Apache-2.0
// Heads: split before the scores, merged after the contexts.
#include "assembly/general_module.h"
#include "catalogue/parts/heads/shared_keys.h"

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

const Heads* GeneralModule::heads_record() const {
  const Choice* heads = choice_.in("heads");
  return heads == nullptr ? nullptr : &std::get<Heads>(heads->mechanism->behaviour);
}

void GeneralModule::share_keys() {
  const Choice& heads = *choice_.in("heads");
  const std::size_t count = in_.q.extent(0), key_heads = in_.k.extent(0);
  if (heads_record()->streams)
    return;  // values have the heads' number, queries and keys that of the streams
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

namespace {
// [h*s n p] -> [h n s*p]: the streams of each head side by side.
Var side_by_side(Var x, std::size_t heads) {
  const std::size_t streams = x.extent(0) / heads, n = x.extent(1), p = x.extent(2);
  const Var apart = permute(reshape(x, {heads, streams, n, p}), {0, 2, 1, 3});
  return reshape(apart, {heads, n, streams * p});
}
}  // namespace

Var GeneralModule::mixed_scores(Var e) {
  const Heads* heads = heads_record();
  if (heads == nullptr || heads->scores == nullptr) return e;
  const Choice& choice = *choice_.in("heads");
  // A score without parameters for each head is the same in all of them.
  e = broadcast_to(e, broadcast_shapes(e.shape(), {family_.heads, 1, 1}));
  return within(choice, [&] { return heads->scores({head_in(choice), whole_, {}}, e); });
}

Var GeneralModule::joined_weights(Var a) {
  const Heads* heads = heads_record();
  if (heads == nullptr || heads->weights == nullptr) return a;
  const Choice& choice = *choice_.in("heads");
  a = within(choice, [&] { return heads->weights({head_in(choice), whole_, mask_}, a); });
  if (!heads->streams) return a;
  // From here on a head is one: its query and its key are those of its streams, side by side.
  family_.heads = in_.v.extent(0);
  for (Var* rows : {&in_.q, &in_.k, &projected_.q, &projected_.k})
    *rows = side_by_side(*rows, family_.heads);
  return a;
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
