// SPDX-License-Identifier: Apache-2.0
#include "experiment/files/rounded_rows.h"

#include <algorithm>
#include <map>
#include <string>

#include "ops/error.h"

namespace attend {
namespace {

using Shared = std::shared_ptr<const WeightStore>;

// It holds the store that it was made of: as long as it lives, no other store has that address.
struct Rounded {
  Shared of;
  WeightStore tensors;
};

}  // namespace

Shared with_rounded_rows(const Shared& store) {
  static std::map<const WeightStore*, std::weak_ptr<const WeightStore>> made;
  std::erase_if(made, [](const auto& one) { return one.second.expired(); });
  if (const auto found = made.find(store.get()); found != made.end()) return found->second.lock();
  const auto can = [](const auto& one) {
    return one.second.type() == WeightType::i8 && one.second.count() >= large_tensor;
  };
  if (std::none_of(store->begin(), store->end(), can))
    refuse(
        "/parameters/activations",
        "only int8 matrices of " + std::to_string(large_tensor) +
            " numbers and more can have int8 activations, and this file has none; import the model with `attend "
            "import --bytes`, or remove \"activations\"");
  const auto rounded = std::make_shared<Rounded>(Rounded{store, *store});
  for (auto& [name, tensor] : rounded->tensors) tensor.round_rows();
  const Shared tensors(rounded, &rounded->tensors);
  made[store.get()] = tensors;
  return tensors;
}

}  // namespace attend
