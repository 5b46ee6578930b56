// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "catalogue/mechanism.h"

namespace attend {

// A published system, told by the choices that make it. Slots left out are the general module's
// defaults; `with` lists mechanisms that must stand in a mask, position, output or penalty slot.
struct System {
  std::string_view name;
  std::string_view authors;
  int year;
  std::string_view link;
  std::string_view structure = "attention";
  std::string_view score = "scaled-dot";
  std::string_view alignment = "softmax";
  std::string_view query = "query-basic";
  std::string_view heads = "singular-query";
  std::string_view dimensionality = "single-dim";
  List<std::string_view> with = {};
};

std::span<const System> all_systems();

}  // namespace attend
