// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/normalise.h"

#include <cmath>

namespace attend {
namespace {

Json to_json(const Tensor& tensor, std::size_t axis, std::size_t& at) {
  if (axis == tensor.shape.size()) {
    const double number = tensor.data[at++];
    return std::isinf(number) ? Json() : Json(number);
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < tensor.shape[axis]; ++i)
    list.push_back(to_json(tensor, axis + 1, at));
  return list;
}

Json to_json(const KnobValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    const auto whole = static_cast<long>(*number);
    return static_cast<double>(whole) == *number ? Json(whole) : Json(*number);
  }
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* words = std::get_if<std::vector<std::string>>(&value)) return *words;
  std::size_t at = 0;
  return to_json(std::get<Tensor>(value), 0, at);
}

Json to_json(const Choice& choice, const Recording& recording) {
  if (choice.short_form) return to_json(*choice.in("core"), recording);
  Json json{{"type", std::string(choice.mechanism->id)}};
  // A slot that the build did not need, and so did not enter, keeps the knobs that were given.
  const auto resolved = recording.resolved.find(choice.path);
  for (const auto& [name, value] :
       resolved == recording.resolved.end() ? choice.knobs : resolved->second)
    json[name] = to_json(value);
  for (const Slot& slot : choice.mechanism->slots) {
    const auto filled = choice.slots.find(slot.name);
    if (filled == choice.slots.end()) continue;
    const bool single = filled->second.size() == 1 && !filled->second.front().in_list;
    if (!slot.list || single) {
      if (!filled->second.empty())
        json[std::string(slot.name)] = to_json(filled->second.front(), recording);
      continue;
    }
    json[std::string(slot.name)] = Json::array();
    for (const Choice& item : filled->second)
      json[std::string(slot.name)].push_back(to_json(item, recording));
  }
  return json;
}

}  // namespace

Json describe_value(const KnobValue& value) { return to_json(value); }

Json normalise(const Compiled& compiled) {
  const Document& document = compiled.document();
  Json json = document.json;
  json["seed"] = document.seed;
  for (std::size_t i = 0; i < document.modules.size(); ++i) {
    const ModuleUse& module = document.modules[i];
    Json& place = module.name.empty() ? json["mechanism"] : json["model"][i];
    Json whole = to_json(module.choice, compiled.recording());
    if (!module.name.empty()) whole["name"] = module.name;
    if (place.is_object() && place.contains("inputs")) whole["inputs"] = place["inputs"];
    place = std::move(whole);
  }
  return json;
}

}  // namespace attend
