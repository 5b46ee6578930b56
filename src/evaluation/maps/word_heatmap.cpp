// SPDX-License-Identifier: Apache-2.0
// A heat map of words: each word painted as strongly as its weight, by the largest of its row. For the eye; it has no
// number of its own.
// Galassi, Lippi, Torroni 2021, figure 1, arXiv:1902.02181
#include <algorithm>

#include "evaluation/measure.h"
#include "evaluation/rows.h"

namespace attend::word_heatmap_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  const Tensor& map = in.tensor("map");
  const RowsOf rows(map);
  std::vector<std::string> words;
  if (in.has("tokens")) {
    words = in.words("tokens");
    if (words.size() != rows.width())
      in.refuse_input("tokens", "expected " + std::to_string(rows.width()) +
                                    " words, one per key; found " + std::to_string(words.size()));
  }
  Tensor opacity = map;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const double peak = *std::ranges::max_element(rows[i]);
    for (double& x : row_of(opacity, i)) x = peak > 0 ? std::max(0., x / peak) : 0;
  }
  found.units.push_back({not_a_number});
  found.details.push_back({"opacity", std::move(opacity), std::move(words)});
  found.notes.emplace_back("this measure is a picture, so it has no number");
}

}  // namespace

extern const Measure word_heatmap_measure{
    .id = "word-heatmap",
    .inputs = {{"map", InputType::map, true, InputRole::weights},
               {"tokens", InputType::tokens, false}},
    .examine = examine,
    .value = mean_value};
}  // namespace attend::word_heatmap_entry
