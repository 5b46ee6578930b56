// SPDX-License-Identifier: Apache-2.0
#include "import/missing_tensors.h"

#include <algorithm>

#include "import/tensor_names.h"
#include "ops/error.h"

namespace attend {
namespace {

bool is_of_type(const Json& family, const Json& type) {
  const Json& types = family["recognise"]["model_types"];
  return std::ranges::find(types, type) != types.end();
}

}  // namespace

void check_recognisable(const Checkpoint& checkpoint, const std::vector<Json>& families) {
  const Json type = checkpoint.config.value("model_type", Json());
  std::string missing, nearest;
  std::size_t fewest = 0;
  for (const Json& family : families) {
    if (!is_of_type(family, type)) continue;
    const Json& tensors = family["recognise"]["tensors"];
    std::string list;
    std::size_t count = 0;
    for (const Json& name : tensors) {
      if (TensorNames(checkpoint, family).choose_prefix(Json::array({name}))) continue;
      ++count;
      list += (list.empty() ? "" : ", ") + name.get<std::string>();
    }
    // Several files may describe one family, for releases with other names.
    if (count == 0 || count == tensors.size() || (fewest != 0 && fewest <= count)) continue;
    fewest = count;
    missing = list;
    nearest = family["id"];
  }
  if (fewest != 0)
    refuse("", "\"" + checkpoint.config_name + "\" gives the model_type " + type.dump() +
                   ", of the family " + nearest + ", but " + std::to_string(fewest) +
                   " of its tensors are missing: " + missing);
}

void check_one_model(const Checkpoint& checkpoint, const std::vector<Json>& families) {
  const Json type = checkpoint.config.value("model_type", Json());
  // In GGUF, tensors of several families have the same names, but the file names its family.
  const bool is_named =
      checkpoint.format == "gguf" &&
      std::ranges::any_of(families, [&](const Json& one) { return is_of_type(one, type); });
  std::vector<std::string> found;
  for (const Json& family : families) {
    if (is_named && !is_of_type(family, type)) continue;
    TensorNames names(checkpoint, family);
    const Json& typical = family["recognise"]["tensors"];
    if (!names.choose_prefix(typical)) continue;
    found.push_back(family["id"].get<std::string>() + " in \"" +
                    names.find(typical[0].get<std::string>())->file->name() + "\"");
  }
  if (found.size() > 1)
    refuse("", "there are two models: " + found[0] + " and " + found[1] +
                   "; give the files of one model only");
}

}  // namespace attend
