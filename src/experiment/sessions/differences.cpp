// SPDX-License-Identifier: Apache-2.0
#include "experiment/sessions/differences.h"

#include <algorithm>
#include <string>

#include "ops/json_pointer.h"

namespace attend {
namespace {

bool have_the_same_members(const Json& one, const Json& other) {
  return one.size() == other.size() &&
         std::all_of(one.items().begin(), one.items().end(),
                     [&](const auto& item) { return other.contains(item.key()); });
}

void list(const Json& before, const Json& after, const std::string& pointer, Json& found) {
  if (before == after) return;
  if (before.is_object() && after.is_object() && have_the_same_members(before, after)) {
    for (const auto& [name, value] : after.items())
      list(before[name], value, pointer + "/" + as_pointer_part(name), found);
  } else if (before.is_array() && after.is_array() && before.size() == after.size()) {
    for (std::size_t i = 0; i < after.size(); ++i)
      list(before[i], after[i], pointer + "/" + std::to_string(i), found);
  } else {
    found[pointer] = after;
  }
}

}  // namespace

Json differences(const Json& before, const Json& after) {
  Json found = Json::object();
  list(before, after, "", found);
  return found;
}

}  // namespace attend
