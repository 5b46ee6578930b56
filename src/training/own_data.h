// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "training/task.h"

// A reader's own data: pasted text that becomes examples, or an error that names its line.
namespace attend {

inline constexpr std::size_t most_lines = 100'000, most_bytes = 4'000'000, most_words = 5'000,
                             most_tokens = 64;

// The setting that holds the text.
inline constexpr TaskKnob own_text_knob{.name = "text", .text = true};

struct TextLine {
  std::size_t number;  // from 1
  std::string_view text;
};
// All lines that are not blank. Throws Error at "/text" when there are too many, or none.
std::vector<TextLine> lines_of(std::string_view text);

// The text before and after the one tab of a line. Throws Error naming the line; `left` and `right` describe what was
// expected there.
std::pair<std::string_view, std::string_view> at_tab(const TextLine& line, std::string_view left,
                                                     std::string_view right);

// Between white space.
std::vector<std::string> words_in(std::string_view text);
// Characters with the marks that stand on them; a space, a tab and a line's end get a sign that can be seen.
std::vector<std::string> characters_in(std::string_view text);
// By the setting "by": words or characters.
std::vector<std::string> tokens_by(const TaskSettings& settings, std::string_view text);
inline constexpr TaskKnob by_knob{.name = "by", .text = true};

// Examples that somebody listed, source and target.
class ListedSource : public TaskSource {
 public:
  [[nodiscard]] const std::vector<std::string>& words(std::size_t field) const override {
    return words_.at(field);
  }
  [[nodiscard]] std::span<const Example> listed() const override { return examples_; }
  [[nodiscard]] double space() const override { return static_cast<double>(examples_.size()); }
  [[nodiscard]] Example draw(Draws& draws) const override {
    return examples_[draws.below(examples_.size())];
  }
  [[nodiscard]] std::optional<Example> answer(
      const std::vector<std::string>& source) const override;

 protected:
  // The places of these words; new ones join the field's words. Throws Error when they become too many.
  std::vector<std::uint16_t> placed(std::size_t field, const std::vector<std::string>& tokens);
  void add(std::vector<std::uint16_t> source, std::vector<std::uint16_t> target);
  // Throws Error unless some can be learned from and others held out.
  void check_enough(std::string_view what) const;

  std::vector<Example> examples_;
  std::array<std::vector<std::string>, 2> words_{vocabulary_of({}), vocabulary_of({})};
  std::array<std::map<std::string, std::uint16_t>, 2> places_;
};

}  // namespace attend
