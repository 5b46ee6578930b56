// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "catalogue/check_knob.h"
#include "catalogue/mechanism.h"
#include "experiment/describing/schema.h"
#include "experiment/reading/read_mechanism.h"
#include "experiment/text/words.h"

namespace attend {
namespace {

// "score/additive", and with no mechanism the kind: "score".
std::string definition_of(Kind kind, const Mechanism* mechanism = nullptr) {
  const std::string name(kind_name(kind));
  return mechanism == nullptr ? name : name + "/" + std::string(mechanism->id);
}

OrderedJson reference(Kind kind, const Mechanism* mechanism = nullptr) {
  // In a pointer a slash of a name is written ~1.
  const std::string name = definition_of(kind);
  return {{"$ref",
           "#/$defs/" + (mechanism == nullptr ? name : name + "~1" + std::string(mechanism->id))}};
}

std::vector<const Mechanism*> of_kind(Kind kind) {
  std::vector<const Mechanism*> list;
  for (const Mechanism* m : all_mechanisms()) {
    if (m->kind() == kind) list.push_back(m);
  }
  return list;
}

// Its id and what else the reader takes for it.
OrderedJson names_of(const std::vector<const Mechanism*>& mechanisms) {
  OrderedJson names = OrderedJson::array();
  for (const Mechanism* m : mechanisms) {
    std::vector<std::string_view> all{m->id, short_id(*m)};
    all.insert(all.end(), m->aliases.begin(), m->aliases.end());
    for (const std::string_view name : all) {
      const OrderedJson text = std::string(name);
      const bool listed = std::find(names.begin(), names.end(), text) != names.end();
      if (!name.empty() && !listed && find_mechanism(m->kind(), name) == m) names.push_back(text);
    }
  }
  return names;
}

OrderedJson knob_schema(const Knob& knob, const Json& words) {
  OrderedJson schema{{"title", title_of_knob(words, knob.name)}};
  switch (knob.type) {
    case Knob::Type::boolean:
      schema["type"] = "boolean";
      break;
    case Knob::Type::choice:
      for (const std::string_view word : knob.choices) schema["enum"].push_back(std::string(word));
      if (!knob.old_word.empty()) schema["enum"].push_back(std::string(knob.old_word));
      break;
    case Knob::Type::words:
      schema["$ref"] = "#/$defs/texts";
      break;
    case Knob::Type::matrix:
      if (knob.maximum > knob.minimum)
        schema["anyOf"] = {{{"type", "number"}}, {{"$ref", "#/$defs/table"}}};
      else
        schema["$ref"] = knob.null_is_minus_infinity ? "#/$defs/energies"
                         : knob.or_number            ? "#/$defs/table_or_number"
                                                     : "#/$defs/table";
      break;
    default:
      schema["type"] = knob.type == Knob::Type::integer ? "integer" : "number";
      if (std::isfinite(knob.lowest))
        schema[knob.above_lowest ? "exclusiveMinimum" : "minimum"] = knob.lowest;
      if (std::isfinite(knob.highest)) schema["maximum"] = knob.highest;
  }
  if (const auto* number = std::get_if<double>(&knob.fallback)) schema["default"] = *number;
  if (const auto* flag = std::get_if<bool>(&knob.fallback)) schema["default"] = *flag;
  if (const auto* word = std::get_if<std::string_view>(&knob.fallback);
      word && knob.type == Knob::Type::choice)
    schema["default"] = std::string(*word);
  return schema;
}

// One of these by its id, or as an object that names it; `untyped` also without naming it.
OrderedJson choice_among(const std::vector<const Mechanism*>& list, const Mechanism* untyped) {
  OrderedJson object{{"type", "object"}, {"properties", {{"type", {{"enum", names_of(list)}}}}}};
  if (untyped == nullptr) object["required"] = {"type"};
  for (const Mechanism* m : list) {
    OrderedJson named{{"properties", {{"type", {{"enum", names_of({m})}}}}}};
    if (m != untyped) named["required"] = {"type"};
    object["allOf"].push_back({{"if", std::move(named)}, {"then", reference(m->kind(), m)}});
  }
  OrderedJson choices = OrderedJson::array({{{"enum", names_of(list)}}, std::move(object)});
  return {{"anyOf", std::move(choices)}};
}

// What fits into a slot: the few that it names, or all of its kind.
OrderedJson one_in(const Slot& slot) {
  std::vector<const Mechanism*> list;
  if (!slot.only.empty()) list = {find_mechanism(slot.kind, slot.only)};
  for (const std::string_view id : slot.among) list.push_back(find_mechanism(slot.kind, id));
  const std::string_view fallback = slot.only.empty() ? slot.fallback : slot.only;
  const Mechanism* untyped = fallback.empty() ? nullptr : find_mechanism(slot.kind, fallback);
  if (list.empty() && untyped == nullptr) return reference(slot.kind);
  return choice_among(list.empty() ? of_kind(slot.kind) : list, untyped);
}

OrderedJson slot_schema(const Slot& slot, const Json& words) {
  OrderedJson one = one_in(slot);
  // Slots that have no meaning here; roles are bound at the top only.
  for (const std::string_view name : slot.without) one["properties"][std::string(name)] = false;
  if (slot.kind == Kind::structure || slot.kind == Kind::core) one["properties"]["inputs"] = false;
  OrderedJson forms = OrderedJson::array({std::move(one)});
  if (slot.list) forms.push_back({{"type", "array"}, {"items", forms.front()}});
  // Emptied on purpose; the reader refuses it where something must stand.
  forms.push_back({{"type", "null"}});
  return {{"title", words.at("slots").at(std::string(slot.name)).at("title")},
          {"anyOf", std::move(forms)}};
}

// What keeps a rule beside each number that a slider gives the other knob. A schema compares no two numbers, and so
// says nothing of others; the engine does.
OrderedJson rule_schema(const Mechanism& mechanism, const Knob& knob) {
  OrderedJson cases = OrderedJson::array();
  for (const Knob& other : mechanism.knobs) {
    if (other.name != knob.rule.of || other.type != Knob::Type::integer) continue;
    for (double of = other.minimum; of <= other.maximum; ++of) {
      OrderedJson kept;
      if (knob.rule.relation == KnobRule::Relation::divides) {
        for (double value = 1; value <= of; ++value)
          if (keeps(knob.rule, value, of)) kept["enum"].push_back(value);
      } else if (knob.rule.relation == KnobRule::Relation::multiple_of) {
        kept["multipleOf"] = of;
      } else {
        kept["maximum"] = of;
      }
      const std::string name(other.name), own(knob.name);
      OrderedJson given{{"properties", {{name, {{"const", of}}}}}, {"required", {name}}};
      cases.push_back({{"if", std::move(given)}, {"then", {{"properties", {{own, kept}}}}}});
    }
  }
  return cases;
}

OrderedJson mechanism_schema(const Mechanism& mechanism) {
  const Json& words = words_of(mechanism.id);
  OrderedJson schema{{"title", words.at("title")},
                     {"description", words.at("sentence")},
                     {"type", "object"},
                     {"additionalProperties", false},
                     {"properties", {{"type", {{"enum", names_of({&mechanism})}}}}}};
  OrderedJson& properties = schema["properties"];
  const auto* core = std::get_if<Core>(&mechanism.behaviour);
  if (mechanism.kind() == Kind::structure || core != nullptr)
    properties["inputs"] = {{"$ref", "#/$defs/roles"}};
  if (core != nullptr && (!core->never_causal.empty() || core->always_causal))
    properties["causal"] = {{"const", core->always_causal}};
  for (const Knob& knob : mechanism.knobs) {
    properties[std::string(knob.name)] = knob_schema(knob, words);
    if (!knob.rule) continue;
    properties[std::string(knob.name)]["description"] = "Must " + in_words(knob.rule) + ".";
    for (OrderedJson& one : rule_schema(mechanism, knob)) schema["allOf"].push_back(std::move(one));
  }
  for (const Slot& slot : mechanism.slots)
    properties[std::string(slot.name)] = slot_schema(slot, words);
  return schema;
}

}  // namespace

void add_mechanisms(OrderedJson& definitions) {
  definitions["energy"] = {{"type", {"number", "boolean", "null"}}};
  const OrderedJson energy{{"$ref", "#/$defs/energy"}};
  const OrderedJson row{{"type", "array"}, {"minItems", 1}, {"items", energy}};
  definitions["energies"] = {{"description", "Rows of numbers; null is minus infinity."},
                             {"type", "array"},
                             {"minItems", 1},
                             {"items", {{"anyOf", OrderedJson::array({energy, row})}}}};
  for (std::size_t k = 0; k < kind_count; ++k) {
    const auto kind = static_cast<Kind>(k);
    definitions[definition_of(kind)] = choice_among(of_kind(kind), nullptr);
    for (const Mechanism* m : of_kind(kind))
      definitions[definition_of(kind, m)] = mechanism_schema(*m);
  }
  std::vector<const Mechanism*> modules = of_kind(Kind::structure);
  for (const Mechanism* core : of_kind(Kind::core)) modules.push_back(core);  // the short form
  definitions["mechanism"] = choice_among(modules, &general_module());
}

}  // namespace attend
