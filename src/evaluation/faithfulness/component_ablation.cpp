// SPDX-License-Identifier: Apache-2.0
// What is lost when one mechanism replaces another:  metric(model) - metric(other)
// Brauwers & Frasincar 2022, section 4.1 (in words), arXiv:2203.14263
#include "evaluation/scores.h"
#include "evaluation/subject.h"

namespace attend::component_ablation_entry {
namespace {

void probe(const MeasureIn& in, Subject& subject, Finding& found) {
  const Tensor &with = subject.usual().output, &without = in.settings.other->usual().output;
  if (with.shape != without.shape)
    in.refuse_input("other", "the other model's answers have shape " + to_text(without.shape) +
                                 ", but this model's have " + to_text(with.shape) +
                                 "; change a part that does not affect the shape");
  compare_scores(in, with, without, found);
  if (!in.has("labels"))
    found.notes.emplace_back("no labels are given: the model's own answers count as right");
}

}  // namespace

extern const Measure component_ablation_measure{
    .id = "component-ablation",
    .inputs = {{"document", InputType::document},
               {"other", InputType::document, true, InputRole::change},
               {"labels", InputType::labels, false, InputRole::truth},
               {"vocabulary", InputType::tokens, false, InputRole::vocabulary}},
    .knobs = score_knobs,
    .lowest = -1,
    .highest = 1,
    .probe = probe,
    .value = score_lost};
}  // namespace attend::component_ablation_entry
