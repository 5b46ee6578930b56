// SPDX-License-Identifier: Apache-2.0
#include "catalogue/module_results.h"

namespace attend {

Var result_of(const Scope& in, std::string_view slot, const Results& results,
              std::string_view name) {
  const auto found = results.find(name);
  if (found != results.end()) return found->second;
  const Choice& module = *in.choice.in(slot);
  std::string have;
  for (const auto& [result, var] : results) have += (have.empty() ? "" : ", ") + result;
  refuse(module.path, "\"" + std::string(module.mechanism->id) +
                          "\" does not fit here: it gives no \"" + std::string(name) + "\", only " +
                          have);
}

}  // namespace attend
