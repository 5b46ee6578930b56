// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "catalogue/words_knob.h"
#include "experiment/recording/compile.h"

namespace attend {

// By input.
using Lengths = std::map<std::string, std::size_t, std::less<>>;

// The same input with other rows: its own, again and again.
inline void set_length(Json& input, std::size_t length) {
  const auto repeat = [length](Json& list) {
    Json longer = Json::array();
    for (std::size_t i = 0; i < length; ++i) longer.push_back(list[i % list.size()]);
    list = std::move(longer);
  };
  for (const char* rows : {"tokens", "matrix", "labels"})
    if (input.contains(rows)) repeat(input[rows]);
  if (input.contains("features") && input["features"].contains("matrix"))
    repeat(input["features"]["matrix"]);
  if (!input.contains("shape")) return;
  Json data = Json::array();
  std::size_t row = 1;
  for (std::size_t axis = 1; axis < input["shape"].size(); ++axis)
    row *= input["shape"][axis].get<std::size_t>();
  const std::size_t given = input["data"].size();
  for (std::size_t i = 0; i < row * length; ++i) data.push_back(input["data"][i % given]);
  input["shape"][0] = length;
  input["data"] = std::move(data);
}

inline Json with_lengths(const Json& document, const Lengths& lengths) {
  Json other = document;
  for (const auto& [name, length] : lengths) set_length(other["inputs"][name], length);
  return other;
}

// Modules that read words keep those that they read now, whatever another example holds.
inline void keep_vocabularies(Json& document, const Compiled& compiled) {
  const auto keep = [&](Json& module) {
    if (!module.is_object() || !module.contains("type")) return;
    const Mechanism* record = find_mechanism(Kind::structure, module["type"].get<std::string>());
    const Role* words = record == nullptr ? nullptr : role_of_words(*record);
    const Knob* knob = words == nullptr ? nullptr : words_knob_of(*record);
    if (knob == nullptr || !module.value(std::string(knob->name), Json::array()).empty()) return;
    std::string source(words->name);
    if (module.contains("inputs") && module["inputs"].contains(source))
      source = module["inputs"][source].get<std::string>();
    for (const auto& [leaf, rows] : compiled.words()) {
      if (rows.input == source) module[std::string(knob->name)] = rows.vocabulary;
    }
  };
  if (document.contains("mechanism")) keep(document["mechanism"]);
  if (document.contains("model"))
    for (Json& module : document["model"]) keep(module);
}

}  // namespace attend
