// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "evaluation/measure.h"

namespace attend {

// The cheapest way from a reference to a text, one word at a time; each edit costs 1.
struct Edits {
  std::size_t substitutions = 0, deletions = 0, insertions = 0;
  std::vector<std::string> path;  // "match", "substitute", "delete", "insert", from the front
  [[nodiscard]] std::size_t count() const { return substitutions + deletions + insertions; }
};
Edits edits_between(const std::vector<std::string>& text,
                    const std::vector<std::string>& reference);

// What error rates by edits have in common: the unit is edits and the reference's length.
void examine_edits(const MeasureIn& in, Finding& found);
double edit_rate(const Settings& settings, Units units, Details* details);

}  // namespace attend
