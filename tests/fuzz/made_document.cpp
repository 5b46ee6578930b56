// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/made_document.h"

#include <array>
#include <vector>

#include "experiment/service.h"
#include "ops/random.h"

namespace attend::fuzz {
namespace {

constexpr std::size_t deepest_slot = 3;
constexpr std::size_t most_changes = 6;
constexpr std::size_t longest_side = 6;  // of a tensor: small documents reach as much code

const Json& catalogue() {
  static const Json all = parse_json(catalogue_text())["mechanisms"];
  return all;
}

std::vector<const Json*> of_kind(const Json& kind) {
  std::vector<const Json*> list;
  for (const Json& mechanism : catalogue()) {
    if (mechanism["kind"] == kind) list.push_back(&mechanism);
  }
  return list;
}

// The entry of the catalogue that stands in a slot of this kind, or null.
const Json* entry_of(const Json& choice, const Json& kind) {
  const Json id = choice.is_object() ? choice.value("type", Json("attention")) : choice;
  for (const Json* mechanism : of_kind(kind)) {
    if ((*mechanism)["id"] == id) return mechanism;
  }
  return nullptr;
}

// What belongs nowhere, or to the edge of everything.
const std::vector<Json>& odd_values() {
  static const std::vector<Json> values{
      nullptr, true, "",    "x",          Json::array(),  -1,     0,     0.5,
      1e-30,   1e30, 1e308, 4294967296.0, Json::object(), {1, 2}, {{1}}, Json{{"type", "softmax"}}};
  return values;
}

Json knob_value(const Json& knob, Bytes& bytes) {
  if (knob["type"] == "choice") return bytes.one_of(knob["choices"]);
  if (knob["type"] == "boolean") return bytes.below(2) == 1;
  if (knob["type"] == "words") return Json{"see", "that", "see"};
  if (knob["type"] == "matrix") return Json{{0, 1, 1}, {1, 0, 1}, {1, 1, 1}};
  const double low = knob["minimum"], high = knob["maximum"];
  const double edge = knob.value("above", knob.value("at_least", low));
  const std::array<double, 8> numbers{low, high, edge, edge + 1e-6, edge - 1, (low + high) / 2,
                                      1,   2};
  return bytes.one_of(numbers);
}

// Of a knob that a rule ties to another one, the other's number half of the time: that keeps each of the rules.
void tie_knobs(Json& choice, const Json& knobs, Bytes& bytes) {
  for (const Json& knob : knobs) {
    const std::string name = knob["name"];
    if (!knob.contains("rule") || !choice.contains(name) || bytes.below(2) == 0) continue;
    const std::string of = knob["rule"]["of"];
    if (choice.contains(of)) choice[name] = choice[of];
  }
}

Json choice_of(const Json& mechanism, Bytes& bytes, std::size_t depth);

Json slot_value(const Json& slot, Bytes& bytes, std::size_t depth) {
  const std::vector<const Json*> list = of_kind(slot["kind"]);
  const auto one = [&] { return choice_of(*bytes.one_of(list), bytes, depth + 1); };
  if (slot["list"] != true) return one();
  Json items = Json::array();
  for (std::size_t count = 1 + bytes.below(3); count > 0; --count) items.push_back(one());
  return items;
}

Json choice_of(const Json& mechanism, Bytes& bytes, std::size_t depth) {
  Json choice{{"type", mechanism["id"]}};
  for (const Json& knob : mechanism["knobs"]) {
    if (bytes.below(4) == 3) choice[knob["name"].get<std::string>()] = knob_value(knob, bytes);
  }
  tie_knobs(choice, mechanism["knobs"], bytes);
  if (depth >= deepest_slot) return choice;
  for (const Json& slot : mechanism["slots"]) {
    if (bytes.below(6) == 5)
      choice[slot["name"].get<std::string>()] = slot_value(slot, bytes, depth);
  }
  return choice;
}

// Values between -2 and 2, or all equal, or all large.
Json tensor(Bytes& bytes) {
  const std::size_t rank = bytes.below(4);
  Json shape = Json::array(), data = Json::array();
  std::size_t size = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    shape.push_back(1 + bytes.below(longest_side));
    size *= shape.back().get<std::size_t>();
  }
  const std::array<double, 6> scales{1, 0.01, 0, 30, 1e4, 1e20};
  const double scale = bytes.one_of(scales);
  const RandomStream stream(bytes.below(256), "fuzz");
  for (std::size_t i = 0; i < size; ++i) data.push_back(scale * stream.normal(i));
  return {{"shape", shape}, {"data", data}};
}

Json input(Bytes& bytes) {
  if (bytes.below(3) != 0) return tensor(bytes);
  const std::array<const char*, 4> words{"see", "that", "girl", "run"};
  const std::array<const char*, 3> features{"embedding", "one-hot", "sinusoidal"};
  Json tokens = Json::array();
  for (std::size_t count = 1 + bytes.below(longest_side); count > 0; --count)
    tokens.push_back(bytes.one_of(words));
  Json of{{"type", bytes.one_of(features)}};
  if (of["type"] != "one-hot") of["dim"] = 1 + bytes.below(longest_side);
  return {{"tokens", tokens}, {"features", of}};
}

// A slot, a knob, or one of the same in a slot within.
void change_choice(Json& choice, const Json& kind, Bytes& bytes, std::size_t depth) {
  const Json* mechanism = entry_of(choice, kind);
  if (mechanism == nullptr) return;
  if (choice.is_string()) choice = Json{{"type", choice}};
  const Json &knobs = (*mechanism)["knobs"], &slots = (*mechanism)["slots"];
  const std::size_t what = bytes.below(4);
  if (what == 0 && !knobs.empty()) {
    const Json& knob = bytes.one_of(knobs);
    choice[knob["name"].get<std::string>()] = knob_value(knob, bytes);
    tie_knobs(choice, knobs, bytes);
  } else if (!slots.empty()) {
    const Json& slot = bytes.one_of(slots);
    Json& value = choice[slot["name"].get<std::string>()];
    const bool filled = value.is_string() || value.is_object();
    if (what == 1 && filled && depth < deepest_slot) {
      change_choice(value, slot["kind"], bytes, depth + 1);
    } else {
      value = slot_value(slot, bytes, depth);
    }
  }
}

// Something else at a place that the bytes lead to.
void spoil(Json& value, Bytes& bytes) {
  if (value.is_structured() && !value.empty() && bytes.below(5) != 0) {
    auto inner = value.begin();
    std::advance(inner, bytes.below(value.size()));
    return spoil(*inner, bytes);
  }
  value = bytes.one_of(odd_values());
}

// A member that an earlier change may have spoiled.
Json& member_of(Json& document, const char* name, Json::value_t type) {
  Json& value = document[name];
  if (value.type() != type) value = Json(type);
  return value;
}

void change_parameters(Json& document, Bytes& bytes) {
  const Json& mechanism = bytes.one_of(catalogue());
  if (mechanism["parameters"].empty()) return;
  const Json& parameter = bytes.one_of(mechanism["parameters"]);
  const std::string name =
      parameter["prefix"].get<std::string>() + parameter["name"].get<std::string>();
  member_of(document, "parameters", Json::value_t::object)[name] = tensor(bytes);
}

void change_results(Json& document, Bytes& bytes) {
  static const std::vector<Json> names{"context", "weights",    "scores", "output", "mask",
                                       "penalty", "weights[0]", "state",  "query"};
  if (bytes.below(2) == 0) {
    Json& gradient = member_of(document, "gradient", Json::value_t::object);
    gradient["of"] = bytes.one_of(names);
    gradient["outputs"] = bytes.below(2) == 1;
  } else {
    member_of(document, "outputs", Json::value_t::array).push_back(bytes.one_of(names));
  }
}

void change(Json& document, Bytes& bytes) {
  switch (bytes.below(8)) {
    case 0:
      return change_parameters(document, bytes);
    case 1:
      return change_results(document, bytes);
    case 2: {
      Json& inputs = member_of(document, "inputs", Json::value_t::object);
      auto source = inputs.begin();
      if (!inputs.empty()) std::advance(source, bytes.below(inputs.size()));
      return void(inputs[inputs.empty() ? "x" : source.key()] = input(bytes));
    }
    case 3:
      return spoil(document, bytes);
    default:
      return change_choice(document["mechanism"], "structure", bytes, 0);
  }
}

}  // namespace

Json made_document(Bytes& bytes) {
  const std::string id = bytes.one_of(catalogue())["id"];
  Json document = parse_json(example_text(id));
  for (std::size_t count = bytes.below(most_changes + 1); count > 0; --count) {
    change(document, bytes);
    if (!document.is_object()) break;
  }
  return document;
}

}  // namespace attend::fuzz
