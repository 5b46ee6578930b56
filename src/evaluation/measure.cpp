// SPDX-License-Identifier: Apache-2.0
#include "evaluation/measure.h"

#include <algorithm>
#include <cmath>

#include "ops/error.h"

namespace attend {
namespace {

struct TypeWords {
  std::string_view name, form;
};
// By the order of InputType.
constexpr std::array<TypeWords, 9> types{{
    {"map", "rows of weights, one row per query: [[0.7, 0.3], [0.1, 0.9]]"},
    {"tokens", R"(a list of words: ["the", "cat"])"},
    {"references", R"(a list of texts, each a list of words: [["the", "cat"], ["a", "cat"]])"},
    {"links",
     R"(pairs of row and key, {"sure": [[0, 0]], "possible": [[0, 1]]}, or a list of sure pairs)"},
    {"labels", R"(one class per position, as words or numbers: ["yes", "no"] or [1, 0])"},
    {"image", "numbers as [height width] or [height width channels]"},
    {"numbers", "a number, a list of them, or nested lists"},
    {"rows", "rows of numbers, one row per answer: [[0.7, 0.3]]"},
    {"document", "an experiment document"},
}};

}  // namespace

std::string_view type_name(InputType type) { return types.at(static_cast<std::size_t>(type)).name; }
std::string_view type_form(InputType type) { return types.at(static_cast<std::size_t>(type)).form; }

std::string_view better_name(Better better) {
  return better == Better::higher ? "higher" : better == Better::lower ? "lower" : "neither";
}

double Settings::number(std::string_view knob) const {
  return std::get<double>(knobs.find(knob)->second);
}
std::size_t Settings::integer(std::string_view knob) const {
  return static_cast<std::size_t>(number(knob));
}
bool Settings::flag(std::string_view knob) const {
  return std::get<bool>(knobs.find(knob)->second);
}
const std::string& Settings::text(std::string_view knob) const {
  return std::get<std::string>(knobs.find(knob)->second);
}

const Tensor& MeasureIn::tensor(std::string_view name) const {
  return std::get<Tensor>(given.find(name)->second);
}
const std::vector<std::string>& MeasureIn::words(std::string_view name) const {
  return std::get<std::vector<std::string>>(given.find(name)->second);
}
const std::vector<std::vector<std::string>>& MeasureIn::references(std::string_view name) const {
  return std::get<std::vector<std::vector<std::string>>>(given.find(name)->second);
}
const Links& MeasureIn::links(std::string_view name) const {
  return std::get<Links>(given.find(name)->second);
}

void MeasureIn::refuse_input(std::string_view name, const std::string& message) const {
  refuse(path + "/" + std::string(name), message);
}

void MeasureIn::need_alike(std::string_view first, std::string_view second) const {
  const Shape &a = tensor(first).shape, &b = tensor(second).shape;
  if (a == b) return;
  refuse_input(second, "expected shape " + to_text(a) + ", that of " + std::string(first) +
                           "; found " + to_text(b));
}

std::size_t MeasureIn::class_of(const std::string& name) const {
  auto& classes = settings.classes;
  const auto found = std::find(classes.begin(), classes.end(), name);
  if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
  classes.push_back(name);
  return classes.size() - 1;
}

const Measure* find_measure(std::string_view id) {
  for (const Measure* measure : all_measures()) {
    if (measure->id == id) return measure;
  }
  for (const Measure* measure : all_measures()) {
    if (std::find(measure->aliases.begin(), measure->aliases.end(), id) != measure->aliases.end())
      return measure;
  }
  return nullptr;
}

Unit sum_of(Units units) {
  Unit sum(units.empty() ? 0 : units.front()->size());
  for (const Unit* unit : units) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += (*unit)[k];
  }
  return sum;
}

double mean_of(Units units) {
  double sum = 0, count = 0;
  for (const Unit* unit : units) {
    if (std::isnan(unit->front())) continue;
    sum += unit->front();
    ++count;
  }
  return count > 0 ? sum / count : not_a_number;
}

double mean_value(const Settings& /*settings*/, Units units, Details* /*details*/) {
  return mean_of(units);
}

Tensor vector_of(std::vector<double> numbers) {
  const std::size_t size = numbers.size();
  return {{size}, std::move(numbers)};
}

Tensor matrix_of(std::size_t rows, std::size_t columns, std::vector<double> numbers) {
  return {{rows, columns}, std::move(numbers)};
}

}  // namespace attend
