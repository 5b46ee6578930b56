// SPDX-License-Identifier: Apache-2.0
// The symbols from the last to the first: the truth is the other diagonal.
#include "training/solved.h"

namespace attend::reverse_entry {
namespace {

class Reverse : public SymbolSource {
 public:
  using SymbolSource::SymbolSource;

 protected:
  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    Solution solution;
    for (std::size_t i = source.size(); i-- > 0;) solution.add(source[i], {i});
    return solution;
  }
};

}  // namespace

extern const Task reverse_task;
const Task reverse_task{.id = "task-reverse",
                        .fields = source_and_target,
                        .knobs = symbol_knobs,
                        .open = opened<Reverse>};
}  // namespace attend::reverse_entry
