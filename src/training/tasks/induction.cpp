// SPDX-License-Identifier: Apache-2.0
// Induction, "c a f b e a" -> "f": what stood behind the last symbol when it came before.
#include <algorithm>
#include <cmath>

#include "training/solved.h"

namespace attend::induction_entry {
namespace {

class Induction : public SolvedSource {
 public:
  explicit Induction(const TaskSettings& settings)
      : SolvedSource(symbols(settings.count("symbols")), symbols(settings.count("symbols")),
                     settings.count("end") != 0),
        lengths_(settings) {
    if (lengths_.longest > lengths_.symbols + 1)
      refuse("/longest", "all symbols but the last are different, so a sequence has at most " +
                             std::to_string(lengths_.symbols + 1) + ", found " +
                             std::to_string(lengths_.longest));
  }
  [[nodiscard]] double space() const override {
    double sum = 0;
    for (std::size_t n = lengths_.shortest; n <= lengths_.longest; ++n) {
      double one = static_cast<double>(n) - 2;
      for (std::size_t k = 0; k + 1 < n; ++k) one *= static_cast<double>(lengths_.symbols - k);
      sum += one;
    }
    return sum;
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    const std::size_t n = lengths_.draw(draws);
    std::vector<std::size_t> all(lengths_.symbols);
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

 private:
  Lengths lengths_;
};

}  // namespace

extern const Task induction_task;
const Task induction_task{.id = "task-induction",
                          .fields = {{"source"}, {"target", true}},
                          .knobs = {{"shortest", 5, 3, 37},
                                    {"longest", 10, 3, 37},
                                    {"symbols", 12, 3, most_symbols, true, false, true},
                                    {"end", 0, 0, 1}},
                          .open = [](const TaskSettings& s) -> std::unique_ptr<TaskSource> {
                            return std::make_unique<Induction>(s);
                          }};
}  // namespace attend::induction_entry
