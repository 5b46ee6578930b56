// SPDX-License-Identifier: Apache-2.0
#include "evaluation/gold.h"

#include <algorithm>
#include <cmath>

#include "evaluation/rows.h"

namespace attend {
namespace {

double row_loss(GoldForm form, std::span<const double> a, std::span<const double> gold) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (form == GoldForm::squares) sum += (gold[j] - a[j]) * (gold[j] - a[j]);
    if (form == GoldForm::cross_entropy && gold[j] > 0)
      sum -= gold[j] * std::log(std::max(a[j], smallest_weight));
    if (form == GoldForm::product) sum += gold[j] * a[j];
  }
  if (form != GoldForm::product) return sum;
  return sum_of(gold) > 0 ? -std::log(std::max(sum, smallest_weight)) : 0;
}

}  // namespace

double gold_loss(const MeasureIn& in, GoldForm form, std::string_view gold, Finding& found) {
  in.need_alike("map", gold);
  const RowsOf a(in.tensor("map")), right(in.tensor(gold));
  for (const double x : in.tensor(gold).data)
    if (x < 0) in.refuse_input(gold, "expected weights of at least 0");
  std::vector<double> by_row;
  for (std::size_t i = 0; i < a.count(); ++i) by_row.push_back(row_loss(form, a[i], right[i]));
  found.details.push_back({"by row", vector_of(by_row)});
  return sum_of(by_row);
}

}  // namespace attend
