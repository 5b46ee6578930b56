// SPDX-License-Identifier: Apache-2.0
// A reader's own pairs, one a line: source, a tab, target.
#include "ops/error.h"
#include "training/own_data.h"

namespace attend::pairs_entry {
namespace {

class Pairs : public ListedSource {
 public:
  explicit Pairs(const TaskSettings& settings) {
    for (const TextLine& line : lines_of(settings.text("text"))) {
      const auto [source, target] = at_tab(line, "a source", "its target");
      const std::vector<std::string> read = tokens_by(settings, source),
                                     written = tokens_by(settings, target);
      const std::size_t longer = std::max(read.size(), written.size());
      if (longer > most_tokens)
        refuse("/text", "line " + std::to_string(line.number) + " has " + std::to_string(longer) +
                            " words on one side; at most " + std::to_string(most_tokens) +
                            " are read");
      std::vector<std::uint16_t> answer = placed(1, written);
      answer.push_back(end_word);
      add(placed(0, read), std::move(answer));
    }
    check_enough("sources");
  }
};

}  // namespace

extern const Task pairs_task;
const Task pairs_task{.id = "task-pairs",
                      .fields = {{"source"}, {"target", true}},
                      .knobs = {own_text_knob, by_knob},
                      .open = opened<Pairs>};
}  // namespace attend::pairs_entry
