// SPDX-License-Identifier: Apache-2.0
// Whether weights rank tokens as other signs of importance do: Kendall's tau of the weights with |dy / dx_j|, y what
// the model decides, and with how far the answer moves (total variation) when token j is left out.
// Jain, Wallace 2019, arXiv:1902.10186
#include <algorithm>
#include <cmath>

#include "evaluation/divergence.h"
#include "evaluation/measure.h"
#include "evaluation/ranks.h"
#include "evaluation/rows.h"
#include "evaluation/subject.h"

namespace attend::feature_importance_corr_entry {
namespace {

// The numbers along one row of answers of one example.
struct Look {
  std::size_t example, row;
  std::vector<double> weights;  // the sum over heads
};

std::vector<Look> looks_of(const MeasureIn& in, const Subject::Answer& usual,
                           const Subject& subject) {
  const RowsOf weights(usual.weights);
  const std::size_t maps = weights.count() / subject.examples();
  const std::size_t rows = RowsOf(usual.output).count() / subject.examples();
  if (rows != 1 && maps % rows != 0)
    in.refuse_input("document",
                    "there are " + std::to_string(maps) + " rows of weights and " +
                        std::to_string(rows) +
                        " answers: it is not clear which weights belong to which answer");
  std::vector<Look> looks;
  for (std::size_t e = 0; e < subject.examples(); ++e) {
    for (std::size_t i = 0; i < rows; ++i) {
      Look look{e, e * rows + i, std::vector<double>(weights.width())};
      // Rows are [heads, answers]: those of one answer lie `rows` apart.
      for (std::size_t k = i; k < maps; k += rows) {
        for (std::size_t j = 0; j < look.weights.size(); ++j)
          look.weights[j] += weights[e * maps + k][j];
      }
      looks.push_back(std::move(look));
    }
  }
  return looks;
}

std::vector<double> gradients_of(const MeasureIn& in, Subject& subject, const Tensor& output,
                                 const Look& look) {
  Tensor cotangent = output;
  std::fill(cotangent.data.begin(), cotangent.data.end(), 0);
  row_of(cotangent, look.row)[largest_of(RowsOf(output)[look.row])] = 1;
  const Subject::TokenSlopes found = subject.token_slopes(cotangent);
  const RowsOf slopes(found.slopes), vectors(found.vectors);
  const std::size_t tokens = slopes.count() / subject.examples();
  const bool times_input = in.settings.text("gradient") == "times-input";
  std::vector<double> sizes;
  for (std::size_t j = look.example * tokens; j < (look.example + 1) * tokens; ++j) {
    double sum = 0;
    for (std::size_t c = 0; c < slopes.width(); ++c)
      sum += slopes[j][c] * (times_input ? vectors[j][c] : slopes[j][c]);
    sizes.push_back(times_input ? std::abs(sum) : std::sqrt(sum));
  }
  return sizes;
}

// How far the answer moves without each token; NaN where the answer itself goes with the token.
std::vector<double> moves_of(Subject& subject, const Tensor& output, const Look& look,
                             const std::vector<Tensor>& without) {
  const std::size_t rows = RowsOf(output).count() / subject.examples();
  const std::size_t row = look.row - look.example * rows;
  std::vector<double> moves;
  for (std::size_t j = 0; j < without.size(); ++j) {
    const bool fewer = RowsOf(without[j]).count() < rows;
    const std::size_t at = fewer && row > j ? row - 1 : row;
    moves.push_back(fewer && row == j
                        ? not_a_number
                        : total_variation(RowsOf(output)[look.row], RowsOf(without[j])[at]));
  }
  return moves;
}

double tau(const std::vector<double>& weights, const std::vector<double>& other) {
  std::vector<double> x, y;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (std::isnan(other[j])) continue;
    x.push_back(weights[j]);
    y.push_back(other[j]);
  }
  return kendall(x, y);
}

void probe(const MeasureIn& in, Subject& subject, Finding& found) {
  const Subject::Answer usual = subject.usual();
  const bool leaves_out = in.settings.flag("leave-one-out");
  std::vector<Tensor> without;
  std::size_t example = subject.examples();  // whose answers without a token these are
  for (const Look& look : looks_of(in, usual, subject)) {
    const std::vector<double> gradients = gradients_of(in, subject, usual.output, look);
    if (gradients.size() != look.weights.size())
      in.refuse_input("document", "there are " + std::to_string(gradients.size()) +
                                      " tokens, but " + std::to_string(look.weights.size()) +
                                      " keys");
    std::vector<double> moves(gradients.size(), not_a_number);
    if (leaves_out && example != look.example) {
      example = look.example;
      without.clear();
      for (std::size_t j = 0; j < gradients.size(); ++j)
        without.push_back(subject.output_without(example, j));
    }
    if (leaves_out) moves = moves_of(subject, usual.output, look, without);
    found.units.push_back({tau(look.weights, gradients), tau(look.weights, moves)});
    if (look.row != 0) continue;
    found.details.push_back({"weights of the first answer", vector_of(look.weights)});
    found.details.push_back({"gradients of the first answer", vector_of(gradients)});
    if (leaves_out) found.details.push_back({"changes of the first answer", vector_of(moves)});
  }
}

double value(const Settings& settings, Units units, Details* details) {
  if (details != nullptr && settings.flag("leave-one-out")) {
    std::vector<Unit> second;
    for (const Unit* unit : units) second.push_back({(*unit)[1]});
    std::vector<const Unit*> list;
    for (const Unit& unit : second) list.push_back(&unit);
    details->push_back({"with leave-one-out", vector_of({mean_of(list)})});
  }
  return mean_of(units);
}

}  // namespace

extern const Measure feature_importance_corr_measure{
    .id = "feature-importance-corr",
    .inputs = {{"document", InputType::document}},
    .knobs = {choice_knob("gradient", "norm", {"norm", "times-input"}),
              flag_knob("leave-one-out", true)},
    .better = Better::neither,
    .lowest = -1,
    .highest = 1,
    .probe = probe,
    .value = value};
}  // namespace attend::feature_importance_corr_entry
