// SPDX-License-Identifier: Apache-2.0
#include "experiment/sessions/changes.h"

#include <algorithm>
#include <array>

#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

constexpr std::array forbidden{"__proto__", "constructor", "prototype"};

bool is_escaped(std::string_view pointer) {
  for (std::size_t at = pointer.find('~'); at != std::string_view::npos;
       at = pointer.find('~', at + 1)) {
    if (at + 1 == pointer.size() || (pointer[at + 1] != '0' && pointer[at + 1] != '1'))
      return false;
  }
  return true;
}

void check_pointer(const std::string& pointer) {
  if ((pointer.empty() || pointer.front() == '/') && is_escaped(pointer)) return;
  refuse("expected a JSON pointer such as \"/mechanism/alignment/temperature\", found \"" +
         pointer +
         R"("; it begins with "/", and in names "~" is written "~0" and "/" is written "~1")");
}

// Of the list at `path` the entry that a pointer's part names.
std::size_t index_in(const Json& list, const std::string& part, const std::string& path,
                     const std::string& pointer) {
  const bool digits =
      !part.empty() && part.size() < 10 && (part == "0" || part.front() != '0') &&
      std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t index = digits ? std::stoul(part) : list.size();
  if (index < list.size()) return index;
  refuse(pointer, "the list at " + path + " has " + std::to_string(list.size()) +
                      " entries, counted from 0, and no entry \"" + part +
                      "\"; to make it longer or shorter, change the whole list");
}

std::string members_of(const Json& object) {
  std::string names;
  for (const auto& [name, value] : object.items()) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "no members" : names;
}

// What a path leads to, of a change at `pointer`. With `add`, its last part may be a new member of an object.
Json& at(Json& document, const std::string& path, const std::string& pointer, bool add) {
  Json* here = &document;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t end = std::min(path.find('/', from + 1), path.size());
    const std::string part =
        from_pointer_part(std::string_view(path).substr(from + 1, end - from - 1));
    const std::string place = from == 0 ? "the root" : path.substr(0, from);
    if (here->is_array()) {
      here = &(*here)[index_in(*here, part, place, pointer)];
    } else if (!here->is_object()) {
      refuse(pointer, "there is " + describe(*here) + " at " + place +
                          ", which has no members; change " + place + " itself");
    } else if (const auto found = here->find(part); found != here->end()) {
      here = &*found;
    } else if (add && end == path.size()) {
      here = &(*here)[part];
    } else {
      refuse(pointer, "there is no \"" + part + "\" in the object at " + place + ", which has " +
                          members_of(*here) + "; only the last name of a path may be new");
    }
    from = end;
  }
  return *here;
}

const Json& at(const Json& document, const std::string& path, const std::string& pointer) {
  return at(const_cast<Json&>(document), path, pointer, false);  // nothing is added
}

std::size_t depth_of(const Json& value) {
  std::size_t depth = 0;
  if (!value.is_structured()) return 0;
  for (const Json& inner : value) depth = std::max(depth, depth_of(inner));
  return depth + 1;
}

// Puts numbers in the places of numbers.
void fill(Json& value, std::span<const double>& numbers) {
  if (!value.is_array()) {
    value = numbers.front();
    numbers = numbers.subspan(1);
    return;
  }
  for (Json& inner : value) fill(inner, numbers);
}

std::size_t count_numbers(const Json& value, const std::string& pointer) {
  if (value.is_number()) return 1;
  if (!value.is_array())
    refuse(pointer, "packed numbers can replace only numbers, but the document has " +
                        describe(value) + " here; give this value as JSON");
  std::size_t count = 0;
  for (const Json& inner : value) count += count_numbers(inner, pointer);
  return count;
}

// Whether one pointer is another one, or leads to something in it.
bool within(const std::string& inner, const std::string& outer) {
  return inner.starts_with(outer) &&
         (inner.size() == outer.size() || outer.empty() || inner[outer.size()] == '/');
}

}  // namespace

std::vector<Change> read_changes(std::string_view text) {
  Json json;
  try {
    json = parse_json(text);
  } catch (const Error& error) {
    // "/~1seed" in the text of the changes is "/seed" in the document.
    if (error.path.empty()) throw;
    const std::size_t end = std::min(error.path.find('/', 1), error.path.size());
    refuse(
        from_pointer_part(std::string_view(error.path).substr(1, end - 1)) + error.path.substr(end),
        error.what());
  }
  if (!json.is_object())
    refuse("expected an object of changes, {\"/mechanism/alignment/temperature\": 2}, found " +
           describe(json));
  std::vector<Change> changes;
  for (auto& [pointer, value] : json.items()) changes.push_back({pointer, std::move(value)});
  return changes;
}

std::vector<Change> number_changes(const Json& document, std::span<const std::string> pointers,
                                   std::span<const double> numbers) {
  std::vector<Change> changes;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    check_pointer(pointers[i]);
    Json value = at(document, pointers[i], pointers[i]);
    const std::size_t count = count_numbers(value, pointers[i]);
    const bool last = i + 1 == pointers.size();
    if (count > numbers.size() || (last && count != numbers.size()))
      refuse(pointers[i],
             "there are " + std::to_string(count) + " numbers here, but " +
                 std::to_string(numbers.size()) +
                 " were given: packed numbers keep the shape, so give another shape as JSON");
    fill(value, numbers);
    changes.push_back({pointers[i], std::move(value)});
  }
  if (pointers.empty() && !numbers.empty())
    refuse(std::to_string(numbers.size()) +
           " numbers were given without a pointer to their position");
  return changes;
}

void check_changes(const Json& document, const std::vector<Change>& changes) {
  std::vector<const std::string*> pointers;
  for (const Change& change : changes) {
    check_pointer(change.pointer);
    pointers.push_back(&change.pointer);
  }
  for (const std::string* inner : pointers) {
    for (const std::string* outer : pointers) {
      if (inner == outer || !within(*inner, *outer)) continue;
      refuse(*inner,
             "changes that are made together must not overlap, but this change is inside " +
                 (outer->empty() ? "the whole document" : *outer) +
                 ", which another change replaces; make only one of the two changes, or make them "
                 "one after the other");
    }
  }
  for (const Change& change : changes) {
    if (change.pointer.empty() && !(change.value.is_object() && change.value.contains("schema")))
      refuse(
          "expected a whole document with a \"schema\", because the pointer \"\" replaces all of "
          "it; found " +
          describe(change.value) + "; to change one field, give its pointer, such as \"/seed\"");
    const auto parts =
        static_cast<std::size_t>(std::count(change.pointer.begin(), change.pointer.end(), '/'));
    if (parts + depth_of(change.value) > max_nesting)
      refuse(change.pointer,
             "lists and objects are nested more than " + std::to_string(max_nesting) + " deep");
    if (change.pointer.empty()) continue;
    const std::size_t slash = change.pointer.rfind('/');
    const Json& parent = at(document, change.pointer.substr(0, slash), change.pointer);
    // A member may be new; everything else has to be there.
    if (!parent.is_object()) (void)at(document, change.pointer, change.pointer);
    const std::string name = from_pointer_part(std::string_view(change.pointer).substr(slash + 1));
    if (std::find(forbidden.begin(), forbidden.end(), name) != forbidden.end())
      refuse(change.pointer, "the name \"" + name + "\" is not allowed");
  }
}

void apply(Json& document, const std::vector<Change>& changes) {
  for (const Change& change : changes)
    at(document, change.pointer, change.pointer, true) = change.value;
}

}  // namespace attend
