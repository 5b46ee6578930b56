// SPDX-License-Identifier: Apache-2.0
// Other weights with the same answer: those a' = softmax(z) that differ most from a (Jensen-Shannon divergence) while
// no answer moves by more than epsilon (total variation). z is found by gradient, from several starts.
// Jain, Wallace 2019, arXiv:1902.10186
#include <algorithm>
#include <cmath>

#include "evaluation/adam.h"
#include "evaluation/divergence.h"
#include "evaluation/measure.h"
#include "evaluation/rows.h"
#include "evaluation/subject.h"
#include "ops/random.h"

namespace attend::adversarial_attention_entry {
namespace {

// Beyond epsilon a move of the answer costs more than any divergence brings.
constexpr double price = 100;
constexpr int halvings = 20;

class Search {
 public:
  Search(const MeasureIn& in, Subject& subject)
      : settings_(in.settings),
        subject_(subject),
        usual_(subject.usual()),
        allowed_(subject.allowed()),
        sums_(RowsOf(usual_.weights).count()),
        best_(usual_.weights),
        far_(subject.examples()) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] = sum_of(RowsOf(usual_.weights)[i]);
  }

  void run(std::size_t start) {
    const RandomStream stream(settings_.integer("seed"), "adversarial-attention");
    std::vector<double> z(usual_.weights.data.size());
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = 2 * stream.normal(start * z.size() + i);
    Adam adam(z.size(), settings_.number("rate"));
    const std::size_t steps = settings_.integer("steps");
    for (std::size_t step = 0; step < steps; ++step) {
      const Tensor a = weights_of(z), y = subject_.output_with(a);
      keep(a, y);
      adam.step(z, slope(z, a, y));
    }
    const Tensor last = weights_of(z);
    keep(last, subject_.output_with(last));
    pull_in(last);
  }

  void report(Finding& found) const {
    const Tensor y = subject_.output_with(best_);
    double moved = 0;
    for (std::size_t e = 0; e < far_.size(); ++e) {
      found.units.push_back({far_[e]});
      moved = std::max(moved, largest_move(y, e));
    }
    found.details.push_back({"weights", best_});
    found.details.push_back({"largest change of an answer", vector_of({moved})});
  }

 private:
  [[nodiscard]] double epsilon() const { return settings_.number("epsilon"); }

  // softmax over the keys that a row may look at; the row keeps the sum that it had.
  [[nodiscard]] Tensor weights_of(const std::vector<double>& z) const {
    Tensor a = usual_.weights;
    const std::size_t n = RowsOf(a).width();
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const std::span<double> row = row_of(a, i);
      const std::span<const double> may = RowsOf(allowed_)[i];
      double peak = -1e300, sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        if (may[j] != 0) peak = std::max(peak, z[i * n + j]);
      for (std::size_t j = 0; j < n; ++j)
        sum += row[j] = may[j] != 0 ? std::exp(z[i * n + j] - peak) : 0;
      for (double& x : row) x = sum > 0 ? x / sum * sums_[i] : 0;
    }
    return a;
  }

  [[nodiscard]] double largest_move(const Tensor& y, std::size_t e) const {
    double most = 0;
    const RowRange rows = rows_of_example(y, subject_, e);
    for (std::size_t i = rows.first; i < rows.last; ++i)
      most = std::max(most, total_variation(RowsOf(usual_.output)[i], RowsOf(y)[i]));
    return most;
  }

  // Keeps of each example the farthest weights whose answers stay.
  void keep(const Tensor& a, const Tensor& y) {
    for (std::size_t e = 0; e < far_.size(); ++e) {
      const RowRange rows = rows_of_example(a, subject_, e);
      const double far = mean_jensen_shannon(usual_.weights, a, rows);
      if (far <= far_[e] || largest_move(y, e) > epsilon()) continue;
      far_[e] = far;
      const auto n = static_cast<long>(RowsOf(a).width());
      std::copy(a.data.begin() + static_cast<long>(rows.first) * n,
                a.data.begin() + static_cast<long>(rows.last) * n,
                best_.data.begin() + static_cast<long>(rows.first) * n);
    }
  }

  // From weights that move the answers too far, the way back to those that the model has.
  void pull_in(const Tensor& a) {
    for (int k = 1; k <= halvings; ++k) {
      const double t = 1 - static_cast<double>(k) / halvings;
      Tensor mixed = a;
      for (std::size_t i = 0; i < mixed.data.size(); ++i)
        mixed.data[i] = t * a.data[i] + (1 - t) * usual_.weights.data[i];
      keep(mixed, subject_.output_with(mixed));
    }
  }

  // Of price * (moves beyond epsilon) - divergence, by z.
  [[nodiscard]] std::vector<double> slope(const std::vector<double>& z, const Tensor& a,
                                          const Tensor& y) const {
    Tensor cotangent = y;
    for (std::size_t i = 0; i < RowsOf(y).count(); ++i) {
      const std::span<double> row = row_of(cotangent, i);
      const std::span<const double> before = RowsOf(usual_.output)[i];
      const bool beyond = total_variation(before, RowsOf(y)[i]) > epsilon();
      for (std::size_t c = 0; c < row.size(); ++c) {
        const double gap = row[c] - before[c];
        row[c] = beyond ? price / 2 * (gap > 0 ? 1 : gap < 0 ? -1 : 0) : 0;
      }
    }
    const Tensor by_a = subject_.slopes(a, cotangent);
    std::vector<double> by_z(z.size());
    const std::size_t n = RowsOf(a).width();
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const std::span<const double> row = RowsOf(a)[i], old = RowsOf(usual_.weights)[i];
      std::vector<double> g(n);
      double mean = 0;
      for (std::size_t j = 0; j < n; ++j) {
        // d JSD / d a_j = ln(a_j / m_j) / 2
        const double away = row[j] > 0 ? std::log(2 * row[j] / (row[j] + old[j])) / 2 : 0;
        g[j] = by_a.data[i * n + j] - away;
        mean += sums_[i] > 0 ? row[j] / sums_[i] * g[j] : 0;
      }
      for (std::size_t j = 0; j < n; ++j) by_z[i * n + j] = row[j] * (g[j] - mean);
    }
    return by_z;
  }

  const Settings& settings_;
  Subject& subject_;
  Subject::Answer usual_;
  Tensor allowed_;
  std::vector<double> sums_;
  Tensor best_;
  std::vector<double> far_;  // by example
};

void probe(const MeasureIn& in, Subject& subject, Finding& found) {
  Search search(in, subject);
  for (std::size_t start = 0; start < in.settings.integer("starts"); ++start) search.run(start);
  search.report(found);
}

}  // namespace

extern const Measure adversarial_attention_measure{
    .id = "adversarial-attention",
    .inputs = {{"document", InputType::document}},
    .knobs = {number_knob("epsilon", .01, .001, .1).at_least(0),
              integer_knob("steps", 200., 1, 1000).at_least(1).at_most(10'000),
              integer_knob("starts", 3., 1, 10).at_least(1).at_most(100),
              number_knob("rate", .1, .001, 1).above(0),
              integer_knob("seed", 0., 0, 1000).at_least(0)},
    .lowest = 0,
    .highest = 0.6931471805599453,
    .probe = probe,
    .value = mean_value};
}  // namespace attend::adversarial_attention_entry
