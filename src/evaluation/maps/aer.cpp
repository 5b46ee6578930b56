// SPDX-License-Identifier: Apache-2.0
// Alignment error rate:  1 - (|A n S| + |A n P|) / (|A| + |S|),  S the sure links, P the possible ones, S within P
// A is read off the weights: each row's largest, or all that reach a threshold.
// Och, Ney 2003, https://aclanthology.org/J03-1002
#include <algorithm>
#include <set>

#include "evaluation/measure.h"
#include "evaluation/rows.h"

namespace attend::aer_entry {
namespace {

using Pairs = std::set<Links::Pair>;

Pairs links_of(const MeasureIn& in) {
  const RowsOf rows(in.tensor("map"));
  Pairs links;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const std::size_t best = largest_of(rows[i]);
    if (in.settings.text("links") == "argmax") {
      if (rows[i][best] > 0) links.insert({i, best});
      continue;
    }
    for (std::size_t j = 0; j < rows.width(); ++j)
      if (rows[i][j] >= in.settings.number("threshold")) links.insert({i, j});
  }
  return links;
}

void check_inside(const MeasureIn& in, const Pairs& pairs, std::string_view name) {
  const Tensor& map = in.tensor("map");
  if (map.shape.size() != 2)
    in.refuse_input(
        "map", "links are between the rows and keys of one map; found shape " + to_text(map.shape));
  for (const Links::Pair& pair : pairs) {
    if (pair[0] < map.shape[0] && pair[1] < map.shape[1]) continue;
    in.refuse_input(name, "the link [" + std::to_string(pair[0]) + ", " + std::to_string(pair[1]) +
                              "] is outside the map of shape " + to_text(map.shape));
  }
}

void examine(const MeasureIn& in, Finding& found) {
  const Links& gold = in.links("gold");
  const Pairs sure(gold.sure.begin(), gold.sure.end());
  Pairs possible = sure;
  possible.insert(gold.possible.begin(), gold.possible.end());
  check_inside(in, possible, "gold");
  const Pairs links = links_of(in);
  const auto common = [&](const Pairs& with) {
    return static_cast<double>(
        std::ranges::count_if(links, [&](const Links::Pair& pair) { return with.contains(pair); }));
  };
  found.units.push_back({common(sure), common(possible), static_cast<double>(links.size()),
                         static_cast<double>(sure.size())});
  std::vector<double> pairs;
  for (const Links::Pair& pair : links)
    for (const std::size_t place : pair) pairs.push_back(static_cast<double>(place));
  const std::size_t count = pairs.size() / 2;
  found.details.push_back({"links", matrix_of(count, 2, std::move(pairs))});
}

double value(const Settings& /*settings*/, Units units, Details* details) {
  const Unit sum = sum_of(units);
  if (sum[2] + sum[3] == 0) return not_a_number;
  if (details != nullptr) {
    details->push_back({"precision", vector_of({sum[2] > 0 ? sum[1] / sum[2] : 0})});
    details->push_back({"recall", vector_of({sum[3] > 0 ? sum[0] / sum[3] : 0})});
  }
  return 1 - (sum[0] + sum[1]) / (sum[2] + sum[3]);
}

}  // namespace

extern const Measure aer_measure{.id = "aer",
                                 .inputs = {{"map", InputType::map, true, InputRole::weights},
                                            {"gold", InputType::links, true, InputRole::truth}},
                                 .knobs = {choice_knob("links", "argmax", {"argmax", "threshold"}),
                                           number_knob("threshold", .5, 0, 1)},
                                 .better = Better::lower,
                                 .lowest = 0,
                                 .highest = 1,
                                 .examine = examine,
                                 .value = value};
}  // namespace attend::aer_entry
