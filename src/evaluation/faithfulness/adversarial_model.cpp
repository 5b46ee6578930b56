// SPDX-License-Identifier: Apache-2.0
// A model trained to answer as the model does and to look elsewhere: from other draws of all parameters, down
//   TVD(y_a, y_b) - lambda KL(a_a || a_b)   (a the adversary, b the model)
// Beside it: a copy trained with lambda 0, which shows how differently weights look by chance, and even weights.
// Wiegreffe, Pinter 2019, arXiv:1908.04626
#include <algorithm>
#include <cmath>

#include "evaluation/adam.h"
#include "evaluation/divergence.h"
#include "evaluation/measure.h"
#include "evaluation/rows.h"
#include "evaluation/subject.h"

namespace attend::adversarial_model_entry {
namespace {

// Keeps a logarithm finite where a weight is 0.
constexpr double least = 1e-12;

// Means over all rows of all examples.
double distance_of_answers(const Subject::Answer& a, const Subject::Answer& b) {
  return mean_total_variation(a.output, b.output, {0, RowsOf(b.output).count()});
}
double distance_of_weights(const Subject::Answer& a, const Subject::Answer& b) {
  return mean_jensen_shannon(a.weights, b.weights, {0, RowsOf(b.weights).count()});
}

struct Trained {
  Subject::Answer answer;
  std::vector<double> curve;  // answers' and weights' distance, by step
};

Trained train(const MeasureIn& in, Subject& subject, std::uint64_t seed, double lambda) {
  const Subject::Answer model = subject.usual();
  std::vector<double> parameters = subject.drawn(seed);
  Adam adam(parameters.size(), in.settings.number("rate"));
  Trained trained;
  const std::size_t steps = in.settings.integer("steps");
  for (std::size_t step = 0; step <= steps; ++step) {
    trained.answer = subject.answer(parameters);
    Subject::Answer by = trained.answer;
    const auto rows = static_cast<double>(RowsOf(by.output).count());
    for (std::size_t i = 0; i < by.output.data.size(); ++i) {
      const double gap = trained.answer.output.data[i] - model.output.data[i];
      by.output.data[i] = (gap > 0 ? .5 : gap < 0 ? -.5 : 0) / rows;
    }
    const auto maps = static_cast<double>(RowsOf(by.weights).count());
    for (std::size_t i = 0; i < by.weights.data.size(); ++i) {
      const double a = std::max(trained.answer.weights.data[i], least);
      const double b = std::max(model.weights.data[i], least);
      by.weights.data[i] = -lambda * (std::log(a / b) + 1) / maps;
    }
    if (step % std::max<std::size_t>(steps / 50, 1) == 0 || step == steps) {
      trained.curve.push_back(distance_of_answers(trained.answer, model));
      trained.curve.push_back(distance_of_weights(trained.answer, model));
    }
    if (step < steps)
      adam.step(parameters, subject.parameter_slopes(parameters, by.weights, by.output));
  }
  return trained;
}

void probe(const MeasureIn& in, Subject& subject, Finding& found) {
  if (subject.parameters().empty())
    in.refuse_input("document", "the model has no parameters: there is nothing to train");
  const Subject::Answer model = subject.usual();
  const std::uint64_t seed = in.settings.integer("seed");
  const Trained adversary = train(in, subject, seed, in.settings.number("lambda"));
  const Trained copy = train(in, subject, seed + 1, 0);
  const Tensor even = uniform_weights(subject.allowed());
  const Subject::Answer uniform{even, subject.output_with(even)};
  for (std::size_t e = 0; e < subject.examples(); ++e)
    found.units.push_back({mean_jensen_shannon(adversary.answer.weights, model.weights,
                                               rows_of_example(model.weights, subject, e))});
  const auto pair = [&](const char* name, const Subject::Answer& one) {
    found.details.push_back(
        {std::string(name) + ": answers and weights",
         vector_of({distance_of_answers(one, model), distance_of_weights(one, model)})});
  };
  pair("adversary", adversary.answer);
  pair("copy", copy.answer);
  pair("uniform", uniform);
  const std::size_t points = adversary.curve.size() / 2;
  found.details.push_back({"adversary by step", matrix_of(points, 2, adversary.curve)});
  found.details.push_back({"weights", adversary.answer.weights});
}

}  // namespace

extern const Measure adversarial_model_measure{
    .id = "adversarial-model",
    .inputs = {{"document", InputType::document}},
    .knobs = {number_knob("lambda", .001, 0, .1).at_least(0),
              integer_knob("steps", 300., 1, 1000).at_least(1).at_most(10'000),
              number_knob("rate", .01, .0001, .1).above(0),
              integer_knob("seed", 1., 0, 1000).at_least(0)},
    .lowest = 0,
    .highest = 0.6931471805599453,
    .probe = probe,
    .value = mean_value};
}  // namespace attend::adversarial_model_entry
