// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/document.h"

#include <algorithm>

#include "experiment/files/rounded_rows.h"
#include "experiment/files/tensor_file.h"
#include "experiment/reading/lesson.h"
#include "experiment/reading/read_examples.h"
#include "experiment/reading/read_inputs.h"
#include "experiment/reading/read_model.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/reading/training_settings.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

std::string read_text(const Json& json, const std::string& path) {
  if (!json.is_string()) refuse(path, "expected a string, found " + describe(json));
  return json.get<std::string>();
}

std::uint64_t read_seed(const Json& json) {
  const bool whole =
      json.is_number() && json.get<double>() >= 0 && json.get<double>() <= largest_seed &&
      json.get<double>() == static_cast<double>(static_cast<std::uint64_t>(json.get<double>()));
  if (!whole) refuse("/seed", "expected a whole number from 0 to 2^53, found " + describe(json));
  return static_cast<std::uint64_t>(json.get<double>());
}

void check_schema(const Json& json) {
  const Json* schema = member(json, "schema");
  if (schema == nullptr)
    refuse("/schema", "expected \"" + std::string(schema_version) + "\", found nothing" +
                          (member(json, "document") == nullptr
                               ? ""
                               : "; did you mean the object in \"document\"?"));
  if (*schema != schema_version) {
    refuse("/schema", "this version reads \"" + std::string(schema_version) + "\", found " +
                          describe(*schema));
  }
}

GradientRequest read_gradient(const Json& json) {
  check_members(json, "/gradient", members::gradient);
  GradientRequest request;
  if (const Json* outputs = member(json, "outputs")) {
    if (!outputs->is_boolean())
      refuse("/gradient/outputs", "expected true or false, found " + describe(*outputs));
    request.outputs = outputs->get<bool>();
  }
  if (const Json* of = member(json, "of")) request.of = read_text(*of, "/gradient/of");
  if (const Json* cotangent = member(json, "cotangent"))
    request.cotangent = read_tensor(*cotangent, "/gradient/cotangent");
  return request;
}

}  // namespace

namespace {
bool attends(const Choice& choice) {
  if (choice.in("score") != nullptr || choice.in("alignment") != nullptr) return true;
  for (const auto& [slot, inner] : choice.slots) {
    if (std::any_of(inner.begin(), inner.end(), attends)) return true;
  }
  return false;
}
void read_parameters(const Json& json, Document& document) {
  if (!json.is_object())
    refuse("/parameters", "expected an object that gives numbers by name, found " + describe(json));
  if (const Json* from = member(json, "from"))
    document.stored = from->is_array() ? named_parameters(read_texts(*from, "/parameters/from"))
                                       : named_parameters(read_text(*from, "/parameters/from"));
  if (const Json* rows = member(json, "activations")) {
    if (*rows != "int8")
      refuse("/parameters/activations", "expected \"int8\", found " + describe(*rows));
    if (document.stored == nullptr)
      refuse("/parameters/activations", "expected a file of weights in \"from\" as well");
    document.stored = with_rounded_rows(document.stored);
  }
  for (const auto& [name, value] : json.items()) {
    if (name == "from" || name == "activations") continue;
    document.parameters[name] = read_tensor(value, "/parameters/" + as_pointer_part(name));
  }
}

}  // namespace

const Choice& Document::mechanism() const {
  for (const ModuleUse& module : modules) {
    if (attends(module.choice)) return module.choice;
  }
  return modules.front().choice;
}

Document read_document(std::string_view text) { return read_document(with_task(parse_json(text))); }

Document read_document(Json json) {
  if (!json.is_object())
    refuse("expected an experiment document, an object, found " + describe(json));
  check_schema(json);
  check_members(json, "", members::document);
  Document document;
  if (const Json* title = member(json, "title")) read_text(*title, "/title");
  if (const Json* seed = member(json, "seed")) document.seed = read_seed(*seed);
  if (!json.contains("inputs")) json["inputs"] = Json::object();
  document.inputs = read_inputs(json["inputs"], document.seed, "/inputs", document.warnings);
  if (json.contains("examples")) read_examples(json["examples"], document);
  read_modules(json, document);
  if (const Json* parameters = member(json, "parameters")) read_parameters(*parameters, document);
  if (const Json* interventions = member(json, "interventions"))
    document.interventions = read_interventions(*interventions, document.examples.size());
  if (const Json* outputs = member(json, "outputs")) {
    if (!outputs->is_array())
      refuse("/outputs", "expected a list of output names, found " + describe(*outputs));
    document.outputs.emplace();
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      document.outputs->push_back(read_text((*outputs)[i], "/outputs/" + std::to_string(i)));
    }
  }
  if (const Json* gradient = member(json, "gradient")) document.gradient = read_gradient(*gradient);
  if (const Json* training = member(json, "training")) (void)read_training(*training);
  document.json = std::move(json);
  return document;
}

}  // namespace attend
