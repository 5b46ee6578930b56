// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "catalogue/mechanism.h"

namespace attend {

// The knob by which a document gives a module the words that it counts, by its type; null of a mechanism that counts
// none.
inline const Knob* words_knob_of(const Mechanism& mechanism) {
  const auto found = std::find_if(mechanism.knobs.begin(), mechanism.knobs.end(),
                                  [](const Knob& knob) { return knob.type == Knob::Type::words; });
  return found == mechanism.knobs.end() ? nullptr : found;
}

}  // namespace attend
