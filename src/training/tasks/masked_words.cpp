// SPDX-License-Identifier: Apache-2.0
// Hidden words of two sentences, which the other words determine: "[CLS] the dogs near the house [MASK] . [SEP] today
// [MASK] are quiet . [SEP]" -> the same with "bark" and "they". The segments say which sentence a word is in.
#include <algorithm>

#include "ops/error.h"
#include "training/grammar/sentence.h"

namespace attend::masked_words_entry {
namespace {

using namespace grammar;

constexpr double hidden = 0.4;
// Of both sentences with their marks: the shortest has no noun in between, and each such noun adds three or four words.
constexpr std::size_t shortest = 12, longest = 14;

class MaskedWords : public TaskSource {
 public:
  explicit MaskedWords(const TaskSettings& settings)
      : style_(style_of(settings, 1)), length_(settings.count("words")) {
    const std::size_t least = shortest + 3 * style_.fewest, most = longest + 4 * style_.most;
    if (length_ != 0 && (length_ < least || length_ > most))
      refuse("/words", "expected 0 (sentences of any length) or " + std::to_string(least) + " to " +
                           std::to_string(most) + " words including punctuation; found " +
                           std::to_string(length_));
    Tokens list{first_mark, next_mark, hidden_mark};
    const Tokens more = all_words();
    list.insert(list.end(), more.begin(), more.end());
    words_ = {vocabulary_of(std::move(list)), vocabulary_of({"A", "B"})};
  }

  [[nodiscard]] const Tokens& words(std::size_t field) const override {
    return words_.at(field == 1 ? 1 : 0);
  }

  // Of doers without adjectives, whose second sentence varies.
  [[nodiscard]] double space() const override {
    const auto doers = std::count_if(nouns().begin(), nouns().end(),
                                     [](const Noun& noun) { return noun.kind == Kind::doer; });
    return static_cast<double>(2 * static_cast<std::size_t>(doers) * times().size() *
                               (adjectives().size() + frequencies().size()));
  }

  [[nodiscard]] Example draw(Draws& draws) const override {
    Tokens told = draw_text(draws, style_, Marks::segments);
    while (length_ != 0 && told.size() != length_) told = draw_text(draws, style_, Marks::segments);
    const auto text = read(told, Marks::segments);
    const std::size_t always = draws.below(text->words.size());
    for (std::size_t k = 0; k < text->words.size(); ++k) {
      if (draws.uniform() < hidden || k == always) told[text->words[k].at] = hidden_mark;
    }
    return *answer_to({told, segments_of(told)});
  }

  [[nodiscard]] std::optional<Example> answer_to(
      const std::vector<Tokens>& sources) const override {
    if (sources.size() != 2 || sources[1] != segments_of(sources[0])) return std::nullopt;
    const auto text = read(sources[0], Marks::segments);
    if (!text) return std::nullopt;
    Example example;
    Tokens whole = sources[0];
    for (const Determined& word : text->words) {
      if (word.shown) continue;
      whole[word.at] = word.word;
      example.asked.push_back(word.at);
      for (const Link& link : links_of(*text, word, word.at)) example.links.push_back(link);
    }
    if (example.asked.empty()) return std::nullopt;
    example.fields = {*filling_of(*this, 0, sources[0]), *filling_of(*this, 1, sources[1]),
                      *filling_of(*this, 2, whole)};
    return example;
  }

 private:
  // A up to the first [SEP], then B.
  static Tokens segments_of(const Tokens& tokens) {
    Tokens list(tokens.size(), "B");
    const auto end = std::find(tokens.begin(), tokens.end(), next_mark);
    const auto first =
        std::min<std::size_t>(static_cast<std::size_t>(end - tokens.begin()) + 1, tokens.size());
    std::fill(list.begin(), list.begin() + static_cast<long>(first), "A");
    return list;
  }

  Style style_;
  std::size_t length_;
  std::vector<Tokens> words_;
};

}  // namespace

extern const Task masked_words_task;
const Task masked_words_task{.id = "task-masked-words",
                             .fields = {{"source"}, {"segments"}, {"target", true}},
                             .knobs = {fewest_knob, most_knob, {"words", 0, 0, 30}},
                             .open = opened<MaskedWords>};
}  // namespace attend::masked_words_entry
