// SPDX-License-Identifier: Apache-2.0
#include "experiment/describing/systems.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "catalogue/mechanism.h"
#include "experiment/describing/coordinates.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/text/text_files.h"
#include "experiment/text/words.h"

namespace attend {
namespace {

// "untrained" and "trained" are sentences like those of "simplified", of one of a system's two documents alone.
const std::vector<std::string_view> members{"id",      "title",   "paper",      "coordinates",
                                            "says",    "differs", "simplified", "untrained",
                                            "trained", "document"};

const Json& needed(const Json& json, std::string_view name, const std::string& file) {
  const Json* found = member(json, name);
  if (found != nullptr) return *found;
  refuse(file, "a system has a member \"" + std::string(name) + "\"");
}

Json read_system(const TextFile& file) {
  const std::string path = "systems/" + std::string(file.name) + ".json";
  Json system = parse_json(file.text);
  if (!system.is_object()) refuse(path, "expected a system, found " + describe(system));
  check_members(system, path, members);
  for (const std::string_view name : {"id", "title", "paper", "says", "document"})
    (void)needed(system, name, path);
  if (system["id"].get<std::string>() != file.name)
    refuse(path, "its id is " + describe(system["id"]) + ", but the file has another name");
  system["computed"] = coordinates_of(read_document(system["document"]));
  return system;
}

void collect(const Choice& choice, std::set<std::string_view>& ids) {
  ids.insert(choice.mechanism->id);
  for (const auto& [slot, inner] : choice.slots) {
    for (const Choice& one : inner) collect(one, ids);
  }
}

std::set<std::string_view> ids_of(const Document& document) {
  std::set<std::string_view> ids;
  for (const ModuleUse& module : document.modules) collect(module.choice, ids);
  return ids;
}

// By dimension and word, whoever says it; where there is no word, the mechanism is the place.
std::set<std::string> places(const Json& coordinates) {
  std::set<std::string> set;
  for (const Json& one : coordinates) {
    const Json& word = one["value"].is_null() ? one["id"] : one["value"];
    set.insert(one["name"].get<std::string>() + ": " + word.get<std::string>());
  }
  return set;
}

}  // namespace

const std::vector<Json>& all_systems() {
  static const std::vector<Json> systems = [] {
    std::vector<Json> list;
    for (const TextFile& file : system_files()) list.push_back(read_system(file));
    return list;
  }();
  return systems;
}

Json worded_coordinates(const Document& document) {
  Json list = coordinates_of(document);
  for (Json& coordinate : list) {
    if (!coordinate["value"].is_null()) continue;
    for (const Mechanism* mechanism : all_mechanisms()) {
      if (coordinate["id"] == mechanism->id)
        coordinate["value"] = words_of(mechanism->id).at("title");
    }
  }
  return list;
}

Json systems_like(const Document& document) {
  const std::set<std::string> here = places(coordinates_of(document));
  const std::set<std::string_view> own = ids_of(document);
  struct Found {
    std::ptrdiff_t apart;
    Json json;
  };
  std::vector<Found> found;
  for (const Json& system : all_systems()) {
    if (places(system["computed"]) != here) continue;
    const Document theirs = read_document(system["document"]);
    const std::set<std::string_view> ids = ids_of(theirs);
    std::vector<std::string_view> different;
    std::set_symmetric_difference(own.begin(), own.end(), ids.begin(), ids.end(),
                                  std::back_inserter(different));
    const Json& paper = system["paper"];
    found.push_back({std::ssize(different),
                     {{"id", system["id"]},
                      {"name", system["title"]},
                      {"authors", paper["authors"]},
                      {"year", paper["year"]},
                      {"link", paper["link"]}}});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.apart < b.apart; });
  Json list = Json::array();
  for (Found& one : found) list.push_back(std::move(one.json));
  return list;
}

}  // namespace attend
