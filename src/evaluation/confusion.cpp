// SPDX-License-Identifier: Apache-2.0
#include "evaluation/confusion.h"

namespace attend {

void examine_classes(const MeasureIn& in, Finding& found) {
  const auto &said = in.words("predictions"), &right = in.words("labels");
  if (said.size() != right.size())
    in.refuse_input("labels", "expected " + std::to_string(said.size()) +
                                  " labels, one per prediction; found " +
                                  std::to_string(right.size()));
  for (std::size_t i = 0; i < said.size(); ++i) {
    const std::size_t a = in.class_of(right[i]), b = in.class_of(said[i]);
    found.units.push_back({static_cast<double>(a), static_cast<double>(b)});
  }
  if (in.settings.classes.size() > 1000)
    in.refuse_input("labels", "there are more than 1000 different classes");
}

Confusion::Confusion(const Settings& settings, Units units)
    : settings_(settings), size_(settings.classes.size()), counts_(size_ * size_) {
  for (const Unit* unit : units)
    counts_[static_cast<std::size_t>((*unit)[0]) * size_ + static_cast<std::size_t>((*unit)[1])] +=
        1;
}

double Confusion::hits() const {
  double sum = 0;
  for (std::size_t c = 0; c < size_; ++c) sum += at(c, c);
  return sum;
}

double Confusion::all() const {
  double sum = 0;
  for (const double count : counts_) sum += count;
  return sum;
}

double Confusion::right(std::size_t c) const {
  double sum = 0;
  for (std::size_t k = 0; k < size_; ++k) sum += at(c, k);
  return sum;
}

double Confusion::said(std::size_t c) const {
  double sum = 0;
  for (std::size_t k = 0; k < size_; ++k) sum += at(k, c);
  return sum;
}

void Confusion::describe(Details* details) const {
  if (details != nullptr)
    details->push_back({"confusion", matrix_of(size_, size_, counts_), settings_.classes});
}

double averaged_share(const Settings& settings, const Confusion& confusion,
                      Share (*of)(const Confusion&, std::size_t), Details* details) {
  double hits = 0, all = 0, sum = 0, appear = 0;
  std::vector<double> each;
  for (std::size_t c = 0; c < confusion.classes(); ++c) {
    const Share share = of(confusion, c);
    const double one = share.of > 0 ? share.hits / share.of : 0;
    each.push_back(one);
    hits += share.hits;
    all += share.of;
    if (confusion.right(c) + confusion.said(c) == 0) continue;  // not among the drawn units
    sum += one;
    ++appear;
  }
  confusion.describe(details);
  if (details != nullptr) details->push_back({"by class", vector_of(each), settings.classes});
  if (settings.text("average") == "micro") return all > 0 ? hits / all : not_a_number;
  return appear > 0 ? sum / appear : not_a_number;
}

}  // namespace attend
