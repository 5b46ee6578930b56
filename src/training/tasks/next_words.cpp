// SPDX-License-Identifier: Apache-2.0
// The next word of a small English grammar, where the words so far determine it:
// "the dogs near the old house" -> "bark".
// The subject decides, and not the nouns between it and the verb; it decides in the second sentence too:
// "Anna who knows Paul sees herself . today" -> "she".
#include "training/grammar/sentence.h"

namespace attend::next_words_entry {
namespace {

using namespace grammar;

class NextWords : public TaskSource {
 public:
  explicit NextWords(const TaskSettings& settings)
      : style_(style_of(settings, std::get<double>(settings.values.find("second")->second))),
        words_(vocabulary_of(all_words())) {}

  // Both fields use one list, because a written word may be read next.
  [[nodiscard]] const Tokens& words(std::size_t /*field*/) const override { return words_; }
  [[nodiscard]] double space() const override { return fewer_than_all(style_); }

  // One of the words that those before it determine, each as often as the others.
  [[nodiscard]] Example draw(Draws& draws) const override {
    Tokens told = draw_text(draws, style_, Marks::none);
    const auto text = read(told, Marks::none);
    std::vector<std::size_t> places;
    for (const Determined& word : text->words) {
      if (word.sure) places.push_back(word.at);
    }
    told.resize(places[draws.below(places.size())]);
    return *answer(told);
  }

  [[nodiscard]] std::optional<Example> answer(const Tokens& source) const override {
    const auto text = read(source, Marks::none);
    if (!text || !text->open) return std::nullopt;
    const Determined& word = text->words.back();
    Example example;
    example.fields = {*filling_of(*this, 0, source), *filling_of(*this, 1, {word.word})};
    example.links = links_of(*text, word, 0);
    return example;
  }

 private:
  Style style_;
  Tokens words_;
};

}  // namespace

extern const Task next_words_task;
const Task next_words_task{.id = "task-next-words",
                           .fields = {{"source"}, {"target", true}},
                           .knobs = {fewest_knob, most_knob, {"second", 0.4, 0, 1, false}},
                           .open = opened<NextWords>};
}  // namespace attend::next_words_entry
