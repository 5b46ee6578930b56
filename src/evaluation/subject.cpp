// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject.h"

#include "evaluation/divergence.h"
#include "evaluation/rows.h"

namespace attend {

RowRange rows_of_example(const Tensor& tensor, const Subject& subject, std::size_t example) {
  const std::size_t count = RowsOf(tensor).count() / subject.examples();
  return {example * count, (example + 1) * count};
}

double mean_total_variation(const Tensor& a, const Tensor& b, RowRange rows) {
  double sum = 0;
  for (std::size_t i = rows.first; i < rows.last; ++i)
    sum += total_variation(RowsOf(a)[i], RowsOf(b)[i]);
  return sum / static_cast<double>(rows.last - rows.first);
}

double mean_jensen_shannon(const Tensor& a, const Tensor& b, RowRange rows) {
  double sum = 0;
  for (std::size_t i = rows.first; i < rows.last; ++i)
    sum += jensen_shannon(RowsOf(a)[i], RowsOf(b)[i]);
  return sum / static_cast<double>(rows.last - rows.first);
}

Tensor uniform_weights(const Tensor& allowed) {
  Tensor weights = allowed;
  for (std::size_t i = 0; i < RowsOf(allowed).count(); ++i) {
    const double keys = sum_of(RowsOf(allowed)[i]);
    for (double& x : row_of(weights, i)) x = keys > 0 ? x / keys : 0;
  }
  return weights;
}

}  // namespace attend
