// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/blame.h"

namespace attend {

std::vector<ModulePlace> module_places(const Compiled& compiled) {
  std::vector<ModulePlace> places;
  for (const ModuleNode& module : compiled.directory().modules())
    places.push_back({module.path, module.type});
  return places;
}

std::string document_module_path(const Compiled& compiled, std::size_t module) {
  const std::string& name = compiled.directory().document_module(module);
  for (const ModuleUse& use : compiled.document().modules)
    if (use.name == name) return use.choice.path;
  return {};
}

std::string module_path(const Compiled& compiled, std::optional<std::size_t> module) {
  const Modules& modules = compiled.directory().modules();
  if (module && *module < modules.size()) return modules[*module].path;
  return compiled.document().modules.front().name.empty() ? "/mechanism" : "/model";
}

}  // namespace attend
