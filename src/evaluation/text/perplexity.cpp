// SPDX-License-Identifier: Apache-2.0
// Perplexity:  exp( -(1/N) sum_t ln p_t ),  p_t the probability that the model gave to the right token.
#include <cmath>

#include "evaluation/measure.h"
#include "evaluation/rows.h"
#include "evaluation/scores.h"
#include "ops/text.h"

namespace attend::perplexity_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  const Tensor& p = in.tensor("probabilities");
  for (const double x : p.data) {
    if (x < 0 || x > 1 + 1e-6)
      in.refuse_input("probabilities", "expected numbers from 0 to 1, found " + number_exact(x));
  }
  double logs = 0;
  std::size_t count = p.data.size();
  if (in.has("labels")) {
    const RowsOf rows(p);
    const auto& labels = in.words("labels");
    count = rows.count();
    if (labels.size() != count)
      in.refuse_input("labels", "expected " + std::to_string(count) +
                                    " labels, one per row of probabilities; found " +
                                    std::to_string(labels.size()));
    for (std::size_t t = 0; t < count; ++t)
      logs += std::log(rows[t][class_of(in, labels[t], rows.width())]);
  } else {
    if (p.shape.size() > 1)
      in.refuse_input("probabilities", "found shape " + to_text(p.shape) +
                                           ": give labels, the right class of each row");
    for (const double x : p.data) logs += std::log(x);
  }
  if (std::isinf(logs)) found.notes.emplace_back("a correct token had the probability 0");
  found.units.push_back({logs, static_cast<double>(count)});
}

double value(const Settings& /*settings*/, Units units, Details* details) {
  const Unit sum = sum_of(units);
  if (details != nullptr) details->push_back({"tokens", vector_of({sum[1]})});
  return std::exp(-sum[0] / sum[1]);
}

}  // namespace

extern const Measure perplexity_measure{
    .id = "perplexity",
    .inputs = {{"probabilities", InputType::numbers, true, InputRole::answer},
               {"labels", InputType::labels, false, InputRole::truth},
               {"vocabulary", InputType::tokens, false, InputRole::vocabulary}},
    .better = Better::lower,
    .lowest = 1,
    .examine = examine,
    .value = value};
}  // namespace attend::perplexity_entry
