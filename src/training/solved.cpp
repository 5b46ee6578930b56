// SPDX-License-Identifier: Apache-2.0
#include "training/solved.h"

#include <algorithm>
#include <cmath>

#include "ops/error.h"

namespace attend {

void SolvedSource::Solution::add(std::uint16_t word, const std::vector<std::size_t>& means) {
  for (const std::size_t column : means) links.push_back({target.size(), column, LinkKind::means});
  target.push_back(word);
}

Example SolvedSource::made(Words source, Solution solution) const {
  if (end_) solution.target.push_back(end_word);
  Example example;
  example.fields.resize(2);
  example.fields[0].words = std::move(source);
  example.fields[1].words = std::move(solution.target);
  example.links = std::move(solution.links);
  return example;
}

Example SolvedSource::draw(Draws& draws) const {
  for (;;) {
    Words source = draw_source(draws);
    if (auto solution = solve(source)) return made(std::move(source), std::move(*solution));
  }
}

std::optional<Example> SolvedSource::answer(const std::vector<std::string>& source) const {
  Words places;
  for (const std::string& token : source) {
    const auto found = std::find(words_[0].begin() + 3, words_[0].end(), token);
    if (found == words_[0].end()) return std::nullopt;
    places.push_back(static_cast<std::uint16_t>(found - words_[0].begin()));
  }
  auto solution = solve(places);
  if (!solution) return std::nullopt;
  return made(std::move(places), std::move(*solution));
}

std::vector<std::string> symbols(std::size_t count) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i)
    list.emplace_back(1, static_cast<char>(i < 10 ? '0' + i : 'a' + (i - 10)));
  return list;
}

Lengths::Lengths(const TaskSettings& settings)
    : shortest(settings.count("shortest")),
      longest(settings.count("longest")),
      symbols(settings.count("symbols")) {
  if (shortest > longest) {
    refuse("/shortest", "the shortest sequence has " + std::to_string(shortest) +
                            " symbols, more than the longest, " + std::to_string(longest));
  }
}

double Lengths::space() const {
  double sum = 0;
  for (std::size_t n = shortest; n <= longest; ++n)
    sum += std::pow(static_cast<double>(symbols), static_cast<double>(n));
  return sum;
}

SymbolSource::SymbolSource(const TaskSettings& settings)
    : SolvedSource(symbols(settings.count("symbols")), symbols(settings.count("symbols")),
                   settings.count("end") != 0),
      lengths_(settings) {}

SolvedSource::Words SymbolSource::draw_source(Draws& draws) const {
  Words source(lengths_.draw(draws));
  for (auto& one : source) one = word(draws.below(lengths_.symbols));
  return source;
}

}  // namespace attend
