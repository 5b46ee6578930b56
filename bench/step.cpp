// SPDX-License-Identifier: Apache-2.0
// attend_bench_step FILE ROUNDS MILLISECONDS
// Times what one step of training costs beside its forward pass alone: the same document, examples and weights. The
// forward pass feeds the examples and the weights, as a step does, and computes the loss, the logits and the maps; the
// step adds the gradients and the optimiser's update. Prints the multiply-adds of both (docs/cost.md, without the
// optimiser's), then the milliseconds of both in turn, best and middle of each round: those of the processor, of all
// threads, so that what else runs on the machine weighs little.
#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiment/learning/learner.h"
#include "experiment/text/json_parse.h"

namespace attend::bench {
namespace {

using Clock = std::chrono::steady_clock;

template <class Work>
double milliseconds(Work work) {
  const std::clock_t start = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
}

// The middle one; `times` is put into another order.
double middle(std::vector<double>& times) {
  const auto half = times.begin() + static_cast<long>(times.size() / 2);
  std::nth_element(times.begin(), half, times.end());
  return *half;
}

class Pair {
 public:
  explicit Pair(const Json& document)
      : learner_(document),
        data_(*lesson().settings.task, *lesson().source, lesson().seed, lesson().settings.batch),
        epoch_(data_.epoch(0)),
        forward_(lesson(), epoch_.examples.at(epoch_.batches.at(0).examples.at(0)),
                 lesson().settings.batch, LearnProgram::Purpose::measures) {
    for (const std::size_t place : epoch_.batches[0].examples)
      examples_.push_back(&epoch_.examples[place]);
    for (std::size_t k = 0; k < forward_.weights().size(); ++k)
      numbers_.push_back(forward_.first_numbers(k));
  }

  // Counted on the same program as the learner's.
  [[nodiscard]] std::array<std::uint64_t, 2> multiply_adds() const {
    const LearnProgram step(lesson(), *examples_.front(), examples_.size(),
                            LearnProgram::Purpose::learns);
    return {forward_.cost().multiply_adds, step.cost().multiply_adds};
  }

  double forward() {
    return milliseconds([&] {
      forward_.feed(lesson(), examples_, examples_);
      for (std::size_t k = 0; k < numbers_.size(); ++k) {
        const std::span<real> room = forward_.work().write(forward_.weights()[k].leaf);
        std::copy(numbers_[k].begin(), numbers_[k].end(), room.begin());
      }
      forward_.work().evaluate();
    });
  }
  double step() {
    return milliseconds([&] {
      const StepReport report = learner_.step_on(examples_);
      if (!report.failure.empty()) throw std::runtime_error(report.failure);
    });
  }

 private:
  [[nodiscard]] const Lesson& lesson() const { return learner_.lesson(); }
  Learner learner_;
  DataSet data_;
  Epoch epoch_;
  LearnProgram forward_;
  std::vector<const Example*> examples_;
  std::vector<std::vector<real>> numbers_;
};

int measure(const std::vector<std::string>& words) {
  if (words.size() != 3) throw std::runtime_error("three arguments, see bench/step.cpp");
  std::ifstream file(words[0]);
  std::ostringstream text;
  text << file.rdbuf();
  Pair pair(parse_json(text.str()));
  const auto [ahead, whole] = pair.multiply_adds();
  std::printf("%" PRIu64 " %" PRIu64 "\n", ahead, whole);
  for (int i = 0; i < 3; ++i) static_cast<void>(pair.forward() + pair.step());
  for (unsigned long round = 0; round < std::stoul(words[1]); ++round) {
    std::vector<double> forward, step;
    const auto until =
        Clock::now() + std::chrono::duration<double, std::milli>(std::stod(words[2]));
    do {
      forward.push_back(pair.forward());
      step.push_back(pair.step());
    } while (Clock::now() < until);
    std::printf("%.6f %.6f %.6f %.6f\n", *std::ranges::min_element(forward), middle(forward),
                *std::ranges::min_element(step), middle(step));
  }
  return 0;
}

}  // namespace
}  // namespace attend::bench

int main(int count, char** words) {
  try {
    return attend::bench::measure({words + 1, words + count});
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
