// SPDX-License-Identifier: Apache-2.0
// Recall from pairs, "a 3 b 7 c 1 b" -> "7": the last letter is the question, and the answer
// follows the same letter earlier.
#include <cmath>

#include "training/solved.h"

namespace attend::recall_entry {
namespace {

class Recall : public SolvedSource {
 public:
  explicit Recall(const TaskSettings& settings)
      : SolvedSource(letters_and_digits(settings.count("letters")), symbols(10),
                     settings.count("end") != 0),
        fewest_(settings.count("fewest")),
        most_(settings.count("most")),
        letters_(settings.count("letters")) {
    if (fewest_ > most_)
      refuse("/fewest", "the minimum number of pairs is " + std::to_string(fewest_) +
                            ", more than the maximum, " + std::to_string(most_));
    if (most_ > letters_)
      refuse("/most", std::to_string(most_) + " pairs need " + std::to_string(most_) +
                          " different letters, but there are only " + std::to_string(letters_));
  }
  [[nodiscard]] double space() const override {
    double sum = 0;
    for (std::size_t n = fewest_; n <= most_; ++n) {
      double one = static_cast<double>(n);
      for (std::size_t k = 0; k < n; ++k) one *= static_cast<double>(letters_ - k) * 10;
      sum += one;
    }
    return sum;
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    const std::size_t pairs = fewest_ + draws.below(most_ - fewest_ + 1);
    std::vector<std::size_t> letters(letters_);
    for (std::size_t i = 0; i < letters_; ++i) letters[i] = i;
    draws.shuffle(letters);
    Words source;
    for (std::size_t i = 0; i < pairs; ++i) {
      source.push_back(word(letters[i]));
      source.push_back(word(letters_ + draws.below(10)));
    }
    source.push_back(word(letters[draws.below(pairs)]));
    return source;
  }

  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    if (source.size() < 3 || source.size() % 2 == 0) return std::nullopt;
    for (std::size_t i = 0; i + 2 < source.size(); i += 2) {
      if (source[i] != source.back()) continue;
      if (source[i + 1] < word(letters_)) return std::nullopt;
      Solution solution;
      solution.add(static_cast<std::uint16_t>(source[i + 1] - letters_), {i + 1});
      solution.agrees(i);
      return solution;
    }
    return std::nullopt;
  }

 private:
  static std::vector<std::string> letters_and_digits(std::size_t letters) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < letters; ++i) list.emplace_back(1, static_cast<char>('a' + i));
    for (const std::string& digit : symbols(10)) list.push_back(digit);
    return list;
  }
  std::size_t fewest_, most_, letters_;
};

}  // namespace

extern const Task recall_task;
const Task recall_task{.id = "task-recall",
                       .fields = source_and_target,
                       .knobs = {{"fewest", 2, 1, 26},
                                 {"most", 6, 1, 26},
                                 {"letters", 12, 2, 26, true, false, true},
                                 {"end", 0, 0, 1}},
                       .open = opened<Recall>};
}  // namespace attend::recall_entry
