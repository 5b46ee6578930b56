// SPDX-License-Identifier: Apache-2.0
// The symbols from the smallest to the largest: the true alignment depends on the symbols, not on their places.
#include <algorithm>

#include "training/solved.h"

namespace attend::sort_entry {
namespace {

class Sort : public SolvedSource {
 public:
  explicit Sort(const TaskSettings& settings)
      : SolvedSource(symbols(settings.count("symbols")), symbols(settings.count("symbols")),
                     settings.count("end") != 0),
        lengths_(settings) {}
  [[nodiscard]] double space() const override { return lengths_.space(); }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    Words source(lengths_.draw(draws));
    for (auto& one : source) one = word(draws.below(lengths_.symbols));
    return source;
  }
  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    Solution solution;
    Words sorted = source;
    std::sort(sorted.begin(), sorted.end());
    // Which of equal symbols a row looks at is all the same.
    for (const std::uint16_t one : sorted) {
      std::vector<std::size_t> equal;
      for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == one) equal.push_back(i);
      }
      solution.add(one, equal);
    }
    return solution;
  }

 private:
  Lengths lengths_;
};

}  // namespace

extern const Task sort_task;
const Task sort_task{.id = "task-sort",
                     .fields = {{"source"}, {"target", true}},
                     .knobs = {{"shortest", 3, 1, 60},
                               {"longest", 8, 1, 60},
                               {"symbols", 10, 2, most_symbols, true, false, true},
                               {"end", 1, 0, 1}},
                     .open = [](const TaskSettings& s) -> std::unique_ptr<TaskSource> {
                       return std::make_unique<Sort>(s);
                     }};
}  // namespace attend::sort_entry
