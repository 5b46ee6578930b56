// SPDX-License-Identifier: Apache-2.0
#include "evaluation/scores.h"

#include "evaluation/rows.h"
#include "evaluation/subject.h"
#include "ops/text.h"

namespace attend {

std::size_t class_of(const MeasureIn& in, const std::string& label, std::size_t classes) {
  const std::string at = "the label \"" + label + "\"";
  const bool named = in.has("vocabulary");
  if (named) {
    const auto& words = in.words("vocabulary");
    for (std::size_t k = 0; k < words.size() && k < classes; ++k)
      if (words[k] == label) return k;
  }
  const bool digits = !label.empty() && label.size() < 10 &&
                      label.find_first_not_of("0123456789") == std::string::npos;
  if (!digits)
    in.refuse_input("labels", at + (named ? " is not in the vocabulary"
                                          : " is a word: give the vocabulary that contains it"));
  const std::size_t place = whole_number(label);
  if (place >= classes)
    in.refuse_input("labels", at + " is beyond the " + std::to_string(classes) + " classes" +
                                  (named ? " and not in the vocabulary" : ""));
  return place;
}

std::vector<std::size_t> right_classes(const MeasureIn& in, const Tensor& output) {
  const RowsOf rows(output);
  std::vector<std::size_t> right;
  if (!in.has("labels")) {
    for (std::size_t i = 0; i < rows.count(); ++i) right.push_back(largest_of(rows[i]));
    return right;
  }
  const auto& labels = in.words("labels");
  if (labels.size() != rows.count())
    in.refuse_input("labels", "expected " + std::to_string(rows.count()) +
                                  " labels, one per row of answers; found " +
                                  std::to_string(labels.size()));
  for (const std::string& label : labels) right.push_back(class_of(in, label, rows.width()));
  return right;
}

double score_of(const Settings& settings, std::span<const double> row, std::size_t right) {
  if (settings.text("metric") == "probability") return row[right];
  return largest_of(row) == right ? 1 : 0;
}

void compare_scores(const MeasureIn& in, const Tensor& with, const Tensor& without,
                    Finding& found) {
  const std::vector<std::size_t> right = right_classes(in, with);
  const Subject& subject = *in.settings.subject;
  for (std::size_t e = 0; e < subject.examples(); ++e) {
    const RowRange rows = rows_of_example(with, subject, e);
    Unit unit(2);
    for (std::size_t i = rows.first; i < rows.last; ++i) {
      const auto share = static_cast<double>(rows.last - rows.first);
      unit[0] += score_of(in.settings, RowsOf(with)[i], right[i]) / share;
      unit[1] += score_of(in.settings, RowsOf(without)[i], right[i]) / share;
    }
    found.units.push_back(std::move(unit));
  }
}

double score_lost(const Settings& /*settings*/, Units units, Details* details) {
  const Unit sum = sum_of(units);
  const auto count = static_cast<double>(units.size());
  if (details != nullptr) {
    details->push_back({"with", vector_of({sum[0] / count})});
    details->push_back({"without", vector_of({sum[1] / count})});
  }
  return (sum[0] - sum[1]) / count;
}

}  // namespace attend
