// SPDX-License-Identifier: Apache-2.0
#include "assembly/general_module.h"

namespace attend {

bool is_recurrent(const Choice& choice) {
  if (choice.mechanism->recurrent) return true;
  for (const auto& [name, inner] : choice.slots) {
    for (const Choice& one : inner) {
      if (is_recurrent(one)) return true;
    }
  }
  return false;
}

// Whether the heads stand side by side, as a batch; some only name the module's shape.
bool GeneralModule::splits() const {
  const Choice* heads = choice_.in("heads");
  return heads != nullptr && std::get<Heads>(heads->mechanism->behaviour).split != nullptr;
}

// Without a query there is one row, or as many as the score brings.
std::size_t GeneralModule::rows() const {
  return in_.q ? in_.q.extent(-2) : std::max<std::size_t>(scores_rows_, 1);
}

Dimensions GeneralModule::dimensions() const {
  Dimensions d;
  if (in_.q) d.set("dq", in_.q.extent(-1));
  if (in_.q || scores_rows_ > 0) d.set("m", rows());
  d.set("n", in_.k.extent(-2));
  d.set("dk", in_.k.extent(-1));
  d.set("dv", in_.v.extent(-1));
  return d;
}

bool GeneralModule::is_recurrent_slot(std::string_view slot) {
  const Choice* choice = choice_.in(slot);
  return choice != nullptr && is_recurrent(*choice);
}

// A dimensionality that makes a score for every feature of the value.
bool GeneralModule::feature_wise() const {
  const Choice* dim = choice_.in("dimensionality");
  return dim != nullptr && std::get<Dimensionality>(dim->mechanism->behaviour).scores != nullptr;
}

std::string_view GeneralModule::mixed_alignments() const {
  const Choice* heads = choice_.in("heads");
  return heads == nullptr ? "" : std::get<Heads>(heads->mechanism->behaviour).alignments;
}

// [dv .. m n] -> [.. m n dv]; anything else as it is.
Var GeneralModule::by_feature_last(Var x) {
  if (!feature_wise()) return x;
  std::vector<long> axes;
  for (std::size_t i = 1; i < x.rank(); ++i) axes.push_back(static_cast<long>(i));
  axes.push_back(0);
  return permute(x, axes);
}

}  // namespace attend
