// SPDX-License-Identifier: Apache-2.0
#include "experiment/describing/describe.h"

#include <array>
#include <cmath>

#include "catalogue/check_knob.h"
#include "catalogue/family.h"
#include "experiment/describing/systems.h"
#include "experiment/reading/document.h"
#include "experiment/reading/read_mechanism.h"
#include "experiment/recording/draw.h"
#include "experiment/text/words.h"

namespace attend {
namespace {

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(std::string(text)); }

Json reason_or_null(std::string_view id) {
  return id.empty() ? Json() : Json(sentence_of_reason(id));
}

template <class Texts>
Json texts(const Texts& list) {
  Json json = Json::array();
  for (const std::string_view text : list) json.push_back(std::string(text));
  return json;
}

std::string prefix_of(const Mechanism& mechanism) {
  if (mechanism.kind() == Kind::structure || mechanism.kind() == Kind::core)
    return prefix_of_mechanism(mechanism);
  return std::string(slot_name(mechanism.kind())) + ".";
}

Json describe_slot(const Slot& slot, const Json& words) {
  Json json{{"name", std::string(slot.name)},
            {"title", words.at("title")},
            {"group", words.at("group")},
            {"kind", std::string(kind_name(slot.kind))},
            {"default", text_or_null(slot.fallback)},
            {"list", slot.list},
            {"optional", slot.fallback.empty()},
            {"only", text_or_null(slot.only)},
            {"among", texts(slot.among)},
            {"without", texts(slot.without)}};
  for (const auto& [inner, id] : slot.inner) json["defaults"][std::string(inner)] = std::string(id);
  return json;
}

}  // namespace

Json describe_knob(const Knob& knob, const Json& words) {
  static constexpr std::array<const char*, 6> types{"number", "integer", "boolean",
                                                    "choice", "matrix",  "words"};
  static constexpr std::array<const char*, 4> relations{"none", "divides", "multiple_of",
                                                        "at_most"};
  Json json{{"name", std::string(knob.name)},
            {"title", title_of_knob(words, knob.name)},
            {"type", types.at(static_cast<std::size_t>(knob.type))}};
  if (const auto* number = std::get_if<double>(&knob.fallback)) json["default"] = *number;
  if (const auto* flag = std::get_if<bool>(&knob.fallback)) json["default"] = *flag;
  if (const auto* text = std::get_if<std::string_view>(&knob.fallback))
    json["default"] = std::string(*text);
  if (knob.type == Knob::Type::number || knob.type == Knob::Type::integer) {
    json["minimum"] = knob.minimum;
    json["maximum"] = knob.maximum;
    json["scale"] = knob.logarithmic ? "log" : "linear";
    if (std::isfinite(knob.lowest)) json[knob.above_lowest ? "above" : "at_least"] = knob.lowest;
    if (std::isfinite(knob.highest)) json["at_most"] = knob.highest;
  }
  if (knob.rule)
    json["rule"] = {{"relation", relations.at(static_cast<std::size_t>(knob.rule.relation))},
                    {"of", std::string(knob.rule.of)},
                    {"said", in_words(knob.rule)}};
  if (knob.optional) json["optional"] = true;
  if (knob.or_number) json["or_number"] = true;
  if (knob.of_keys) json["of_keys"] = true;
  if (knob.one_head) json["one_head"] = *knob.one_head;
  if (knob.role == Knob::Role::memory) json["memory"] = true;
  if (knob.type == Knob::Type::choice) json["choices"] = texts(knob.choices);
  if (!knob.symbol.empty()) json["symbol"] = std::string(knob.symbol);
  return json;
}

Json describe_mechanism(const Mechanism& mechanism) {
  const Json& words = words_of(mechanism.id);
  Json json{{"id", std::string(mechanism.id)},
            {"kind", std::string(kind_name(mechanism.kind()))},
            {"family", std::string(family_of(mechanism))},
            {"title", words.at("title")},
            {"aliases", texts(mechanism.aliases)},
            {"formula", words.at("formula")},
            {"sentence", words.at("sentence")},
            {"note", optional_words(words, "note")},
            {"source", source_of(words)},
            {"parameters", Json::array()},
            {"knobs", Json::array()},
            {"roles", Json::array()},
            {"slots", Json::array()},
            {"differentiable", mechanism.differentiable},
            {"learns", optional_words(words, "learns")},
            {"excludes", Json::array()},
            {"beside", Json::object()},
            {"coordinate", text_or_null(mechanism.coordinate)}};
  if (!short_id(mechanism).empty()) json["aliases"].push_back(std::string(short_id(mechanism)));
  for (const Parameter& p : mechanism.parameters) {
    const bool complete = p.name.find('.') != std::string_view::npos;
    json["parameters"].push_back(
        {{"name", std::string(p.name)},
         {"shape", std::string(p.shape)},
         {"distribution", std::string(distribution_name(p.distribution))},
         {"prefix", complete && mechanism.kind() != Kind::structure ? "" : prefix_of(mechanism)}});
    Json& parameter = json["parameters"].back();
    if (!p.start.empty()) parameter["start"] = std::string(p.start);
    if (std::isfinite(p.values.low)) parameter[p.values.open ? "above" : "at_least"] = p.values.low;
    if (std::isfinite(p.values.high)) parameter["at_most"] = p.values.high;
  }
  for (const Knob& knob : mechanism.knobs) json["knobs"].push_back(describe_knob(knob, words));
  for (const Role& role : mechanism.roles) {
    json["roles"].push_back({{"name", std::string(role.name)},
                             {"shape", std::string(role.shape)},
                             {"required", role.required},
                             {"falls_back_to", text_or_null(role.falls_back_to)}});
  }
  for (const auto& [slot, id] : mechanism.beside)
    json["beside"][std::string(slot)] = std::string(id);
  for (const Slot& slot : mechanism.slots)
    json["slots"].push_back(describe_slot(slot, words.at("slots").at(std::string(slot.name))));
  if (const auto* core = std::get_if<Core>(&mechanism.behaviour)) {
    json["masks"] = texts(core->masks);
    json["exact"] = core->exact;
    json["always_causal"] = core->always_causal;
    json["never_causal"] = reason_or_null(core->never_causal);
    json["peeks"] = reason_or_null(core->peeks);
  }
  if (const auto* cell = std::get_if<Cell>(&mechanism.behaviour))
    json["memory"] = cell->states.find(' ') != std::string_view::npos;
  for (const Ban& e : exclusions_of(mechanism)) {
    json["excludes"].push_back({{"slot", std::string(e.slot)},
                                {"ids", texts(e.ids)},
                                {"only", e.only},
                                {"reason", sentence_of_reason(e.reason)}});
  }
  return json;
}

Json describe_catalogue() {
  Json list = Json::array();
  for (const Mechanism* mechanism : all_mechanisms())
    list.push_back(describe_mechanism(*mechanism));
  return {{"schema", std::string(schema_version)},
          {"mechanisms", std::move(list)},
          {"measures", describe_measures()},
          {"systems", all_systems()}};
}

}  // namespace attend
