// SPDX-License-Identifier: Apache-2.0
// Dates, "1 3 January 2 0 0 1" or "January 1 3 , 2 0 0 1" -> "2 0 0 1 - 0 1 - 1 3": words to digits, and another order.
#include <algorithm>

#include "training/solved.h"

namespace attend::dates_entry {
namespace {

constexpr std::size_t first_year = 1900, years = 200;
const std::vector<std::string>& months() {
  static const std::vector<std::string> names{"January",   "February", "March",    "April",
                                              "May",       "June",     "July",     "August",
                                              "September", "October",  "November", "December"};
  return names;
}

std::size_t days_of(std::size_t month, std::size_t year) {
  static constexpr std::size_t days[]{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[month] + (month == 1 && leap ? 1 : 0);
}

class Dates : public SolvedSource {
 public:
  explicit Dates(const TaskSettings& settings)
      : SolvedSource(source_words(), target_words(), settings.count("end") != 0) {}
  [[nodiscard]] double space() const override { return 2 * 365.0 * static_cast<double>(years); }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    const std::size_t year = first_year + draws.below(years), month = draws.below(12);
    const std::size_t day = 1 + draws.below(days_of(month, year));
    Words source;
    const auto number = [&](std::size_t n) {
      for (const char c : std::to_string(n))
        source.push_back(word(static_cast<std::size_t>(c - '0')));
    };
    if (draws.below(2) == 0) {
      number(day);
      source.push_back(word(10 + month));
    } else {
      source.push_back(word(10 + month));
      number(day);
      source.push_back(word(comma));
    }
    number(year);
    return source;
  }

  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    const auto is_digit = [&](std::size_t at) {
      return at < source.size() && source[at] < word(10);
    };
    const auto is_month = [&](std::size_t at) {
      return at < source.size() && source[at] >= word(10) && source[at] < word(comma);
    };
    const bool month_first = is_month(0);
    const std::size_t day = month_first ? 1 : 0;
    if (!is_digit(day)) return std::nullopt;
    const std::size_t length = is_digit(day + 1) ? 2 : 1;
    const std::size_t month = month_first ? 0 : length, year = day + length + 1;
    const bool joined =
        month_first ? year <= source.size() && source[year - 1] == word(comma) : is_month(month);
    if (!joined || source.size() != year + 4) return std::nullopt;
    for (std::size_t k = 0; k < 4; ++k) {
      if (!is_digit(year + k)) return std::nullopt;
    }
    Solution solution;
    for (std::size_t k = 0; k < 4; ++k) solution.add(source[year + k], {year + k});
    solution.add(word(dash), {});
    const std::size_t number = static_cast<std::size_t>(source[month] - word(10)) + 1;
    solution.add(word(number / 10), {month});
    solution.add(word(number % 10), {month});
    solution.add(word(dash), {});
    if (length == 1) {
      solution.add(word(0), {});
      solution.agrees(day);  // a zero, because there is one digit only
    }
    for (std::size_t k = 0; k < length; ++k) solution.add(source[day + k], {day + k});
    return solution;
  }

 private:
  static constexpr std::size_t comma = 22, dash = 10;
  static std::vector<std::string> source_words() {
    std::vector<std::string> list = symbols(10);
    list.insert(list.end(), months().begin(), months().end());
    list.emplace_back(",");
    return list;
  }
  static std::vector<std::string> target_words() {
    std::vector<std::string> list = symbols(10);
    list.emplace_back("-");
    return list;
  }
};

}  // namespace

extern const Task dates_task;
const Task dates_task{.id = "task-dates",
                      .fields = source_and_target,
                      .knobs = {{"end", 1, 0, 1}},
                      .open = opened<Dates>};
}  // namespace attend::dates_entry
