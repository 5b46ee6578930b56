// SPDX-License-Identifier: Apache-2.0
#include "experiment/coordinates.h"

#include <algorithm>
#include <set>

#include "catalogue/mechanism.h"
#include "experiment/systems.h"

namespace attend {
namespace {

using Json = nlohmann::json;

// The module in which a structure attends, for its score and alignment: its first slot that is one.
const Choice* module_of(const Choice& mechanism) {
  for (const char* own : {"score", "alignment", "core"}) {
    if (mechanism.in(own) != nullptr) return &mechanism;
  }
  for (const Slot& slot : mechanism.mechanism->slots) {
    const Choice* inner = mechanism.in(slot.name);
    if (inner != nullptr && slot.kind == Kind::structure) return module_of(*inner);
  }
  return &mechanism;
}

// Null: its title is the word.
Json word_of(const Mechanism& mechanism) {
  return mechanism.coordinate.empty() ? Json() : Json(std::string(mechanism.coordinate));
}

std::string_view id_in(const Choice& module, std::string_view slot, std::string_view otherwise) {
  const Choice* choice = module.in(slot);
  return choice == nullptr ? otherwise : choice->mechanism->id;
}

void collect(const Choice& choice, std::set<std::string_view>& ids) {
  ids.insert(choice.mechanism->id);
  for (const auto& [slot, inner] : choice.slots) {
    for (const Choice& one : inner) collect(one, ids);
  }
}

bool is(const System& system, const Choice& mechanism, const std::set<std::string_view>& ids) {
  const Choice* core = mechanism.in("core");
  if (system.structure != (core == nullptr ? mechanism : *core).mechanism->id) return false;
  const bool all_there = std::all_of(system.with.begin(), system.with.end(),
                                     [&](std::string_view id) { return ids.contains(id); });
  if (!all_there || system.structure != "attention") return all_there;
  return id_in(mechanism, "score", "") == system.score &&
         id_in(mechanism, "alignment", "") == system.alignment &&
         id_in(mechanism, "query", "") == system.query &&
         id_in(mechanism, "dimensionality", "") == system.dimensionality &&
         id_in(mechanism, "heads", "singular-query") == system.heads;
}

// Adds what a structure says of itself, else what fills the slot, else the survey's plain case; where that
// is empty, too, no word of the survey fits, and nothing is said.
void add_coordinate(Json& list, const Choice& whole, const char* group, const char* name,
                    std::string_view slot, const char* plain) {
  Json json{{"group", group}, {"name", name}, {"value", nullptr}, {"id", nullptr}};
  const Choice* filled = slot.empty() ? nullptr : module_of(whole)->in(slot);
  const Choice* core = module_of(whole)->in("core");
  const Mechanism& speaker = *(core == nullptr ? whole : *core).mechanism;
  const Coordinate* said = std::find_if(speaker.coordinates.begin(), speaker.coordinates.end(),
                                        [&](const Coordinate& c) { return c.dimension == name; });
  if (said != speaker.coordinates.end()) {
    json["value"] = std::string(said->word);
    json["id"] = std::string(speaker.id);
  } else if (filled != nullptr) {
    json["value"] = word_of(*filled->mechanism);
    json["id"] = std::string(filled->mechanism->id);
  } else if (plain != nullptr) {
    json["value"] = plain;
  } else {
    return;
  }
  list.push_back(std::move(json));
}

}  // namespace

Json coordinates_of(const Choice& mechanism) {
  Json list = Json::array();
  const auto add = [&](const char* group, const char* name, std::string_view slot,
                       const char* plain) {
    add_coordinate(list, mechanism, group, name, slot, plain);
  };
  const Choice& module = *module_of(mechanism);
  const bool own_score = module.in("score") == nullptr && module.in("dimensionality") != nullptr;
  add("feature-related", "multiplicity of features", "", "singular");
  add("feature-related", "feature levels", "", "single-level");
  add("feature-related", "feature representations", "", "single-representational");
  add("general", "scoring", own_score ? "dimensionality" : "score", nullptr);
  add("general", "alignment", "alignment", nullptr);
  add("general", "dimensionality", "dimensionality", "single-dimensional");
  add("query-related", "type", "query", nullptr);
  add("query-related", "multiplicity", "heads", "singular");
  std::set<std::string_view> ids;
  collect(mechanism, ids);
  Json systems = Json::array();
  std::size_t most = 0;  // what a system says beyond the coordinates makes it fit better
  for (const System& system : all_systems()) {
    if (!is(system, mechanism, ids) || system.with.size() < most) continue;
    if (system.with.size() > most) systems.clear();
    most = system.with.size();
    systems.push_back({{"name", std::string(system.name)},
                       {"authors", std::string(system.authors)},
                       {"year", system.year},
                       {"link", std::string(system.link)}});
  }
  return {{"coordinates", std::move(list)}, {"systems", std::move(systems)}};
}

}  // namespace attend
