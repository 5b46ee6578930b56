// SPDX-License-Identifier: Apache-2.0
// What is lost when every row looks everywhere alike:  metric(model) - metric(model with a = 1/n)
// Brauwers & Frasincar 2022, section 4.1 (in words), arXiv:2203.14263
#include "evaluation/scores.h"
#include "evaluation/subject.h"

namespace attend {
namespace {

void probe(const MeasureIn& in, Subject& subject, Finding& found) {
  const Tensor& usual = subject.usual().output;
  compare_scores(in, usual, subject.output_with(uniform_weights(subject.allowed())), found);
  if (!in.has("labels"))
    found.notes.emplace_back("no labels are given: what the model says itself counts as right");
}

}  // namespace

namespace measures {
extern const MeasureEntry uniform_ablation_entry;
const MeasureEntry uniform_ablation_entry{
    .words =
        {.title = "Uniform weights instead",
         .formula = R"(\text{metric}(a) - \text{metric}(a = \tfrac{1}{n}))",
         .sentence =
             "What is lost when every row gives all keys the same weight instead of the weights "
             "that it learned.",
         .tells =
             "Tells whether the weights matter to the answers of this very model; a model trained with even "
             "weights from the start might do as well.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "uniform-ablation",
               .inputs = {{"document", InputType::document, "The model."},
                          {"labels", InputType::labels, "The right class of every row of answers.",
                           false, InputRole::truth}},
               .knobs = score_knobs,
               .lowest = -1,
               .highest = 1,
               .probe = probe,
               .value = score_lost}};
}  // namespace measures
}  // namespace attend
