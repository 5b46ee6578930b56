// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/read_model.h"

#include <algorithm>
#include <set>

#include "experiment/reading/read_mechanism.h"
#include "experiment/reading/read_tensor.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

std::string text_at(const Json& json, const std::string& path) {
  if (!json.is_string()) refuse(path, "expected a string, found " + describe(json));
  return json.get<std::string>();
}

// The member `inputs` of a module: by port, what feeds it.
Builder::Wires read_wires(const Json& module, const std::string& path) {
  Builder::Wires wires;
  const Json* map = module.is_object() ? member(module, "inputs") : nullptr;
  if (map == nullptr) return wires;
  if (!map->is_object())
    refuse(path,
           "expected an object that gives an input name for each role, found " + describe(*map));
  for (const auto& [port, source] : map->items())
    wires[port] = text_at(source, path + "/" + as_pointer_part(port));
  return wires;
}

void check_name(const std::string& name, const std::string& path) {
  const bool word = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
  if (!word)
    refuse(path, "a module's name is one word of letters, digits and hyphens, found " +
                     describe(Json(name)));
  if (name == "inputs" || name == "outputs" || name == "parameters")
    refuse(path, "names of results begin with \"" + name + "\": give the module a different name");
}

// What a wire may name: an input, or a module before this one.
void check_sources(const Document& document, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < document.modules.size(); ++i) {
    const ModuleUse& module = document.modules[i];
    for (const auto& [port, source] : module.wires) {
      if (document.inputs.contains(source)) continue;
      const std::string path = module.wires_path + "/" + as_pointer_part(port);
      const auto place = std::find(names.begin(), names.end(), parts_of_source(source).module);
      const auto index = static_cast<std::size_t>(place - names.begin());
      if (module.name.empty() || place == names.end())
        refuse(path, "there is no input \"" + source + "\" in /inputs" +
                         (module.name.empty() ? "" : ", and no module of that name"));
      if (index >= i) {
        refuse(path, "\"" + source + "\" " +
                         (index == i ? "is the module itself" : "comes later in the model") +
                         "; a module reads inputs and the modules before it");
      }
    }
  }
}

// "a.weights" is what module "a" hands on, so that no input may be called so beside it.
void check_inputs_beside(const std::string& module, const Document& document) {
  for (const auto& [name, input] : document.inputs) {
    if (name.starts_with(module + "."))
      refuse("/inputs/" + as_pointer_part(name),
             "\"" + name + "\" would also be a result of the module \"" + module +
                 "\"; give the input a name that begins differently");
  }
}

void read_model(const Json& list, Document& document) {
  if (!list.is_array()) refuse("/model", "expected a list of modules, found " + describe(list));
  if (list.empty() || list.size() > max_modules) {
    refuse("/model", "a model has 1 to " + std::to_string(max_modules) + " modules, found " +
                         std::to_string(list.size()));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string path = "/model/" + std::to_string(i);
    const Json& json = list[i];
    if (!json.is_object())
      refuse(path, "expected a module, an object with a name and a type, found " + describe(json));
    const Json* name = member(json, "name");
    if (name == nullptr) refuse(path + "/name", "expected the module's name, found nothing");
    ModuleUse module{
        text_at(*name, path + "/name"), {}, read_wires(json, path + "/inputs"), path + "/inputs"};
    check_name(module.name, path + "/name");
    if (std::find(names.begin(), names.end(), module.name) != names.end() ||
        document.inputs.contains(module.name))
      refuse(path + "/name",
             "\"" + module.name + "\" is already the name of an input or of another module");
    check_inputs_beside(module.name, document);
    names.push_back(module.name);
    module.choice = read_module(json, path, module.name);
    document.modules.push_back(std::move(module));
  }
  check_sources(document, names);
}

// A parameter's name, or an object that says that its transposed matrix is meant.
Builder::Tie read_tie(const Json& json, const std::string& path) {
  if (json.is_string()) return {json.get<std::string>()};
  if (!json.is_object())
    refuse(path,
           "expected the name of a parameter, or {\"transpose\": name} for its transposed "
           "matrix, found " +
               describe(json));
  check_members(json, path, members::transposed);
  const Json* target = member(json, "transpose");
  if (target == nullptr)
    refuse(path + "/transpose", "expected the name of a parameter, found nothing");
  return {text_at(*target, path + "/transpose"), true};
}

void read_ties(const Json& json, Document& document) {
  const Json* ties = member(json, "tie");
  if (ties == nullptr) return;
  if (!ties->is_object())
    refuse("/tie",
           "expected an object that maps parameters to parameters, found " + describe(*ties));
  for (const auto& [name, target] : ties->items())
    document.ties[name] = read_tie(target, "/tie/" + as_pointer_part(name));
  for (const auto& [name, tie] : document.ties) {
    if (tie.target == name)
      refuse("/tie/" + as_pointer_part(name), "a parameter cannot be tied to itself");
    if (document.ties.contains(tie.target))
      refuse("/tie/" + as_pointer_part(name),
             "\"" + tie.target + "\" is itself tied to another parameter; name that parameter");
  }
}

}  // namespace

void read_modules(const Json& json, Document& document) {
  const Json* mechanism = member(json, "mechanism");
  const Json* model = member(json, "model");
  if (mechanism != nullptr && model != nullptr)
    refuse("/model", "a document has a mechanism or a model, found both");
  if (mechanism == nullptr && model == nullptr)
    refuse("/mechanism", "expected an object with a type, found nothing");
  if (model != nullptr) {
    read_model(*model, document);
  } else {
    document.modules.push_back({"", read_mechanism(*mechanism, "/mechanism"),
                                read_wires(*mechanism, "/mechanism/inputs"), "/mechanism/inputs"});
    check_sources(document, {});
  }
  read_ties(json, document);
}

}  // namespace attend
