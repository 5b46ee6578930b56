// SPDX-License-Identifier: Apache-2.0
// What the stages ask of the module and of its tensors.
#include <algorithm>

#include "assembly/attention/stages.h"
#include "catalogue/parts/heads/shared_keys.h"

namespace attend::stages {
namespace {

bool needs_rows_before(const Choice& choice) {
  if (choice.mechanism->recurrent) return true;
  return std::any_of(choice.slots.begin(), choice.slots.end(), [](const auto& slot) {
    return std::any_of(slot.second.begin(), slot.second.end(), needs_rows_before);
  });
}

}  // namespace

const Heads* Module::heads() const {
  const Choice* heads = choice.in("heads");
  return heads == nullptr ? nullptr : &std::get<Heads>(heads->mechanism->behaviour);
}

bool Module::splits() const { return heads() != nullptr && heads()->split != nullptr; }

bool Module::feature_wise() const {
  const Choice* dim = choice.in("dimensionality");
  return dim != nullptr && std::get<Dimensionality>(dim->mechanism->behaviour).scores != nullptr;
}

const Choice* Module::score() const { return feature_wise() ? nullptr : choice.in("score"); }

bool Module::is_recurrent(std::string_view slot) const {
  const Choice* inner = choice.in(slot);
  return inner != nullptr && needs_rows_before(*inner);
}

std::string_view Module::alignment_of_each_head() const {
  return heads() == nullptr ? "" : heads()->alignments;
}

Flow begin(const Triple& inputs, const Triple& ready, const Family& family) {
  if (inputs.v.extent(-2) != inputs.k.extent(-2)) {
    refuse("there are " + std::to_string(inputs.k.extent(-2)) + " keys, but " +
           std::to_string(inputs.v.extent(-2)) + " values");
  }
  Flow flow{ready, inputs, inputs, inputs, family, {}};
  flow.before_heads = flow.dimensions();
  return flow;
}

std::size_t Flow::row_count() const {
  return in.q ? in.q.extent(-2) : std::max<std::size_t>(scored_rows, 1);
}

std::size_t Flow::masked_rows() const { return rows ? rows->count() : row_count(); }

Dimensions Flow::dimensions() const {
  Dimensions d;
  if (in.q) d.set("dq", in.q.extent(-1));
  if (in.q || scored_rows > 0) d.set("m", row_count());
  d.set("n", in.k.extent(-2));
  d.set("dk", in.k.extent(-1));
  d.set("dv", in.v.extent(-1));
  return d;
}

Var Flow::in_one_row(Var x, std::size_t behind) const {
  return x && family.shares_keys() ? attend::in_one_row(x, family, x.rank() - 2 - behind) : x;
}

Var Flow::named(std::string_view name, Var x, std::size_t behind) const {
  if (!family.shares_keys()) return let(name, x);
  return in_groups(let(name, in_one_row(x, behind)), family, x.rank() - 2 - behind);
}

}  // namespace attend::stages
