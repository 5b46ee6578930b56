// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "evaluation/measure.h"
#include "experiment/describing/describe.h"
#include "experiment/text/words.h"

namespace attend {
namespace {

Json bound(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json describe_input(const MeasureInput& input, const Json& words) {
  return {{"name", std::string(input.name)},
          {"type", std::string(type_name(input.type))},
          {"says", words.at("inputs").at(std::string(input.name))},
          {"required", input.required},
          {"from_document", input.role == InputRole::weights  ? Json("weights")
                            : input.role == InputRole::answer ? Json("output")
                                                              : Json()}};
}

Json describe_measure(const Measure& measure) {
  const Json& words = words_of_measure(measure.id);
  Json json{
      {"id", std::string(measure.id)},    {"title", words.at("title")},
      {"aliases", Json::array()},         {"formula", words.at("formula")},
      {"sentence", words.at("sentence")}, {"tells", words.at("tells")},
      {"source", source_of(words)},       {"inputs", Json::array()},
      {"knobs", Json::array()},           {"better", std::string(better_name(measure.better))},
      {"lowest", bound(measure.lowest)},  {"highest", bound(measure.highest)}};
  for (const std::string_view alias : measure.aliases)
    json["aliases"].push_back(std::string(alias));
  for (const MeasureInput& input : measure.inputs)
    json["inputs"].push_back(describe_input(input, words));
  for (const Knob& knob : measure.knobs) json["knobs"].push_back(describe_knob(knob, words));
  return json;
}

}  // namespace

Json describe_measures() {
  Json list = Json::array();
  for (const Measure* measure : all_measures()) list.push_back(describe_measure(*measure));
  return list;
}

}  // namespace attend
