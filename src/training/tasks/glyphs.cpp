// SPDX-License-Identifier: Apache-2.0
// One whole digit among pieces of others: a cluttered image, as those that models with glimpses are tried on.
#include <array>
#include <cmath>

#include "ops/error.h"
#include "training/drawing.h"
#include "training/solved.h"

namespace attend::glyphs_entry {
namespace {

constexpr std::size_t high = 5, wide = 3, piece = 2;
constexpr std::array<std::array<std::string_view, high>, 10> digits{
    {{"###", "#.#", "#.#", "#.#", "###"},
     {".#.", "##.", ".#.", ".#.", "###"},
     {"###", "..#", "###", "#..", "###"},
     {"###", "..#", ".##", "..#", "###"},
     {"#.#", "#.#", "###", "..#", "..#"},
     {"###", "#..", "###", "..#", "###"},
     {"###", "#..", "###", "#.#", "###"},
     {"###", "..#", "..#", ".#.", ".#."},
     {"###", "#.#", "###", "#.#", "###"},
     {"###", "#.#", "###", "..#", "###"}}};

class Glyphs : public TaskSource {
 public:
  explicit Glyphs(const TaskSettings& settings)
      : side_(settings.count("side")),
        pieces_(settings.count("pieces")),
        words_(vocabulary_of(symbols(10))) {}

  [[nodiscard]] const std::vector<std::string>& words(std::size_t field) const override {
    return field == 0 ? none_ : words_;
  }
  // At least: the place of the digit, and those of the pieces.
  [[nodiscard]] double space() const override {
    const auto places = static_cast<double>((side_ - high + 1) * (side_ - wide + 1));
    const auto pieces = static_cast<double>(pieces_);
    return 10 * places * std::pow(static_cast<double>(side_ * side_) / (pieces + 1), pieces);
  }

  // The digit is drawn last, with a margin of its own, so that no piece changes how it reads.
  [[nodiscard]] Example draw(Draws& draws) const override {
    const std::size_t value = draws.below(digits.size());
    const std::size_t row = draws.below(side_ - high + 1), column = draws.below(side_ - wide + 1);
    Drawing drawing(side_, side_, 1);
    for (std::size_t k = 0; k < pieces_; ++k) {
      const auto& other = digits[draws.below(digits.size())];
      const std::size_t top = draws.below(high - piece + 1), left = draws.below(wide - piece + 1);
      std::vector<std::string_view> part;
      for (std::size_t r = 0; r < piece; ++r) part.push_back(other[top + r].substr(left, piece));
      // Named one after the other: compilers differ in the order in which they compute arguments.
      const auto across = static_cast<long>(draws.below(side_ - piece + 1));
      const auto down = static_cast<long>(draws.below(side_ - piece + 1));
      (void)drawing.stamp(part, down, across, {1});
    }
    const std::vector<std::string_view> margin(high + 2, "#####");
    const auto y = static_cast<long>(row), x = static_cast<long>(column);
    (void)drawing.stamp(margin, y - 1, x - 1, {0});
    Example example;
    example.fields.resize(2);
    link_to(example, 0, drawing.stamp({digits[value].begin(), digits[value].end()}, y, x, {1}),
            LinkKind::means);
    example.fields[0] = drawing.filling();
    example.fields[1].words = {static_cast<std::uint16_t>(value + 3)};
    return example;
  }

 private:
  std::size_t side_, pieces_;
  std::vector<std::string> words_, none_;
};

}  // namespace

extern const Task glyphs_task;
const Task glyphs_task{.id = "task-glyphs",
                       .fields = {{.name = "image", .numbers = true}, {"target", true}},
                       .knobs = {{"side", 16, 8, 32}, {"pieces", 8, 0, 30}},
                       .open = opened<Glyphs>};
}  // namespace attend::glyphs_entry
