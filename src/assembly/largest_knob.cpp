// SPDX-License-Identifier: Apache-2.0
#include "assembly/largest_knob.h"

#include "catalogue/mechanism.h"

namespace attend {

std::string KnobPlace::advice() const {
  return name + " is " + std::to_string(static_cast<std::size_t>(number)) + ": make it smaller";
}

std::optional<KnobPlace> largest_knob(const Choice& module, const Recording& recording, KnobUse use,
                                      double rows) {
  std::optional<KnobPlace> largest;
  const auto take = [&](std::optional<KnobPlace> one) {
    if (one && one->number > (largest ? largest->number : rows)) largest = std::move(one);
  };
  const auto resolved = recording.resolved.find(module.path);
  const KnobsByName& knobs = resolved == recording.resolved.end() ? module.knobs : resolved->second;
  for (const Knob& knob : module.mechanism->knobs) {
    const auto found = knobs.find(knob.name);
    const bool counts = knob.type == Knob::Type::integer &&
                        knob.symbol.empty() == (use == KnobUse::repeats) && found != knobs.end();
    const double* number = counts ? std::get_if<double>(&found->second) : nullptr;
    if (number != nullptr)
      take(KnobPlace{module.path + "/" + std::string(knob.name), std::string(knob.name), *number});
  }
  for (const auto& [slot, choices] : module.slots) {
    for (const Choice& choice : choices) take(largest_knob(choice, recording, use, rows));
  }
  return largest;
}

}  // namespace attend
