// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/interventions.h"
#include "experiment/reading/read_tensor.h"
#include "ops/error.h"

namespace attend {
namespace {

std::string read_name(const Json& json, const std::string& name, const std::string& path,
                      const std::string& expected) {
  const Json* given = member(json, name);
  if (given != nullptr && given->is_string()) return given->get<std::string>();
  refuse(path + "/" + name,
         "expected " + expected + ", found " + (given == nullptr ? "nothing" : describe(*given)));
}

Intervention::Kind read_kind(const Json& json, const std::string& path) {
  const std::string type = read_name(json, "type", path, "\"set\", \"scale\" or \"patch\"");
  if (type == "set") return Intervention::Kind::set;
  if (type == "scale") return Intervention::Kind::scale;
  if (type == "patch") return Intervention::Kind::patch;
  refuse(path + "/type", "unknown intervention \"" + type + "\"; known: set, scale, patch");
}

// A number, or a list of them.
std::optional<Intervention::Entries> read_entries(const Json& json, const char* name,
                                                  const std::string& path) {
  const Json* given = member(json, name);
  if (given == nullptr) return std::nullopt;
  const std::string here = path + "/" + name;
  Intervention::Entries entries;
  entries.single = !given->is_array();
  if (entries.single) {
    if (!given->is_number())
      refuse(here, "expected a whole number from 0, or a list of them, found " + describe(*given));
    entries.list.push_back(read_count(*given, here, 0));
    return entries;
  }
  if (given->empty()) refuse(here, "expected at least one number, found an empty list");
  for (std::size_t i = 0; i < given->size(); ++i) {
    const std::string place = here + "/" + std::to_string(i);
    const std::size_t one = read_count((*given)[i], place, 0);
    for (const std::size_t other : entries.list) {
      if (other == one) refuse(place, "the list names " + std::to_string(one) + " twice");
    }
    entries.list.push_back(one);
  }
  return entries;
}

void read_from(const Json& json, const std::string& path, std::size_t examples,
               Intervention& intervention) {
  const Json* from = member(json, "from");
  const std::string here = path + "/from";
  if (from != nullptr && from->is_string() && *from == "clean") return;
  if (from == nullptr || !from->is_object())
    refuse(here,
           "expected {\"example\": k}, or \"clean\" for the value without interventions, found " +
               (from == nullptr ? "nothing" : describe(*from)));
  check_members(*from, here, members::patch_source);
  const Json* example = member(*from, "example");
  if (example == nullptr)
    refuse(here + "/example", "expected the index of an example, found nothing");
  intervention.example = read_count(*example, here + "/example", 0);
  if (*intervention.example < examples) return;
  refuse(here + "/example",
         examples == 0 ? "the document has no examples; add them in /examples"
                       : "there is no example " + std::to_string(*intervention.example) +
                             "; the document has " + std::to_string(examples) + ", counted from 0");
}

Intervention read_one(const Json& json, const std::string& path, std::size_t examples) {
  check_members(json, path, members::intervention);
  Intervention one;
  one.path = path;
  one.kind = read_kind(json, path);
  one.of = read_name(json, "of", path, "the name of a tensor");
  one.heads = read_entries(json, "head", path);
  one.rows = read_entries(json, "rows", path);
  const bool patch = one.kind == Intervention::Kind::patch;
  const char* const other = patch ? "value" : "from";
  if (member(json, other) != nullptr)
    refuse(path + "/" + other, patch ? "a patch takes its value from a run: write \"from\""
                                     : "only a patch has \"from\"; write \"value\" here");
  if (patch) {
    read_from(json, path, examples, one);
    return one;
  }
  const Json* value = member(json, "value");
  if (value == nullptr)
    refuse(path + "/value", "expected a number, or numbers of the tensor's shape; found nothing");
  one.value = read_tensor(*value, path + "/value");
  return one;
}

}  // namespace

std::vector<Intervention> read_interventions(const Json& json, std::size_t examples) {
  if (!json.is_array())
    refuse("/interventions", "expected a list of interventions, found " + describe(json));
  std::vector<Intervention> list;
  for (std::size_t i = 0; i < json.size(); ++i)
    list.push_back(read_one(json[i], "/interventions/" + std::to_string(i), examples));
  return list;
}

}  // namespace attend
