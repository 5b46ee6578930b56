// SPDX-License-Identifier: Apache-2.0
#include "catalogue/module_results.h"

namespace attend {

Var result_of(const Scope& in, std::string_view slot, const Tensors& results,
              std::string_view name) {
  if (const Var found = results.find(name)) return found;
  // A core replaces scores and weights together, so an attention module with one makes none.
  const Choice *whole = in.choice.in(slot), *core = whole->in("core");
  const Choice& module = core == nullptr ? *whole : *core;
  refuse(module.path, "\"" + std::string(module.mechanism->id) +
                          "\" does not fit here: it has no \"" + std::string(name) + "\", only " +
                          results.names());
}

Tensors with_map(const Scope& in, std::string_view slot, Tensors results) {
  for (const char* name : {"scores", "weights", "context"})
    (void)result_of(in, slot, results, name);
  return results;
}

}  // namespace attend
