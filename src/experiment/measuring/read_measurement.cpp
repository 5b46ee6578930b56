// SPDX-License-Identifier: Apache-2.0
#include "experiment/measuring/read_measurement.h"

#include <algorithm>
#include <cmath>

#include "catalogue/check_knob.h"
#include "experiment/reading/read_tensor.h"
#include "ops/error.h"
#include "ops/text.h"

namespace attend {
namespace {

KnobValue knob_value(const Json& json, const Knob& knob, const std::string& path) {
  KnobValue value;
  if (json.is_number()) {
    value = json.get<double>();
  } else if (json.is_boolean()) {
    value = json.get<bool>();
  } else if (json.is_string()) {
    value = json.get<std::string>();
  } else {
    refuse(path, "expected a value for " + std::string(knob.name) + ", found " + describe(json));
  }
  check_knob(knob, value, path);
  return value;
}

KnobValue fallback_of(const Knob& knob) {
  if (const auto* number = std::get_if<double>(&knob.fallback)) return *number;
  if (const auto* flag = std::get_if<bool>(&knob.fallback)) return *flag;
  return std::string(std::get<std::string_view>(knob.fallback));
}

MeasureChoice read_measure(const Json& json, const std::string& path) {
  const Json* type = json.is_object() ? member(json, "type") : &json;
  const std::string at = json.is_object() ? path + "/type" : path;
  if (type == nullptr || !type->is_string())
    refuse(at, "expected the id of a measure, found " +
                   (type == nullptr ? "nothing" : describe(*type)) +
                   "; `attend catalogue` lists them");
  const Measure* measure = find_measure(type->get<std::string>());
  if (measure == nullptr)
    refuse(at, "unknown measure " + type->dump() + "; `attend catalogue` lists them");
  MeasureChoice choice{measure, {}, path};
  std::vector<std::string_view> known{"type"};
  for (const Knob& knob : measure->knobs) known.push_back(knob.name);
  if (json.is_object()) check_members(json, path, known);
  for (const Knob& knob : measure->knobs) {
    const Json* given = json.is_object() ? member(json, knob.name) : nullptr;
    choice.knobs[std::string(knob.name)] =
        given == nullptr ? fallback_of(knob)
                         : knob_value(*given, knob, path + "/" + std::string(knob.name));
  }
  return choice;
}

std::vector<std::string> read_words(const Json& json, InputType type, const std::string& path) {
  if (!json.is_array())
    refuse(path, "expected " + std::string(type_form(type)) + "; found " + describe(json));
  std::vector<std::string> words;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Json& word = json[i];
    const bool number = type == InputType::labels && word.is_number();
    if (!number && !word.is_string())
      refuse(path + "/" + std::to_string(i), std::string("expected a word") +
                                                 (type == InputType::labels ? " or a number" : "") +
                                                 ", found " + describe(word));
    words.push_back(number ? number_exact(word.get<double>()) : word.get<std::string>());
  }
  return words;
}

std::vector<Links::Pair> read_pairs(const Json& json, const std::string& path) {
  if (!json.is_array())
    refuse(path, "expected a list of pairs, each a row and a key, found " + describe(json));
  std::vector<Links::Pair> pairs;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string at = path + "/" + std::to_string(i);
    if (!json[i].is_array() || json[i].size() != 2)
      refuse(at, "expected a pair of a row and a key, [0, 1]; found " + describe(json[i]));
    pairs.push_back({read_count(json[i][0], at + "/0", 0), read_count(json[i][1], at + "/1", 0)});
  }
  return pairs;
}

Links read_links(const Json& json, const std::string& path) {
  if (!json.is_object()) return {read_pairs(json, path), {}};
  check_members(json, path, {"sure", "possible"});
  Links links;
  if (const Json* sure = member(json, "sure")) links.sure = read_pairs(*sure, path + "/sure");
  if (const Json* possible = member(json, "possible"))
    links.possible = read_pairs(*possible, path + "/possible");
  return links;
}

