// SPDX-License-Identifier: Apache-2.0
#include "experiment/describing/schema.h"

#include "experiment/files/word_vectors.h"
#include "experiment/reading/document.h"
#include "experiment/reading/members.h"
#include "experiment/reading/read_tensor.h"

namespace attend {
namespace {

OrderedJson reference(std::string_view form) { return {{"$ref", "#/$defs/" + std::string(form)}}; }

OrderedJson object_of(Members rows) {
  OrderedJson object{{"type", "object"}};
  for (const Member& row : rows) {
    if (row.required) object["required"].push_back(std::string(row.name));
  }
  object["additionalProperties"] = false;
  for (const Member& row : rows) {
    OrderedJson property = reference(row.form);
    if (!row.says.empty()) property["description"] = std::string(row.says);
    object["properties"][std::string(row.name)] = std::move(property);
  }
  return object;
}

OrderedJson array_of(std::string_view form, std::size_t least = 0) {
  OrderedJson list{{"type", "array"}};
  if (least > 0) list["minItems"] = least;
  list["items"] = reference(form);
  return list;
}

OrderedJson whole_number(double lowest, double highest) {
  return {{"type", "integer"},
          {"minimum", static_cast<std::int64_t>(lowest)},
          {"maximum", static_cast<std::int64_t>(highest)}};
}

OrderedJson any_of(std::initializer_list<OrderedJson> forms) {
  OrderedJson all = OrderedJson::array();
  for (const OrderedJson& form : forms) all.push_back(form);
  return {{"anyOf", std::move(all)}};
}

// An object whose names are the document's own.
OrderedJson named(std::string_view form) {
  return {{"type", "object"},
          {"propertyNames", reference("name")},
          {"additionalProperties", reference(form)}};
}

OrderedJson feature_forms() {
  OrderedJson forms = OrderedJson::array();
  for (const members::Features& features : members::features) {
    OrderedJson form = object_of(features.members);
    form["properties"]["type"] = {{"const", std::string(features.type)}};
    forms.push_back(std::move(form));
  }
  return {{"anyOf", std::move(forms)}};
}

void add_setting(OrderedJson& definitions) {
  definitions["setting"] =
      any_of({{{"type", {"string", "number", "boolean", "null"}}},
              {{"type", "object"}, {"additionalProperties", reference("setting")}},
              array_of("setting")});
  definitions["setting"]["description"] =
      "A knob, or a slot: an id, an object with its type, or for masks and positions a list of these.";
}

// Without the catalogue: ids, knobs and slots of any name.
void add_any_mechanism(OrderedJson& definitions) {
  definitions["mechanism"] =
      any_of({reference("text"),
              {{"type", "object"},
               {"properties", {{"type", reference("text")}, {"inputs", reference("roles")}}},
               {"additionalProperties", reference("setting")}}});
}

OrderedJson module_of_a_model() {
  return {{"type", "object"},
          {"required", {"name"}},
          {"properties",
           {{"name", {{"type", "string"}, {"pattern", "^[a-zA-Z0-9-]+$"}}},
            {"type", reference("text")},
            {"inputs", reference("roles")}}},
          {"additionalProperties", reference("setting")}};
}

// What the functions of read_tensor.cpp and read_inputs.cpp take.
OrderedJson definitions() {
  OrderedJson forms{{"version", {{"const", std::string(schema_version)}}},
                    {"name", {{"not", {{"enum", {"__proto__", "constructor", "prototype"}}}}}},
                    {"text", {{"type", "string"}}},
                    {"flag", {{"type", "boolean"}}},
                    {"number", {{"type", "number"}}},
                    {"seed", whole_number(0, largest_seed)},
                    {"whole", whole_number(0, largest_count)},
                    {"count", whole_number(1, largest_count)},
                    {"columns", whole_number(1, max_word_width)}};
  forms["texts"] = array_of("text");
  forms["tokens"] = array_of("text", 1);
  forms["shape"] = array_of("count");
  forms["numbers"] = array_of("number");
  forms["shaped"] = object_of(members::shaped);
  forms["nested"] = any_of({reference("number"), array_of("nested", 1)});
  forms["tensor"] = any_of({reference("nested"), reference("shaped")});
  forms["row"] = array_of("number", 1);
  forms["matrix"] = any_of({array_of("number", 1), array_of("row", 1), reference("shaped")});
  forms["matrix"]["description"] = "Rows of numbers; a flat list is one row.";
  forms["entry"] = any_of({reference("number"), reference("flag")});
  forms["entries"] = array_of("entry", 1);
  forms["table"] = any_of({array_of("entry", 1), array_of("entries", 1), reference("shaped")});
  forms["table"]["description"] = "Rows of numbers; true counts as 1, and a flat list is one row.";
  forms["table_or_number"] = any_of({reference("number"), reference("table")});
  forms["features"] = feature_forms();
  forms["source"] = any_of({object_of(members::token_source), object_of(members::matrix_source),
                            object_of(members::shaped_source)});
  forms["inputs"] = named("source");
  forms["examples"] = array_of("inputs", 1);
  forms["parameters"] = named("tensor");
  forms["parameters"]["properties"] = {
      {"from", any_of({reference("text"), array_of("text", 1)})},
      {"activations",
       {{"enum", {"int8"}},
        {"description",
         "Activations that are multiplied by large int8 weights are also rounded to int8."}}}};
  forms["gradient"] = object_of(members::gradient);
  forms["training"] = object_of(members::training);
  forms["places"] = any_of({reference("whole"), array_of("whole", 1)});
  forms["intervention-type"] = {{"enum", {"set", "scale", "patch"}}};
  forms["patch-source"] = any_of({{{"const", "clean"}}, object_of(members::patch_source)});
  forms["intervention"] = object_of(members::intervention);
  forms["interventions"] = array_of("intervention");
  forms["roles"] = named("text");
  forms["roles"]["description"] = "Which input a role reads, if not the input of the same name.";
  forms["tie"] = any_of({reference("text"), object_of(members::transposed)});
  forms["ties"] = named("tie");
  forms["module"] = module_of_a_model();
  forms["model"] = array_of("module", 1);
  add_setting(forms);
  return forms;
}

}  // namespace

std::string schema_text(SchemaPart part) {
  OrderedJson schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"$id", "https://attention-playground.example/schema/experiment.schema.json"},
      {"title", "Experiment document, " + std::string(schema_version)},
      {"description",
       "Describes one attention experiment completely. The engine checks what a schema cannot: shapes against each "
       "other, names against the mechanism, and choices against the choices beside them."}};
  schema.update(object_of(members::document));
  schema["oneOf"] = {{{"required", {"mechanism"}}}, {{"required", {"model"}}}};
  schema["$defs"] = definitions();
  if (part == SchemaPart::whole) {
    add_mechanisms(schema["$defs"]);
  } else {
    add_any_mechanism(schema["$defs"]);
  }
  return schema.dump(2);
}

}  // namespace attend
