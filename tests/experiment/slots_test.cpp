// SPDX-License-Identifier: Apache-2.0
// Every mechanism in every slot of its kind: it computes, or is refused with a reason at a path.
#include <algorithm>
#include <doctest/doctest.h>

#include "experiment/service.h"
#include "ops/error.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::slots_test {
namespace {

// Where a document chooses this mechanism, below `json`; null when nowhere.
const Json* choice_of(const Json& json, std::string_view id) {
  if (!json.is_structured()) return nullptr;
  if (json.is_object() && json.contains("type") && json["type"] == std::string(id)) return &json;
  for (const Json& inner : json) {
    if (const Json* found = choice_of(inner, id)) return found;
  }
  return nullptr;
}

// The structure's example with a part of another one's: its choice in `slot`, and inputs that only it reads.
Json with_part(const Mechanism& structure, const Slot& slot, const Mechanism& part,
               const Slot* inner) {
  Json document = example_document(structure, 3);
  const Json own = example_document(part, 3);
  const Json* found = choice_of(own["mechanism"], part.id);
  Json choice = found == nullptr ? Json{{"type", std::string(part.id)}} : *found;
  if ((inner == nullptr ? slot : *inner).list) choice = Json::array({choice});
  if (inner != nullptr) choice = Json{{"type", "attention"}, {std::string(inner->name), choice}};
  Json& mechanism = document["mechanism"];
  if (mechanism.is_string()) mechanism = Json{{"type", mechanism}};
  mechanism[std::string(slot.name)] = choice;
  for (const Role& role : part.roles) {
    const std::string name(role.name);
    if (own["inputs"].contains(name) && !document["inputs"].contains(name))
      document["inputs"][name] = own["inputs"][name];
  }
  return document;
}

// True when it computes.
bool computes(const Json& document) {
  try {
    (void)run_document(document.dump());
    return true;
  } catch (const Error& error) {
    CHECK(std::string_view(error.what()).size() > 10);
    CHECK(error.path.starts_with('/'));
  } catch (const std::exception& error) {
    FAIL_CHECK(document["mechanism"].dump() << " fails: " << error.what());
  }
  return false;
}

bool takes(const Slot& slot, const Mechanism& part) {
  const bool among = slot.among.size() == 0 ||
                     std::find(slot.among.begin(), slot.among.end(), part.id) != slot.among.end();
  return among && (slot.only.empty() || slot.only == part.id);
}

const Each slots(
    "with anything in its slots computes or is refused with a reason",
    [] {
      Mechanisms with_slots;
      for (const Mechanism* structure : of_kind(Kind::structure)) {
        if (structure->slots.size() > 0) with_slots.push_back(structure);
      }
      return with_slots;
    },
    [](const Mechanism& structure) {
      std::size_t count = 0;
      const List<Slot>& general = find_mechanism(Kind::structure, "attention")->slots;
      for (const Slot& slot : structure.slots) {
        for (const Mechanism* part : of_kind(slot.kind))
          if (takes(slot, *part)) count += computes(with_part(structure, slot, *part, nullptr));
        if (slot.kind != Kind::structure) continue;
        for (const Slot& inner : general) {
          for (const Mechanism* part : of_kind(inner.kind))
            count += computes(with_part(structure, slot, *part, &inner));
        }
      }
      CHECK(count > 0);
    });

}  // namespace
}  // namespace attend::testing::slots_test
