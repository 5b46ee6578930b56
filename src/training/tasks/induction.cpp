// SPDX-License-Identifier: Apache-2.0
// Induction, "c a f b e a" -> "f": what stood behind the last symbol when it came before.
#include <algorithm>
#include <cmath>

#include "training/solved.h"

namespace attend::induction_entry {
namespace {

class Induction : public SymbolSource {
 public:
  explicit Induction(const TaskSettings& settings) : SymbolSource(settings) {
    if (lengths().longest > lengths().symbols + 1)
      refuse("/longest", "all symbols but the last are different, so a sequence has at most " +
                             std::to_string(lengths().symbols + 1) + ", found " +
                             std::to_string(lengths().longest));
  }
  [[nodiscard]] double space() const override {
    double sum = 0;
    for (std::size_t n = lengths().shortest; n <= lengths().longest; ++n) {
      double one = static_cast<double>(n) - 2;
      for (std::size_t k = 0; k + 1 < n; ++k) one *= static_cast<double>(lengths().symbols - k);
      sum += one;
    }
    return sum;
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    const std::size_t n = lengths().draw(draws);
    std::vector<std::size_t> all(lengths().symbols);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    draws.shuffle(all);
    Words source;
    for (std::size_t i = 0; i + 1 < n; ++i) source.push_back(word(all[i]));
    source.push_back(source[draws.below(n - 2)]);
    return source;
  }

  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    if (source.size() < 3) return std::nullopt;
    const auto before = std::find(source.begin(), source.end() - 2, source.back());
    if (before == source.end() - 2) return std::nullopt;
    const auto at = static_cast<std::size_t>(before - source.begin());
    Solution solution;
    solution.add(source[at + 1], {at + 1});
    solution.agrees(at);
    return solution;
  }
};

}  // namespace

extern const Task induction_task;
const Task induction_task{.id = "task-induction",
                          .fields = source_and_target,
                          .knobs = {{"shortest", 5, 3, 37},
                                    {"longest", 10, 3, 37},
                                    {"symbols", 12, 3, most_symbols, true, false, true},
                                    {"end", 0, 0, 1}},
                          .open = opened<Induction>};
}  // namespace attend::induction_entry
