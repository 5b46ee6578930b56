// SPDX-License-Identifier: Apache-2.0
#include "experiment/describing/coordinates.h"

#include <algorithm>
#include <array>
#include <vector>

#include "catalogue/mechanism.h"

namespace attend {
namespace {

using Json = nlohmann::json;

struct Dimension {
  const char *group, *name;
  std::string_view slot;   // of an attention module, whose mechanism has the word
  std::string_view plain;  // where nothing says otherwise; empty: then no word of the survey fits
};
constexpr std::array<Dimension, 8> survey_dimensions{{
    {"feature-related", "multiplicity of features", "", "singular"},
    {"feature-related", "feature levels", "", "single-level"},
    {"feature-related", "feature representations", "", "single-representational"},
    {"general", "scoring", "score", ""},
    {"general", "alignment", "alignment", ""},
    {"general", "dimensionality", "dimensionality", "single-dimensional"},
    {"query-related", "type", "query", ""},
    {"query-related", "multiplicity", "heads", "singular"},
}};

// A word of the taxonomy and the mechanism that says it. An empty word: the mechanism's title.
struct Word {
  std::string_view word;
  const Mechanism* by = nullptr;
  friend bool operator==(const Word& a, const Word& b) {
    return a.word == b.word && (!a.word.empty() || a.by == b.by);
  }
};
using Coordinates = std::vector<Word>;

void add(Coordinates& list, const Word& word) {
  if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
}

bool has_weights(const Choice& choice) {
  const Mechanism& mechanism = *choice.mechanism;
  if (mechanism.kind() != Kind::structure) return false;
  for (const char* own : {"score", "dimensionality", "core"}) {
    if (choice.in(own) != nullptr) return true;
  }
  const bool says = std::any_of(
      mechanism.coordinates.begin(), mechanism.coordinates.end(),
      [](const Coordinate& c) { return c.dimension != "type" && c.dimension != "multiplicity"; });
  if (says) return true;
  return std::any_of(choice.slots.begin(), choice.slots.end(), [](const auto& slot) {
    return std::any_of(slot.second.begin(), slot.second.end(), has_weights);
  });
}

void add_said(Coordinates& list, const Choice& choice, const Dimension& of) {
  for (const Coordinate& said : choice.mechanism->coordinates) {
    if (said.dimension == of.name) add(list, {said.word, choice.mechanism});
  }
}

bool is_given(const Mechanism& mechanism) {
  const auto* score = std::get_if<Score>(&mechanism.behaviour);
  return score != nullptr && score->given;
}

// What fills the slot of this dimension. Energies from outside are those of the structure around: its
// affinity, or the score that it says of itself.
void add_filled(Coordinates& list, const Choice& choice, const Choice* around,
                const Dimension& of) {
  const Choice* filled = of.slot.empty() ? nullptr : choice.in(of.slot);
  if (filled == nullptr || !list.empty()) return;
  if (is_given(*filled->mechanism) && around != nullptr) {
    if (const Choice* affinity = around->in("affinity"))
      filled = affinity;
    else
      add_said(list, *around, of);
  }
  if (list.empty()) add(list, {filled->mechanism->coordinate, filled->mechanism});
}

Coordinates words_in(const Choice& choice, const Choice* around, const Dimension& of) {
  Coordinates list;
  if (const Choice* core = choice.in("core")) add_said(list, *core, of);
  add_filled(list, choice, around, of);
  const auto add_inner = [&] {
    for (const Slot& slot : choice.mechanism->slots) {
      for (const Choice& inner : choice.all(slot.name)) {
        if (!has_weights(inner)) continue;
        for (const Word& word : words_in(inner, &choice, of)) add(list, word);
      }
    }
  };
  // How the modules inside score and align they know best; the rest is the structure's to say.
  if (list.empty() && (of.slot == "score" || of.slot == "alignment")) add_inner();
  if (list.empty()) add_said(list, choice, of);
  const Choice *own = choice.in("dimensionality"), *affinity = choice.in("affinity");
  // Of every feature: an additive layer, or a core in its place.
  if (list.empty() && of.slot == "score" && own != nullptr && choice.in("core") == nullptr)
    add(list, {"additive", own->mechanism});
  if (list.empty() && of.slot == "score" && affinity != nullptr)
    add(list, {affinity->mechanism->coordinate, affinity->mechanism});
  if (list.empty()) add_inner();
  if (list.empty() && !of.plain.empty()) add(list, {of.plain, nullptr});
  return list;
}

}  // namespace

Json coordinates_of(const Document& document) {
  Json list = Json::array();
  for (const Dimension& of : survey_dimensions) {
    Coordinates words;
    for (const ModuleUse& module : document.modules) {
      if (!has_weights(module.choice) && document.modules.size() > 1) continue;
      for (const Word& word : words_in(module.choice, nullptr, of)) add(words, word);
    }
    // What one module does is said; that others are plain is not.
    const auto plain = [&](const Word& word) { return !of.plain.empty() && word.word == of.plain; };
    if (!std::all_of(words.begin(), words.end(), plain)) std::erase_if(words, plain);
    for (const Word& word : words) {
      list.push_back({{"group", of.group},
                      {"name", of.name},
                      {"value", word.word.empty() ? Json() : Json(std::string(word.word))},
                      {"id", word.by == nullptr ? Json() : Json(std::string(word.by->id))}});
    }
  }
  return list;
}

}  // namespace attend
