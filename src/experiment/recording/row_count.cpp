// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/row_count.h"

#include <algorithm>
#include <optional>

#include "catalogue/mechanism.h"
#include "experiment/recording/blame.h"
#include "experiment/recording/fixed_numbers.h"
#include "ops/json_pointer.h"
#include "ops/needed.h"
#include "ops/scan.h"

namespace attend {
namespace {

constexpr double no_chunk = 1e9;  // more rows than there are

void take_row_by_row(Choice& choice) {
  choice.row_by_row = true;
  const auto* core =
      choice.mechanism == nullptr ? nullptr : std::get_if<Core>(&choice.mechanism->behaviour);
  if (core != nullptr && core->always_causal) {
    for (const Knob& knob : choice.mechanism->knobs) {
      if (knob.name == "chunk") choice.knobs["chunk"] = no_chunk;
    }
  }
  for (auto& [slot, choices] : choice.slots) {
    for (Choice& one : choices) take_row_by_row(one);
  }
}

// The document with one row more in the input; nothing where its form does not allow that.
std::optional<Json> lengthened(Json document, const std::string& input) {
  Json& source = document["inputs"][input];
  if (!source.is_object()) return std::nullopt;
  for (const char* list : {"tokens", "matrix", "labels"}) {
    const auto found = source.find(list);
    if (found != source.end() && found->is_array() && !found->empty())
      found->push_back(found->back());
  }
  if (source.contains("tokens") && source.contains("features") && source["features"].is_object() &&
      source["features"].contains("matrix"))
    source["features"]["matrix"].push_back(source["features"]["matrix"].back());
  if (source.contains("data") && source.contains("shape") && source["shape"].size() == 2) {
    const std::size_t width = source["shape"][1];
    source["shape"][0] = source["shape"][0].get<std::size_t>() + 1;
    Json& data = source["data"];
    for (std::size_t k = 0; k < width; ++k) data.push_back(data[data.size() - width]);
  }
  return std::optional<Json>(std::in_place, std::move(document));
}

std::optional<Compiled> longer(const Json& document, const std::string& input) {
  try {
    const auto more = lengthened(document, input);
    if (!more) return std::nullopt;
    return compile_row_by_row(read_document(*more));
  } catch (const Error&) {
    return std::nullopt;  // a parameter of the document fits this many rows only
  }
}

bool same_body(const Graph& a, const Graph& b) {
  if (a.size() != b.size()) return false;
  for (NodeId id = 0; id < a.size(); ++id) {
    if (a[id].primitive != b[id].primitive || a[id].attributes.number != b[id].attributes.number)
      return false;
  }
  return true;
}

// The first node whose number depends on the count of rows; null where none does.
const Node* first_difference(const Compiled& a, const Compiled& b, const std::string& input,
                             const std::vector<std::string>& results) {
  std::vector<NodeId> wanted;
  for (const std::string& name : results) wanted.push_back(a.find(name));
  const Graph &x = a.graph(), &y = b.graph();
  const std::vector<bool> needed = needed_for(x, wanted);
  bool other_numbers = false;
  for (NodeId id = 0; id < x.size(); ++id) {
    if (!needed[id]) continue;
    if (id >= y.size() || x[id].primitive != y[id].primitive) return &x[id];
    other_numbers = other_numbers || x[id].attributes.number != y[id].attributes.number;
    const auto &one = x[id].attributes.body, &other = y[id].attributes.body;
    if (one != nullptr && (other == nullptr || !same_body(*one->graph, *other->graph)))
      return &x[id];
  }
  return other_numbers ? computes_other_numbers(a, b, input, wanted) : nullptr;
}

// Defaults that are settled by the count.
void check_defaults(const Recording& a, const Recording& b) {
  const auto moved = moved_default(a, b);
  if (!moved) return;
  refuse(moved->path + "/" + moved->name,
         "it cannot run one row at a time: the default of \"" + moved->name +
             "\" depends on the number of rows, " + describe(moved->here) + " here and " +
             describe(moved->there) + " with one more row; give a value");
}

// Parameters for which the mechanism states a number that comes from the count.
void check_stated(const Recording& a, const Recording& b, const std::vector<bool>& needed) {
  for (const Leaf& leaf : a.leaves) {
    if (leaf.distribution != Distribution::stated || leaf.is_given() || !needed[leaf.node])
      continue;
    const Leaf* const other = b.leaf(leaf.key);
    if (other == nullptr || other->start == leaf.start) continue;
    refuse("/parameters/" + as_pointer_part(leaf.key),
           "it cannot run one row at a time: the default of \"" + leaf.key +
               "\" depends on the number of rows, " + describe(leaf.start) + " here and " +
               describe(other->start) + " with one more row; give a value");
  }
}

// Parameters whose numbers are drawn for a shape that the count settles.
void check_drawn(const Compiled& here, const Compiled& more) {
  for (const Leaf& leaf : here.leaves()) {
    const Leaf* const other =
        leaf.kind == Leaf::Kind::parameter ? more.recording().leaf(leaf.key) : nullptr;
    if (other == nullptr || leaf.is_given() || other->shape == leaf.shape) continue;
    if (has_corner(other->shape, more.leaf_data(*other), leaf.shape, here.leaf_data(leaf)))
      continue;
    refuse("/parameters/" + as_pointer_part(leaf.key),
           "it cannot run one row at a time: the numbers that are drawn for \"" + leaf.key +
               "\" depend on the number of rows; its shape is " + to_text(leaf.shape) +
               " here and " + to_text(other->shape) + " with one more row; use at least two rows");
  }
}

// The node whose number depends on how many rows the input has; null where none does. Throws Error where a default
// depends on it.
const Node* row_count_reader(const Compiled& compiled, const std::string& input,
                             const std::vector<std::string>& results) {
  const auto more = longer(compiled.document().json, input);
  if (!more) return nullptr;
  check_defaults(compiled.recording(), more->recording());
  std::vector<NodeId> wanted;
  for (const std::string& name : results) wanted.push_back(compiled.find(name));
  check_stated(compiled.recording(), more->recording(), needed_for(compiled.graph(), wanted));
  return first_difference(compiled, *more, input, results);
}

using SettingPaths = std::vector<std::string>;

// Settings that are no numbers, by where the document has them.
void list_settings(const Choice& choice, SettingPaths& list) {
  for (const auto& [name, value] : choice.knobs) {
    if (std::get_if<std::string>(&value) != nullptr || std::get_if<bool>(&value) != nullptr)
      list.push_back(choice.path + "/" + as_pointer_part(std::string(name)));
  }
  for (const auto& [slot, choices] : choice.slots) {
    for (const Choice& inner : choices) list_settings(inner, list);
  }
}

// Adds the paths of all choices in the slots of a choice, the innermost first.
void list_choices(const Choice& choice, SettingPaths& list) {
  for (const auto& [slot, choices] : choice.slots) {
    for (const Choice& inner : choices) {
      list_choices(inner, list);
      list.push_back(inner.path);
    }
  }
}

SettingPaths below(const std::string& module, SettingPaths settings) {
  std::erase_if(settings, [&](const std::string& path) { return !path.starts_with(module + "/"); });
  return settings;
}

// The first of the settings whose removal makes the document pass.
std::optional<std::string> responsible(const Compiled& compiled, const SettingPaths& settings,
                                       const DoesIt& does_it) {
  for (const std::string& setting : settings) {
    Json other = compiled.document().json;
    const Json::json_pointer place(setting);
    if (!other.contains(place)) continue;
    Json& parent = other.at(place.parent_pointer());
    if (parent.is_array())
      parent.erase(std::stoul(place.back()));
    else
      parent.erase(place.back());
    try {
      if (does_it(compile_row_by_row(read_document(std::move(other))))) return setting;
    } catch (const Error&) {
      continue;  // not this one: the document does not work without it
    }
  }
  return std::nullopt;
}

// Settings without a value that a number may replace, such as the size of a grid.
void list_settings_left_out(const Choice& choice, SettingPaths& list) {
  if (choice.mechanism != nullptr) {
    for (const Knob& knob : choice.mechanism->knobs) {
      if (knob.optional && knob.or_number && !choice.knobs.contains(knob.name))
        list.push_back(choice.path + "/" + as_pointer_part(std::string(knob.name)));
    }
  }
  for (const auto& [slot, choices] : choice.slots) {
    for (const Choice& inner : choices) list_settings_left_out(inner, list);
  }
}

// The document with the value at a setting that it leaves out.
Json with_value(Json document, const std::string& setting, const Json& value) {
  const Json::json_pointer place(setting);
  Json& parent = document[place.parent_pointer()];
  if (parent.is_string()) parent = {{"type", parent}};
  parent[place.back()] = value;  // the first parameter that is given makes their object
  return document;
}

// Throws Error at what takes its value from the number of rows unless the document states it: a setting, or a parameter
// with as many rows, such as a table of distances that is read from its end.
void check_left_out(const Compiled& compiled, const std::string& input, const std::string& why,
                    const DoesIt& depends_no_more) {
  const Shape& shape = compiled.document().inputs.at(input).tensor.shape;
  const auto helps = [&](const std::string& path, const Json& value) {
    try {
      return depends_no_more(
          compile_row_by_row(read_document(with_value(compiled.document().json, path, value))));
    } catch (const Error&) {
      return false;
    }
  };
  SettingPaths settings;
  for (const ModuleUse& module : compiled.document().modules)
    list_settings_left_out(module.choice, settings);
  for (const std::string& setting : settings) {
    if (!shape.empty() && helps(setting, shape[0]))
      refuse(setting, why + " where \"" + setting.substr(setting.rfind('/') + 1) +
                          "\" is left out; give a value, such as " + std::to_string(shape[0]));
  }
  const auto more = longer(compiled.document().json, input);
  for (const Leaf& leaf : compiled.leaves()) {
    const Leaf* const other = more ? more->recording().leaf(leaf.key) : nullptr;
    if (leaf.kind != Leaf::Kind::parameter || leaf.is_given() || other == nullptr ||
        other->shape == leaf.shape)
      continue;
    const std::string path = "/parameters/" + as_pointer_part(leaf.key);
    if (helps(path, {{"shape", leaf.shape}, {"data", compiled.leaf_data(leaf)}}))
      refuse(path, why + " because \"" + leaf.key + "\" has the shape " + to_text(leaf.shape) +
                       " here and " + to_text(other->shape) +
                       " with one more row; give its numbers, or train it");
  }
}

}  // namespace

Compiled compile_row_by_row(Document document) {
  for (ModuleUse& module : document.modules) take_row_by_row(module.choice);
  return compile(std::move(document));
}

std::optional<MovedDefault> moved_default(const Recording& here, const Recording& there) {
  for (const auto& [path, knobs] : here.resolved) {
    const auto others = there.resolved.find(path);
    if (others == there.resolved.end()) continue;
    for (const auto& [name, value] : knobs) {
      const auto other = others->second.find(name);
      const double* now = std::get_if<double>(&value);
      const double* then =
          other == others->second.end() ? nullptr : std::get_if<double>(&other->second);
      if (now != nullptr && then != nullptr && *now != *then)
        return MovedDefault{path, std::string(name), *now, *then};
    }
  }
  return std::nullopt;
}

void check_a_row_more(const Compiled& here, const Compiled& more) {
  check_defaults(here.recording(), more.recording());
  check_drawn(here, more);
}

std::optional<Compiled> with_a_row_more(const Compiled& compiled, const std::string& input) {
  return longer(compiled.document().json, input);
}

std::optional<std::string> responsible_setting(const Compiled& compiled, const std::string& module,
                                               const DoesIt& does_it) {
  SettingPaths settings;
  for (const ModuleUse& one : compiled.document().modules) list_settings(one.choice, settings);
  const auto setting = responsible(compiled, below(module, std::move(settings)), does_it);
  return setting ? setting : responsible_choice(compiled, module, does_it);
}

std::optional<std::string> responsible_choice(const Compiled& compiled, const std::string& module,
                                              const DoesIt& does_it) {
  SettingPaths choices;
  for (const ModuleUse& one : compiled.document().modules) list_choices(one.choice, choices);
  return responsible(compiled, below(module, std::move(choices)), does_it);
}

bool depends_on_row_count(const Compiled& compiled, const std::string& input,
                          const std::vector<std::string>& results) {
  return row_count_reader(compiled, input, results) != nullptr;
}

void check_row_count(const Compiled& compiled, const std::string& input,
                     const std::vector<std::string>& results, const DoesIt& runs) {
  const Node* node = row_count_reader(compiled, input, results);
  if (node == nullptr) return;
  const std::string why =
      "it cannot run one row at a time: its computation depends on the number of rows";
  SettingPaths settings;
  for (const ModuleUse& module : compiled.document().modules)
    list_settings(module.choice, settings);
  const auto depends_no_more = [&](const Compiled& other) {
    const auto longer_one = longer(other.document().json, input);
    return longer_one && first_difference(other, *longer_one, input, results) == nullptr;
  };
  const auto is_for_these_rows = [&](const Compiled& other) {
    return (!longer(other.document().json, input) || depends_no_more(other)) && runs(other);
  };
  if (const auto setting = responsible(compiled, settings, depends_no_more)) {
    const Json value = compiled.document().json.at(Json::json_pointer(*setting));
    refuse(*setting, why + " where \"" + setting->substr(setting->rfind('/') + 1) + "\" is " +
                         value.dump() + "; choose another value");
  }
  check_left_out(compiled, input, why, is_for_these_rows);
  const ModulePlaces places(module_places(compiled));
  refuse_numbers(*node, why);
}

}  // namespace attend
