// SPDX-License-Identifier: Apache-2.0
#include "experiment/files/rounded_rows.h"

#include <algorithm>
#include <map>

#include "ops/error.h"

namespace attend {
namespace {

using Shared = std::shared_ptr<const WeightStore>;

// It keeps the store that it was made of, so that no other store is ever found under that one's address.
struct Rounded {
  Shared of;
  WeightStore tensors;
};

}  // namespace

Shared with_rounded_rows(const Shared& store) {
  static std::map<const WeightStore*, std::weak_ptr<const WeightStore>> made;
  std::erase_if(made, [](const auto& one) { return one.second.expired(); });
  if (const auto found = made.find(store.get()); found != made.end()) return found->second.lock();
  if (std::none_of(store->begin(), store->end(),
                   [](const auto& one) { return one.second.type() == WeightType::i8; }))
    refuse(
        "/parameters/rows_as",
        "rows can be int8 where weights are int8, and these are not: `attend import --bytes` makes such a file, and "
        "the page offers it for large models");
  const auto rounded = std::make_shared<Rounded>(Rounded{store, *store});
  for (auto& [name, tensor] : rounded->tensors) tensor.round_rows();
  const Shared tensors(rounded, &rounded->tensors);
  made[store.get()] = tensors;
  return tensors;
}

}  // namespace attend
