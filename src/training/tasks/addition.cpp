// SPDX-License-Identifier: Apache-2.0
// Addition by digits, "4 7 + 8 5" -> "1 3 2": a digit of the sum means the two digits above it, and agrees with those
// that its carry comes from.
#include <cmath>

#include "training/solved.h"

namespace attend::addition_entry {
namespace {

class Addition : public SolvedSource {
 public:
  explicit Addition(const TaskSettings& settings)
      : SolvedSource(with_plus(), symbols(10), settings.count("end") != 0),
        digits_(settings.count("digits")) {}
  [[nodiscard]] double space() const override {
    return std::pow(100.0, static_cast<double>(digits_));
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    Words source(2 * digits_ + 1);
    for (auto& one : source) one = word(draws.below(10));
    source[digits_] = word(10);
    return source;
  }

  // The answer has one digit more than the terms, be it 0.
  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    const std::size_t n = digits_;
    if (source.size() != 2 * n + 1 || source[n] != word(10)) return std::nullopt;
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (i != n && source[i] == word(10)) return std::nullopt;
    }
    const auto digit = [&](std::size_t place) {
      return static_cast<std::size_t>(source[place] - word(0));
    };
    std::vector<std::size_t> sums(n), carries(n + 1, 0);  // by column; the carry into a column
    for (std::size_t c = n; c-- > 0;) {
      sums[c] = digit(c) + digit(n + 1 + c);
      carries[c] = (sums[c] + carries[c + 1]) / 10;
    }
    Solution solution;
    for (std::size_t row = 0; row <= n; ++row) {
      if (row == 0) {
        solution.add(word(carries[0]), {});
      } else {
        const std::size_t c = row - 1;
        solution.add(word((sums[c] + carries[c + 1]) % 10), {c, n + 1 + c});
      }
      // The carry is made in the first column to the right whose sum is not 9, and handed on by those that are.
      for (std::size_t c = row; c < n; ++c) {
        solution.agrees(c);
        solution.agrees(n + 1 + c);
        if (sums[c] != 9) break;
      }
    }
    return solution;
  }

 private:
  static std::vector<std::string> with_plus() {
    std::vector<std::string> list = symbols(10);
    list.emplace_back("+");
    return list;
  }
  std::size_t digits_;
};

}  // namespace

extern const Task addition_task;
const Task addition_task{.id = "task-addition",
                         .fields = source_and_target,
                         .knobs = {{"digits", 3, 1, 12}, {"end", 1, 0, 1}},
                         .open = opened<Addition>};
}  // namespace attend::addition_entry
