// SPDX-License-Identifier: Apache-2.0
#include "experiment/step_document.h"

#include <algorithm>

#include "catalogue/recurrent_memory.h"
#include "experiment/document.h"

namespace attend {
namespace {

// A chunk of more rows than any document has.
constexpr std::size_t all_rows = std::size_t{1} << 25;

bool goes_in_chunks(const Mechanism& mechanism) {
  return std::any_of(mechanism.knobs.begin(), mechanism.knobs.end(), [](const Knob& knob) {
    // Chunks of other cores change what is computed; their sizes have other defaults.
    return knob.name == chunk_knob.name && knob.fallback == chunk_knob.fallback;
  });
}

void one_chunk(const Choice& choice, Json& document) {
  const Json::json_pointer place(choice.path);
  if (choice.mechanism != nullptr && goes_in_chunks(*choice.mechanism) &&
      document.contains(place)) {
    Json& written = document.at(place);
    if (written.is_string()) written = Json{{"type", written}};
    written[std::string(chunk_knob.name)] = all_rows;
  }
  for (const auto& [slot, choices] : choice.slots) {
    for (const Choice& inner : choices) one_chunk(inner, document);
  }
}

}  // namespace

Json token_by_token(Json document) {
  const Document read = read_document(document);
  for (const ModuleUse& module : read.modules) one_chunk(module.choice, document);
  return document;
}

}  // namespace attend
