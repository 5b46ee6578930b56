// SPDX-License-Identifier: Apache-2.0
// One question about a handful of digits: their maximum, their sum, or how many of them differ.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "training/solved.h"

namespace attend::sets_entry {
namespace {

constexpr std::array<std::string_view, 3> questions{"maximum", "sum", "different"};

class Sets : public SolvedSource {
 public:
  explicit Sets(const TaskSettings& settings)
      : SolvedSource(read(), numbers(9 * settings.count("most") + 1), false),
        fewest_(settings.count("fewest")),
        most_(settings.count("most")) {
    if (fewest_ > most_)
      refuse("/fewest", "the minimum number of items is " + std::to_string(fewest_) +
                            ", more than the maximum, " + std::to_string(most_));
    const std::string& asked = settings.text("question");
    const auto found = std::find(questions.begin(), questions.end(), asked);
    if (found == questions.end() && !asked.empty() && asked != "any")
      refuse("/question", "expected maximum, sum, different or any, found \"" + asked + "\"");
    for (std::size_t q = 0; q < questions.size(); ++q) {
      if (found == questions.end() || questions[q] == asked) asked_.push_back(q);
    }
  }
  [[nodiscard]] double space() const override {
    double sum = 0;
    for (std::size_t n = fewest_; n <= most_; ++n) sum += std::pow(10.0, static_cast<double>(n));
    return sum * static_cast<double>(asked_.size());
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    Words source{word(asked_[draws.below(asked_.size())])};
    const std::size_t items = fewest_ + draws.below(most_ - fewest_ + 1);
    for (std::size_t i = 0; i < items; ++i) source.push_back(digit(draws.below(10)));
    return source;
  }

  // Of equal items the first one counts as different, the others are like it.
  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    if (source.size() < 2 || source.size() > most_ + 1 || source[0] >= digit(0))
      return std::nullopt;
    if (std::any_of(source.begin() + 1, source.end(), [](auto w) { return w < digit(0); }))
      return std::nullopt;
    const auto items = source.begin() + 1;
    const auto asked = static_cast<std::size_t>(source[0] - word(0));
    const std::uint16_t largest = *std::max_element(items, source.end());
    std::size_t value = 0;
    std::vector<std::size_t> means, agrees{0};
    for (std::size_t i = 1; i < source.size(); ++i) {
      const bool fresh = std::find(items, source.begin() + static_cast<long>(i), source[i]) ==
                         source.begin() + static_cast<long>(i);
      const auto own = static_cast<std::size_t>(source[i] - digit(0));
      const bool counts = asked == 1 || (asked == 0 ? source[i] == largest : fresh);
      if (asked == 0 && counts) value = own;
      if (asked == 1) value += own;
      if (asked == 2 && counts) ++value;
      (counts ? means : agrees).push_back(i);
    }
    if (asked == 0) agrees = {0};  // the smaller ones change nothing
    Solution solution;
    solution.add(word(value), means);
    for (const std::size_t column : agrees) solution.agrees(column);
    return solution;
  }

 private:
  static std::uint16_t digit(std::size_t value) { return word(questions.size() + value); }
  static std::vector<std::string> read() {
    std::vector<std::string> list(questions.begin(), questions.end());
    for (const std::string& one : symbols(10)) list.push_back(one);
    return list;
  }
  static std::vector<std::string> numbers(std::size_t count) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(std::to_string(i));
    return list;
  }
  std::size_t fewest_, most_;
  std::vector<std::size_t> asked_;
};

}  // namespace

extern const Task sets_task;
const Task sets_task{.id = "task-sets",
                     .fields = source_and_target,
                     .knobs = {{"fewest", 3, 1, 6},
                               {"most", 6, 1, 6, true, false, true},
                               {.name = "question", .text = true}},
                     .open = opened<Sets>};
}  // namespace attend::sets_entry
