// SPDX-License-Identifier: Apache-2.0
// A reader's own lines with a label: text, a tab, label.
#include "ops/error.h"
#include "training/own_data.h"

namespace attend::labels_entry {
namespace {

class Labels : public ListedSource {
 public:
  explicit Labels(const TaskSettings& settings) {
    for (const TextLine& line : lines_of(settings.text("text"))) {
      const auto [text, label] = at_tab(line, "a text", "its label");
      const std::vector<std::string> read = tokens_by(settings, text);
      if (read.size() > most_tokens)
        refuse("/text", "line " + std::to_string(line.number) + " has " +
                            std::to_string(read.size()) + " words; at most " +
                            std::to_string(most_tokens) + " are read");
      add(placed(0, read), placed(1, {std::string(label)}));
    }
    check_enough("texts");
    if (words_[1].size() == 4)
      refuse("/text", "every line has the label \"" + words_[1].back() +
                          "\": there is nothing to tell apart");
  }
};

}  // namespace

extern const Task labels_task;
const Task labels_task{.id = "task-labels",
                       .fields = {{"source"}, {"target", true}},
                       .knobs = {own_text_knob, by_knob},
                       .open = opened<Labels>};
}  // namespace attend::labels_entry
