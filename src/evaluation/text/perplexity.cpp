// SPDX-License-Identifier: Apache-2.0
// Perplexity:  exp( -(1/N) sum_t ln p_t ),  p_t the probability that the model gave to the right token.
#include <cmath>

#include "evaluation/measure.h"
#include "evaluation/rows.h"
#include "ops/text.h"

namespace attend {
namespace {

// The place that a label names: a number, or a word of the vocabulary.
std::size_t place_of(const MeasureIn& in, const std::string& label, std::size_t width) {
  const std::string at = "the label \"" + label + "\"";
  if (in.has("vocabulary")) {
    const auto& words = in.words("vocabulary");
    for (std::size_t k = 0; k < words.size() && k < width; ++k)
      if (words[k] == label) return k;
    in.refuse_input("labels", at + " is no word of the vocabulary");
  }
  const bool digits = !label.empty() && label.size() < 10 &&
                      label.find_first_not_of("0123456789") == std::string::npos;
  if (!digits)
    in.refuse_input("labels", at + " is a word: give the vocabulary that says its place");
  const std::size_t place = whole_number(label);
  if (place >= width)
    in.refuse_input("labels", at + " is beyond the " + std::to_string(width) + " classes");
  return place;
}

void examine(const MeasureIn& in, Finding& found) {
  const Tensor& p = in.tensor("probabilities");
  for (const double x : p.data) {
    if (x < 0 || x > 1 + 1e-6)
      in.refuse_input("probabilities", "expected numbers from 0 to 1, found " + number_exact(x));
  }
  double logs = 0;
  std::size_t count = p.data.size();
  if (in.has("labels")) {
    const RowsOf rows(p);
    const auto& labels = in.words("labels");
    count = rows.count();
    if (labels.size() != count)
      in.refuse_input("labels", "expected " + std::to_string(count) +
                                    " labels, one a row of probabilities; found " +
                                    std::to_string(labels.size()));
    for (std::size_t t = 0; t < count; ++t)
      logs += std::log(rows[t][place_of(in, labels[t], rows.width())]);
  } else {
    if (p.shape.size() > 1)
      in.refuse_input("probabilities", "found shape " + to_text(p.shape) +
                                           ": give labels, which say what is right in each row");
    for (const double x : p.data) logs += std::log(x);
  }
  if (std::isinf(logs)) found.notes.emplace_back("a right token had the probability 0");
  found.units.push_back({logs, static_cast<double>(count)});
}

double value(const Settings& /*settings*/, Units units, Details* details) {
  const Unit sum = sum_of(units);
  if (details != nullptr) details->push_back({"tokens", vector_of({sum[1]})});
  return std::exp(-sum[0] / sum[1]);
}

}  // namespace

namespace measures {
extern const MeasureEntry perplexity_entry;
const MeasureEntry perplexity_entry{
    .words =
        {.title = "Perplexity",
         .formula = R"(\exp\Big(-\frac{1}{N} \sum_t \ln p_t\Big))",
         .sentence = "Among how many equally likely words the model seems to choose, on average.",
         .tells =
             "Tells how well the model foresees the right words, comparable only between models with one "
             "vocabulary; it does not say that what the model writes by itself is good.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "perplexity",
               .inputs = {{"probabilities", InputType::numbers,
                           "Of the right tokens, or rows over all classes with labels beside them.",
                           true, InputRole::answer},
                          {"labels", InputType::labels, "The right class of each row.", false,
                           InputRole::truth},
                          {"vocabulary", InputType::tokens, "The words that the classes stand for.",
                           false, InputRole::vocabulary}},
               .better = Better::lower,
               .lowest = 1,
               .examine = examine,
               .value = value}};
}  // namespace measures
}  // namespace attend
