// SPDX-License-Identifier: Apache-2.0
// Rank correlation of two maps, cell by cell: Spearman's rho (ties share their mean rank) or Kendall's tau-b.
// Das, Agrawal, Zitnick, Parikh, Batra 2017, arXiv:1606.03556
#include <algorithm>
#include <cmath>

#include "evaluation/measure.h"
#include "evaluation/ranks.h"

namespace attend::rank_correlation_entry {
namespace {

// The map in size x size parts, each the mean of its cells. A cell belongs to the part where it begins.
std::vector<double> coarse(const MeasureIn& in, std::string_view name) {
  const Tensor& map = in.tensor(name);
  const std::size_t size = in.settings.integer("size");
  if (size == 0) return map.data;
  if (map.shape.size() != 2 || map.shape[0] < size || map.shape[1] < size)
    in.refuse_input(name, "a map of shape " + to_text(map.shape) + " cannot be resized to " +
                              std::to_string(size) + " x " + std::to_string(size));
  std::vector<double> sum(size * size), count(size * size);
  for (std::size_t i = 0; i < map.data.size(); ++i) {
    const std::size_t row = i / map.shape[1] * size / map.shape[0];
    const std::size_t at = row * size + i % map.shape[1] * size / map.shape[1];
    sum[at] += map.data[i];
    ++count[at];
  }
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] /= count[k];
  return sum;
}

void examine(const MeasureIn& in, Finding& found) {
  in.need_alike("map", "reference");
  const std::vector<double> x = coarse(in, "map"), y = coarse(in, "reference");
  if (x.size() > 20'000 && in.settings.text("kind") == "kendall")
    in.refuse_input(
        "map", "Kendall's tau compares every pair of cells, and the number of cells is " +
                   std::to_string(x.size()) + "; set size to a smaller number, or choose spearman");
  const double rho = in.settings.text("kind") == "kendall" ? kendall(x, y) : spearman(x, y);
  if (std::isnan(rho))
    found.notes.emplace_back("a map has the same value everywhere, so its cells cannot be ranked");
  found.units.push_back({rho});
}

}  // namespace

extern const Measure rank_correlation_measure{
    .id = "rank-correlation",
    .inputs = {{"map", InputType::map, true, InputRole::weights}, {"reference", InputType::map}},
    .knobs = {choice_knob("kind", "spearman", {"spearman", "kendall"}),
              integer_knob("size", 0., 0, 32).at_least(0)},
    .better = Better::higher,
    .lowest = -1,
    .highest = 1,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::rank_correlation_entry
