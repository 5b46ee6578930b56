// SPDX-License-Identifier: Apache-2.0
// Apart from each.cpp, so that the cases below the catalogue link without it.
#include "tests/each.h"

namespace attend::testing {

Mechanisms every_mechanism() { return {all_mechanisms().begin(), all_mechanisms().end()}; }

Mechanisms of_kind(Kind kind) {
  Mechanisms list;
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (mechanism->kind() == kind) list.push_back(mechanism);
  }
  return list;
}

std::string case_name(const Mechanism& mechanism) {
  return std::string(slot_name(mechanism.kind())) + "/" + std::string(mechanism.id);
}

}  // namespace attend::testing
