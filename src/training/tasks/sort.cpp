// SPDX-License-Identifier: Apache-2.0
// The symbols from the smallest to the largest: the true alignment depends on the symbols, not on their places.
#include <algorithm>

#include "training/solved.h"

namespace attend::sort_entry {
namespace {

class Sort : public SymbolSource {
 public:
  using SymbolSource::SymbolSource;

 protected:
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
};

}  // namespace

extern const Task sort_task;
const Task sort_task{
    .id = "task-sort", .fields = source_and_target, .knobs = symbol_knobs, .open = opened<Sort>};
}  // namespace attend::sort_entry
