// SPDX-License-Identifier: Apache-2.0
// The symbols from the last to the first: the truth is the other diagonal.
#include "training/solved.h"

namespace attend::reverse_entry {
namespace {

class Reverse : public SolvedSource {
 public:
  explicit Reverse(const TaskSettings& settings)
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
    for (std::size_t i = source.size(); i-- > 0;) solution.add(source[i], {i});
    return solution;
  }

 private:
  Lengths lengths_;
};

}  // namespace

extern const Task reverse_task;
const Task reverse_task{.id = "task-reverse",
                        .fields = {{"source"}, {"target", true}},
                        .knobs = {{"shortest", 3, 1, 60},
                                  {"longest", 8, 1, 60},
                                  {"symbols", 10, 2, most_symbols, true, false, true},
                                  {"end", 1, 0, 1}},
                        .open = [](const TaskSettings& s) -> std::unique_ptr<TaskSource> {
                          return std::make_unique<Reverse>(s);
                        }};
}  // namespace attend::reverse_entry
