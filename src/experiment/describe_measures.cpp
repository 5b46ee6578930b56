// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "evaluation/measure.h"
#include "experiment/describe.h"

namespace attend {
namespace {

Json bound(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json describe_input(const MeasureInput& input) {
  return {{"name", std::string(input.name)},
          {"type", std::string(type_name(input.type))},
          {"says", std::string(input.says)},
          {"required", input.required},
          {"from_document", input.role == InputRole::weights  ? Json("weights")
                            : input.role == InputRole::answer ? Json("output")
                                                              : Json()}};
}

Json describe_measure(const Measure& measure) {
  const MeasureWords& words = words_of(measure);
  Json json{{"id", std::string(measure.id)},
            {"title", std::string(words.title)},
            {"aliases", Json::array()},
            {"formula", std::string(words.formula)},
            {"sentence", std::string(words.sentence)},
            {"tells", std::string(words.tells)},
            {"source",
             {{"authors", std::string(words.source.authors)},
              {"year", words.source.year},
              {"where", std::string(words.source.where)},
              {"link", std::string(words.source.link)}}},
            {"inputs", Json::array()},
            {"knobs", Json::array()},
            {"better", std::string(better_name(measure.better))},
            {"lowest", bound(measure.lowest)},
            {"highest", bound(measure.highest)}};
  for (const std::string_view alias : measure.aliases)
    json["aliases"].push_back(std::string(alias));
  for (const MeasureInput& input : measure.inputs) json["inputs"].push_back(describe_input(input));
  for (const Knob& knob : measure.knobs) json["knobs"].push_back(describe_knob(knob));
  return json;
}

}  // namespace

Json describe_measures() {
  Json list = Json::array();
  for (const Measure* measure : all_measures()) list.push_back(describe_measure(*measure));
  return list;
}

}  // namespace attend