Tensor read_numbers(const Json& json, InputType type, const std::string& path) {
  if (!json.is_array() && !json.is_object() && !(json.is_number() && type == InputType::numbers))
    refuse(path, "expected " + std::string(type_form(type)) + "; found " + describe(json));
  Tensor tensor = read_tensor(json, path);
  if (type == InputType::numbers) {
    if (tensor.shape.empty()) tensor.shape = {1};
    return tensor;
  }
  if (tensor.shape.size() == 1) tensor.shape.insert(tensor.shape.begin(), 1);
  if (type == InputType::image && tensor.shape.size() != 2 && tensor.shape.size() != 3)
    refuse(path,
           "expected " + std::string(type_form(type)) + "; found shape " + to_text(tensor.shape));
  if (type != InputType::map) return tensor;
  const auto below = std::ranges::find_if(tensor.data, [](double x) { return x < 0; });
  if (below != tensor.data.end())
    refuse(path, "expected weights of at least 0, found " + number_exact(*below));
  return tensor;
}

}  // namespace

std::vector<MeasureChoice> read_measures(const Json& json) {
  const Json* measure = member(json, "measure");
  if (measure == nullptr)
    refuse("/measure",
           "expected the id of a measure, found nothing; `attend catalogue` lists them");
  if (!measure->is_array()) return {read_measure(*measure, "/measure")};
  if (measure->empty()) refuse("/measure", "expected at least one measure, found an empty list");
  std::vector<MeasureChoice> list;
  for (std::size_t i = 0; i < measure->size(); ++i)
    list.push_back(read_measure((*measure)[i], "/measure/" + std::to_string(i)));
  return list;
}

IntervalWish read_interval(const Json& measurement) {
  IntervalWish wish;
  const Json* json = member(measurement, "interval");
  if (json == nullptr) return wish;
  check_members(*json, "/interval", {"level", "resamples", "seed"});
  if (const Json* level = member(*json, "level")) {
    const bool fits = level->is_number() && level->get<double>() > 0 && level->get<double>() < 1;
    if (!fits)
      refuse("/interval/level",
             "expected a number between 0 and 1, such as 0.95; found " + describe(*level));
    wish.level = level->get<double>();
  }
  if (const Json* resamples = member(*json, "resamples")) {
    wish.resamples = read_count(*resamples, "/interval/resamples", 1);
    if (wish.resamples > 100'000) refuse("/interval/resamples", "expected at most 100000");
  }
  if (const Json* seed = member(*json, "seed")) wish.seed = read_count(*seed, "/interval/seed", 0);
  return wish;
}

GivenValue read_given(const Json& json, InputType type, const std::string& path) {
  switch (type) {
    case InputType::tokens:
    case InputType::labels:
      return read_words(json, type, path);
    case InputType::references: {
      if (!json.is_array() || json.empty())
        refuse(path, "expected " + std::string(type_form(type)) + "; found " + describe(json));
      std::vector<std::vector<std::string>> texts;
      for (std::size_t i = 0; i < json.size(); ++i)
        texts.push_back(read_words(json[i], InputType::tokens, path + "/" + std::to_string(i)));
      return texts;
    }
    case InputType::links:
      return read_links(json, path);
    default:
      return read_numbers(json, type, path);
  }
}

void check_measurement(const Json& json, const std::vector<MeasureChoice>& choices) {
  std::vector<std::string_view> inputs{"vocabulary"};
  for (const MeasureChoice& choice : choices) {
    for (const MeasureInput& input : choice.measure->inputs)
      if (std::ranges::find(inputs, input.name) == inputs.end()) inputs.push_back(input.name);
  }
  std::vector<std::string_view> known{"measure", "document", "map",     "output",
                                      "head",    "examples", "interval"};
  known.insert(known.end(), inputs.begin(), inputs.end());
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  check_members(json, "", known);
  const Json* examples = member(json, "examples");
  if (examples == nullptr) return;
  if (!examples->is_array() || examples->empty())
    refuse("/examples", "expected a list of at least one example, found " +
                            (examples->is_array() ? "none" : describe(*examples)));
  for (std::size_t i = 0; i < examples->size(); ++i)
    check_members((*examples)[i], "/examples/" + std::to_string(i), inputs);
}

}  // namespace attend
