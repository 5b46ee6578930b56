// SPDX-License-Identifier: Apache-2.0
// Frames of sound as symbols, "h h _ e l l _ l d d" -> "h e l l d": each letter lasts for some frames, silence parts
// equal letters, and the number of frames is even.
#include <algorithm>
#include <cmath>

#include "ops/error.h"
#include "training/solved.h"

namespace attend::sound_entry {
namespace {

constexpr std::size_t letters = 12;
constexpr double pause = 0.2;

class Sound : public SolvedSource {
 public:
  explicit Sound(const TaskSettings& settings)
      : SolvedSource(frames(), spoken(), settings.count("end") != 0),
        shortest_(settings.count("shortest")),
        longest_(settings.count("longest")),
        held_(settings.count("held")) {
    if (shortest_ > longest_)
      refuse("/shortest", "the shortest word has " + std::to_string(shortest_) +
                              " letters, more than the longest, " + std::to_string(longest_));
  }
  // Of words whose letters all differ from the one before, without a pause inside.
  [[nodiscard]] double space() const override {
    double sum = 0, one = static_cast<double>(letters * held_);
    for (std::size_t n = 1; n <= longest_; ++n) {
      if (n >= shortest_) sum += one;
      one *= static_cast<double>((letters - 1) * held_);
    }
    return sum;
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    const std::size_t count = shortest_ + draws.below(longest_ - shortest_ + 1);
    Words source;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t letter = word(1 + draws.below(letters));
      const bool same = !source.empty() && source.back() == letter;
      if (i > 0 && (same || draws.uniform() < pause)) source.push_back(silence);
      source.insert(source.end(), 1 + draws.below(held_), letter);
    }
    if (source.size() % 2 == 1) source.push_back(silence);
    return source;
  }

  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    Solution solution;
    for (std::size_t i = 0; i < source.size();) {
      std::vector<std::size_t> frames;
      const std::uint16_t letter = source[i];
      for (; i < source.size() && source[i] == letter; ++i) frames.push_back(i);
      if (letter != silence) solution.add(static_cast<std::uint16_t>(letter - 1), frames);
    }
    if (source.size() % 2 == 1 || solution.target.empty()) return std::nullopt;
    return solution;
  }

 private:
  static constexpr std::uint16_t silence = 3;  // the first word behind the special ones
  static std::vector<std::string> spoken() {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < letters; ++i) list.emplace_back(1, static_cast<char>('a' + i));
    return list;
  }
  static std::vector<std::string> frames() {
    std::vector<std::string> list = spoken();
    list.insert(list.begin(), "_");
    return list;
  }
  std::size_t shortest_, longest_, held_;
};

}  // namespace

extern const Task sound_task;
const Task sound_task{
    .id = "task-sound",
    .fields = source_and_target,
    .knobs = {{"shortest", 2, 1, 12}, {"longest", 5, 1, 12}, {"held", 3, 1, 6}, {"end", 1, 0, 1}},
    .open = opened<Sound>};
}  // namespace attend::sound_entry
