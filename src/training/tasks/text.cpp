// SPDX-License-Identifier: Apache-2.0
// A reader's own text by characters or words: at every place of a window, the one that comes next.
#include <algorithm>
#include <iterator>

#include "ops/error.h"
#include "training/own_data.h"

namespace attend::text_entry {
namespace {

// A line's end is white space, as a space is.
std::vector<std::string> words_of(const std::vector<TextLine>& lines) {
  std::vector<std::string> words;
  for (const TextLine& line : lines) {
    std::vector<std::string> more = words_in(line.text);
    std::move(more.begin(), more.end(), std::back_inserter(words));
  }
  return words;
}

class Text : public ListedSource {
 public:
  explicit Text(const TaskSettings& settings) {
    const std::size_t length = settings.count("length");
    const std::string& text = settings.text("text");
    const std::vector<TextLine> lines = lines_of(text);
    const bool by_words = settings.text("by") == "words";
    const std::vector<std::string> tokens = by_words ? words_of(lines)
                                            : settings.text("by").empty()
                                                ? characters_in(text)
                                                : tokens_by(settings, text);
    if (tokens.size() < 2 * length + 1)
      refuse("/text", "it has " + std::to_string(tokens.size()) +
                          (by_words ? " words" : " characters") +
                          "; training needs at least two windows of " + std::to_string(length) +
                          " and one more token, which makes " + std::to_string(2 * length + 1));
    // One list of words for both fields: what is written is read next.
    all_ = placed(0, tokens);
    words_[1] = words_[0];
    // Windows do not overlap, so that nothing of those held out is learned from.
    for (std::size_t at = 0; at + length < all_.size(); at += length) {
      const auto first = all_.begin() + static_cast<long>(at);
      const auto count = static_cast<long>(length);
      add({first, first + count}, {first + 1, first + count + 1});
    }
    check_enough("windows");
  }

  // What follows comes from the text where it has these characters; after others it is not known.
  [[nodiscard]] std::optional<Example> answer(
      const std::vector<std::string>& source) const override {
    Example example;
    example.fields.resize(2);
    std::vector<std::uint16_t>& read = example.fields[0].words;
    for (const std::string& token : source) {
      const auto found = places_[0].find(token);
      if (found == places_[0].end()) return std::nullopt;
      read.push_back(found->second);
    }
    const auto found = std::search(all_.begin(), all_.end(), read.begin(), read.end());
    const auto size = static_cast<long>(read.size());
    example.fields[1].words.assign(read.begin() + (read.empty() ? 0 : 1), read.end());
    const bool known = found != all_.end() && all_.end() - found > size;
    example.fields[1].words.push_back(known ? found[size] : unknown_word);
    return example;
  }

 private:
  std::vector<std::uint16_t> all_;
};

}  // namespace

extern const Task text_task;
const Task text_task{.id = "task-text",
                     .fields = {{"source"}, {"target", true}},
                     .knobs = {own_text_knob, by_knob, {"length", 32, 4, 128}},
                     .open = opened<Text>};
}  // namespace attend::text_entry
