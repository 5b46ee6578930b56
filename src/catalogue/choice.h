// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalogue/knob.h"

namespace attend {

struct Mechanism;

// One filled slot of a document: which mechanism, the knobs that were given, and what fills its own
// slots.
struct Choice {
  const Mechanism* mechanism = nullptr;
  std::string path;                // JSON pointer of the slot, for errors: "/mechanism/score"
  std::string prefix;              // of its parameters: "score."
  std::string module_prefix = {};  // of those of the module that it belongs to: "", "structure."
  bool in_list = false;            // an entry of a list in the document: its path ends in an index
  bool short_form = false;         // a core's id in a module's place: the general module with it
  bool row_by_row = false;         // rows will arrive one by one: none are taken together for speed
  std::map<std::string, KnobValue, std::less<>> knobs = {};  // as given, defaults not filled in
  std::map<std::string, std::vector<Choice>, std::less<>> slots =
      {};  // by slot name; a single slot holds one

  // The single choice in a slot, or null when it is empty.
  [[nodiscard]] const Choice* in(std::string_view slot) const {
    const auto found = slots.find(slot);
    return found == slots.end() || found->second.empty() ? nullptr : &found->second.front();
  }
  [[nodiscard]] const std::vector<Choice>& all(std::string_view slot) const {
    static const std::vector<Choice> none;
    const auto found = slots.find(slot);
    return found == slots.end() ? none : found->second;
  }
};

}  // namespace attend
