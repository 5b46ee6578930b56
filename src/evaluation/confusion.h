// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluation/measure.h"

// What the measures of classification have in common: one unit a place, [right class, said class].
namespace attend {

inline const List<MeasureInput> class_inputs{
    {"predictions", InputType::labels, true, InputRole::answer},
    {"labels", InputType::labels, true, InputRole::truth}};

inline const List<Knob> average_knobs{choice_knob("average", "macro", {"macro", "micro"})};

void examine_classes(const MeasureIn& in, Finding& found);

// Counts of places by right class (row) and said class (column).
class Confusion {
 public:
  Confusion(const Settings& settings, Units units);
  [[nodiscard]] std::size_t classes() const { return size_; }
  [[nodiscard]] double at(std::size_t right, std::size_t said) const {
    return counts_[right * size_ + said];
  }
  [[nodiscard]] double hits() const;
  [[nodiscard]] double all() const;
  [[nodiscard]] double right(std::size_t c) const;  // how often the class is right
  [[nodiscard]] double said(std::size_t c) const;   // how often it is said
  // The counts with their classes, for whoever wants details.
  void describe(Details* details) const;

 private:
  const Settings& settings_;
  std::size_t size_;
  std::vector<double> counts_;
};

// Of one class: how many of how many.
struct Share {
  double hits, of;
};

// By the knob `average`: the mean over the classes that appear (macro), or that of all places
// together (micro). A class of which there is nothing to count has 0.
double averaged_share(const Settings& settings, const Confusion& confusion,
                      Share (*of)(const Confusion&, std::size_t), Details* details);

// The measure whose value is this share.
template <Share (*of)(const Confusion&, std::size_t)>
Measure measure_of_classes(std::string_view id) {
  return {.id = id,
          .inputs = class_inputs,
          .knobs = average_knobs,
          .better = Better::higher,
          .lowest = 0,
          .highest = 1,
          .examine = examine_classes,
          .value = [](const Settings& settings, Units units, Details* details) {
            return averaged_share(settings, Confusion(settings, units), of, details);
          }};
}

}  // namespace attend
