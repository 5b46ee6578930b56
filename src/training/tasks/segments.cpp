// SPDX-License-Identifier: Apache-2.0
// The next word of a segment that the one before it determines: "the dogs near the old house bark ." and "today they
// always" -> "bark". The memory is a whole sentence of the small English grammar, the segment begins the next one.
#include "training/grammar/sentence.h"

namespace attend::segments_entry {
namespace {

using namespace grammar;

class Segments : public TaskSource {
 public:
  explicit Segments(const TaskSettings& settings)
      : style_(style_of(settings, 1)), words_(vocabulary_of(all_words())) {}

  [[nodiscard]] const Tokens& words(std::size_t /*field*/) const override { return words_; }
  [[nodiscard]] double space() const override { return fewer_than_all(style_); }

  [[nodiscard]] Example draw(Draws& draws) const override {
    const Tokens told = draw_text(draws, style_, Marks::none);
    const auto text = read(told, Marks::none);
    std::vector<std::size_t> places;
    for (const Determined& word : text->words) {
      if (word.second && word.sure) places.push_back(word.at);
    }
    const auto first = told.begin() + static_cast<long>(text->first);
    const auto next = told.begin() + static_cast<long>(places[draws.below(places.size())]);
    return *answer_to({{told.begin(), first}, {first, next}});
  }

  [[nodiscard]] std::optional<Example> answer_to(
      const std::vector<Tokens>& sources) const override {
    if (sources.size() != 2 || sources[1].empty()) return std::nullopt;
    Tokens both = sources[0];
    both.insert(both.end(), sources[1].begin(), sources[1].end());
    const auto text = read(both, Marks::none);
    if (!text || !text->open || text->first != sources[0].size()) return std::nullopt;
    const Determined& word = text->words.back();
    Example example;
    example.fields = {*filling_of(*this, 0, sources[0]), *filling_of(*this, 1, sources[1]),
                      *filling_of(*this, 2, {word.word})};
    for (const Link& link : links_of(*text, word, 0)) {
      if (link.column < text->first) example.links.push_back(link);
    }
    return example;
  }

 private:
  Style style_;
  Tokens words_;
};

}  // namespace

extern const Task segments_task;
const Task segments_task{.id = "task-segments",
                         .fields = {{"memory"}, {"source"}, {"target", true}},
                         .knobs = {fewest_knob, most_knob},
                         .open = opened<Segments>};
}  // namespace attend::segments_entry
