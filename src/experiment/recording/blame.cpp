// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/blame.h"

namespace attend {

std::vector<ModulePlace> module_places(const Compiled& compiled) {
  const Builder& builder = compiled.builder();
  std::vector<ModulePlace> places;
  for (std::size_t i = 0; i < builder.modules.size(); ++i)
    places.push_back({builder.module_paths[i], builder.modules[i].type});
  return places;
}

std::string module_path(const Compiled& compiled, std::optional<std::size_t> module) {
  const std::vector<std::string>& paths = compiled.builder().module_paths;
  if (module && *module < paths.size()) return paths[*module];
  return compiled.document().modules.front().name.empty() ? "/mechanism" : "/model";
}

}  // namespace attend
