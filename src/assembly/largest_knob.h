// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "assembly/recording.h"

namespace attend {

// What a knob's number makes more of: the numbers of a tensor, or the operations of a build.
enum class KnobUse { sizes, repeats };

struct KnobPlace {
  std::string path, name;
  double number;

  // "hidden is 8000000: make it smaller"
  [[nodiscard]] std::string advice() const;
};

// Of the knobs of a module and of its slots, the one with the largest number. None if no number exceeds `rows`, the
// longest axis of the inputs: then the inputs are the cause.
std::optional<KnobPlace> largest_knob(const Choice& module, const Recording& recording, KnobUse use,
                                      double rows);

}  // namespace attend
