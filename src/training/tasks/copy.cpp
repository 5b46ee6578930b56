// SPDX-License-Identifier: Apache-2.0
// The same symbols once more: the truth is the diagonal.
#include "training/solved.h"

namespace attend::copy_entry {
namespace {

class Copy : public SolvedSource {
 public:
  explicit Copy(const TaskSettings& settings)
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
    for (std::size_t i = 0; i < source.size(); ++i) solution.add(source[i], {i});
    return solution;
  }

 private:
  Lengths lengths_;
};

}  // namespace

extern const Task copy_task;
const Task copy_task{.id = "task-copy",
                     .fields = {{"source"}, {"target", true}},
                     .knobs = {{"shortest", 3, 1, 60},
                               {"longest", 8, 1, 60},
                               {"symbols", 10, 2, most_symbols, true, false, true},
                               {"end", 1, 0, 1}},
                     .open = [](const TaskSettings& s) -> std::unique_ptr<TaskSource> {
                       return std::make_unique<Copy>(s);
                     }};
}  // namespace attend::copy_entry
