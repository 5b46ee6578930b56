// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "catalogue/knob.h"

namespace attend {

// A model as the measures of faithfulness use it: its answers, and its answers with different weights, tokens or
// parameters. Weights are [.. n] and answers [.. c], with the rows of one example after another; all examples have
// equally many rows.
class Subject {
 public:
  struct Answer {
    Tensor weights, output;
  };

  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] virtual std::size_t examples() const = 0;
  // As it is.
  [[nodiscard]] virtual const Answer& usual() = 0;
  // 1 where a row may put weight, else 0; in the shape of the weights.
  [[nodiscard]] virtual const Tensor& allowed() = 0;

  // The answers if these were the weights, and the gradient of sum(cotangent * answers) by them.
  [[nodiscard]] virtual Tensor output_with(const Tensor& weights) = 0;
  [[nodiscard]] virtual Tensor slopes(const Tensor& weights, const Tensor& cotangent) = 0;

  // The vectors of the tokens that stand along the keys [examples n d], and the gradient of
  // sum(cotangent * answers) by them.
  struct TokenSlopes {
    Tensor vectors, slopes;
  };
  [[nodiscard]] virtual TokenSlopes token_slopes(const Tensor& cotangent) = 0;
  // The answers of one example without one of its tokens.
  [[nodiscard]] virtual Tensor output_without(std::size_t example, std::size_t token) = 0;

  // All that is learned, in one row: as it is, and as another seed would draw it.
  [[nodiscard]] virtual std::vector<double> parameters() = 0;
  [[nodiscard]] virtual std::vector<double> drawn(std::uint64_t seed) = 0;
  // What it does with other parameters, and the gradient of sum(by_weights * weights) +
  // sum(by_output * answers) by them.
  [[nodiscard]] virtual Answer answer(std::span<const double> parameters) = 0;
  [[nodiscard]] virtual std::vector<double> parameter_slopes(std::span<const double> parameters,
                                                             const Tensor& by_weights,
                                                             const Tensor& by_output) = 0;
};

// The rows of one example among those of all.
struct RowRange {
  std::size_t first, last;
};
RowRange rows_of_example(const Tensor& tensor, const Subject& subject, std::size_t example);

// The mean of total variation over the rows of one example.
double mean_total_variation(const Tensor& a, const Tensor& b, RowRange rows);
// The mean of the Jensen-Shannon divergence over the rows of one example.
double mean_jensen_shannon(const Tensor& a, const Tensor& b, RowRange rows);

// Equal weights wherever a row may look.
Tensor uniform_weights(const Tensor& allowed);

}  // namespace attend
