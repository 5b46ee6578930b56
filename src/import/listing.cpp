// SPDX-License-Identifier: Apache-2.0
#include "import/listing.h"

#include <algorithm>
#include <set>

#include "import/tokenizer.h"

namespace attend {
namespace {

Json tokenizer_of(const Checkpoint& checkpoint) {
  if (checkpoint.tokenizer.is_null()) return nullptr;
  const Json kind = checkpoint.tokenizer["model"].value("type", Json());
  return {{"file", checkpoint.tokenizer_name},
          {"kind", kind.is_string() ? kind : Json("BPE")},
          {"pieces", checkpoint.tokenizer_read->size()}};
}

}  // namespace

Json listing_of(const Checkpoint& checkpoint, const ImportPlan& plan) {
  std::map<const StoredTensor*, Json> used;
  for (const TensorSource& source : plan.parameters) {
    used[source.tensor].push_back(source.parameter);
    if (source.times != nullptr) used[source.times].push_back(source.parameter);
  }
  std::set<std::string> left;
  for (const Json& name : plan.report["left"]) left.insert(name.get<std::string>());
  Json tensors = Json::array();
  std::uint64_t numbers = 0;
  for (const auto& [name, tensor] : checkpoint.tensors) {
    const auto as = used.find(&tensor);
    if (as != used.end()) numbers += count_of(tensor);
    tensors.push_back({{"name", name},
                       {"shape", tensor.shape},
                       {"type", tensor.type_name},
                       {"file", tensor.file->name()},
                       {"state", as != used.end()      ? "used"
                                 : left.contains(name) ? "left"
                                                       : "ignored"},
                       {"as", as == used.end() ? Json::array() : as->second}});
  }
  return {{"tensors", std::move(tensors)},
          {"tied", plan.document.value("tie", Json::object())},
          {"numbers", numbers},
          {"tokenizer", tokenizer_of(checkpoint)},
          {"tokenizer_left", checkpoint.tokenizer_left},
          {"config", checkpoint.config_name}};
}

}  // namespace attend
