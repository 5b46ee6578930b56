// SPDX-License-Identifier: Apache-2.0
#include "experiment/sessions/named.h"

#include <algorithm>

#include "experiment/running/directory.h"
#include "ops/error.h"

namespace attend {
namespace {

std::string full_name(const ResultTensor& tensor) {
  return std::string(group_name(tensor.group())) + "/" + tensor.name();
}

const ResultTensor& named(const Result& result, const std::string& name) {
  const auto found = std::ranges::find(result.tensors, name, full_name);
  if (found != result.tensors.end()) return *found;
  constexpr std::size_t most = 20;  // so many are read
  std::string names;
  for (std::size_t i = 0; i < std::min(most, result.tensors.size()); ++i)
    names += (names.empty() ? "" : ", ") + full_name(result.tensors[i]);
  if (result.tensors.size() > most)
    names += " and " + std::to_string(result.tensors.size() - most) + " more";
  refuse("there is no tensor \"" + name + "\" in the result; there are " + names);
}

}  // namespace

Packed pack_named(const Compiled& compiled, const Result& result,
                  const std::vector<std::string>& names) {
  Packed packed;
  Json directory{{"ok", true}, {"tensors", Json::array()}, {"warnings", describe_warnings(result)}};
  for (const std::string& name : names) {
    const ResultTensor& tensor = named(result, name);
    Json entry = describe_tensor(compiled, tensor);
    entry["offset"] = packed.data.size();
    const Numbers data = result.data(tensor);
    packed.data.insert(packed.data.end(), data.begin(), data.end());
    directory["tensors"].push_back(std::move(entry));
  }
  packed.directory = text_of(directory);
  return packed;
}

}  // namespace attend
