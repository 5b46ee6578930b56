// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "ops/error.h"
#include "training/task.h"

namespace attend {

// Tasks with the fields source and target, whose answer follows from the words of the source.
class SolvedSource : public TaskSource {
 public:
  using Words = std::vector<std::uint16_t>;

  // The words of both fields without the three special ones. `end`: the target's last word is <end>.
  SolvedSource(std::vector<std::string> source, std::vector<std::string> target, bool end)
      : words_{vocabulary_of(std::move(source)), vocabulary_of(std::move(target))}, end_(end) {}

  [[nodiscard]] const std::vector<std::string>& words(std::size_t field) const override {
    return words_.at(field);
  }
  [[nodiscard]] Example draw(Draws& draws) const override;
  [[nodiscard]] std::optional<Example> answer(
      const std::vector<std::string>& source) const override;

 protected:
  struct Solution {
    Words target;
    std::vector<Link> links;
    // One more word of the answer, whose meaning is in these places.
    void add(std::uint16_t word, const std::vector<std::size_t>& means);
    void agrees(std::size_t column) {
      links.push_back({target.size() - 1, column, LinkKind::agrees});
    }
  };
  [[nodiscard]] virtual Words draw_source(Draws& draws) const = 0;
  // Nothing where this is no source of the task.
  [[nodiscard]] virtual std::optional<Solution> solve(const Words& source) const = 0;

  // The place of the word `index` among those of a task, after the special ones.
  static std::uint16_t word(std::size_t index) { return static_cast<std::uint16_t>(index + 3); }

 private:
  [[nodiscard]] Example made(Words source, Solution solution) const;

  std::array<std::vector<std::string>, 2> words_;
  bool end_;
};

// "0" .. "9", then letters: symbols of small tasks.
std::vector<std::string> symbols(std::size_t count);
inline constexpr double most_symbols = 36;

// Sequences of `shortest` to `longest` symbols.
struct Lengths {
  std::size_t shortest, longest, symbols;
  explicit Lengths(const TaskSettings& settings);
  [[nodiscard]] std::size_t draw(Draws& draws) const {
    return shortest + draws.below(longest - shortest + 1);
  }
  [[nodiscard]] double space() const;
};

// Tasks over one sequence of symbols, of the knobs shortest, longest, symbols and end. Every sequence is a source
// unless the task draws it in a different way.
class SymbolSource : public SolvedSource {
 public:
  explicit SymbolSource(const TaskSettings& settings);
  [[nodiscard]] double space() const override { return lengths_.space(); }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override;
  [[nodiscard]] const Lengths& lengths() const { return lengths_; }

 private:
  Lengths lengths_;
};
inline const List<TaskField> source_and_target = {{"source"}, {"target", true}};
inline const List<TaskKnob> symbol_knobs = {{"shortest", 3, 1, 60},
                                            {"longest", 8, 1, 60},
                                            {"symbols", 10, 2, most_symbols, true, false, true},
                                            {"end", 1, 0, 1}};

}  // namespace attend
