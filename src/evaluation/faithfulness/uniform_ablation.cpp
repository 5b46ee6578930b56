// SPDX-License-Identifier: Apache-2.0
// What is lost when every row looks everywhere alike:  metric(model) - metric(model with a = 1/n)
// Brauwers & Frasincar 2022, section 4.1 (in words), arXiv:2203.14263
#include "evaluation/scores.h"
#include "evaluation/subject.h"

namespace attend::uniform_ablation_entry {
namespace {

void probe(const MeasureIn& in, Subject& subject, Finding& found) {
  const Tensor& usual = subject.usual().output;
  compare_scores(in, usual, subject.output_with(uniform_weights(subject.allowed())), found);
  if (!in.has("labels"))
    found.notes.emplace_back("no labels are given: the model's own answers count as right");
}

}  // namespace

extern const Measure uniform_ablation_measure{
    .id = "uniform-ablation",
    .inputs = {{"document", InputType::document},
               {"labels", InputType::labels, false, InputRole::truth},
               {"vocabulary", InputType::tokens, false, InputRole::vocabulary}},
    .knobs = score_knobs,
    .lowest = -1,
    .highest = 1,
    .probe = probe,
    .value = score_lost};
}  // namespace attend::uniform_ablation_entry
