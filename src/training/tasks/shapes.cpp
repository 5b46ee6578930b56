// SPDX-License-Identifier: Apache-2.0
// Drawings that are to be told: "a red circle left of a blue square". A word means the thing that it names.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/error.h"
#include "training/drawing.h"

namespace attend::shapes_entry {
namespace {

constexpr std::size_t cell = 4;  // pixels of a place's side

struct Colour {
  std::string_view name;
  std::array<float, 3> light;
};
constexpr std::array<Colour, 4> colours{
    {{"red", {1, 0, 0}}, {"green", {0, 1, 0}}, {"blue", {0, 0, 1}}, {"yellow", {1, 1, 0}}}};

struct Figure {
  std::string_view name;
  std::array<std::string_view, cell> rows;
};
constexpr std::array<Figure, 4> figures{{{"square", {"####", "####", "####", "####"}},
                                         {"circle", {".##.", "####", "####", ".##."}},
                                         {"triangle", {"#...", "##..", "###.", "####"}},
                                         {"cross", {"#..#", ".##.", ".##.", "#..#"}}}};

// The words behind the special ones: these, then colours, then figures.
constexpr std::array<std::string_view, 4> little{"a", "left", "of", "above"};

class Shapes : public TaskSource {
 public:
  explicit Shapes(const TaskSettings& settings)
      : side_(settings.count("places")),
        fewest_(settings.count("fewest")),
        most_(settings.count("most")) {
    if (fewest_ > most_)
      refuse("/fewest", "the minimum number of things is " + std::to_string(fewest_) +
                            ", more than the maximum, " + std::to_string(most_));
    std::vector<std::string> list(little.begin(), little.end());
    for (const Colour& colour : colours) list.emplace_back(colour.name);
    for (const Figure& figure : figures) list.emplace_back(figure.name);
    words_ = vocabulary_of(std::move(list));
  }

  [[nodiscard]] const std::vector<std::string>& words(std::size_t field) const override {
    return field == 0 ? none_ : words_;
  }
  [[nodiscard]] double space() const override {
    double sum = 0;
    for (std::size_t n = fewest_; n <= most_; ++n) {
      double one = 1;
      for (std::size_t k = 0; k < n; ++k)
        one *= static_cast<double>(colours.size() * figures.size() * (side_ * side_ - k)) /
               static_cast<double>(k + 1);
      sum += one;
    }
    return sum;
  }

  [[nodiscard]] Example draw(Draws& draws) const override {
    std::vector<std::size_t> places(side_ * side_);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    draws.shuffle(places);
    places.resize(fewest_ + draws.below(most_ - fewest_ + 1));
    std::sort(places.begin(), places.end());
    Drawing drawing(side_ * cell, side_ * cell, 3);
    Example example;
    example.fields.resize(2);
    std::vector<std::uint16_t>& told = example.fields[1].words;
    std::vector<std::size_t> before;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::size_t colour = draws.below(colours.size()), figure = draws.below(figures.size());
      const std::size_t row = places[k] / side_, column = places[k] % side_;
      const auto& light = colours[colour].light;
      const auto& rows = figures[figure].rows;
      const std::vector<std::size_t> pixels =
          drawing.stamp({rows.begin(), rows.end()}, static_cast<long>(row * cell),
                        static_cast<long>(column * cell), {light.begin(), light.end()});
      const auto say = [&](std::size_t word, LinkKind kind, bool both) {
        link_to(example, told.size(), pixels, kind);
        if (both) link_to(example, told.size(), before, kind);
        told.push_back(static_cast<std::uint16_t>(word + 3));
      };
      if (k > 0 && row == places[k - 1] / side_) {
        say(1, LinkKind::agrees, true);
        say(2, LinkKind::agrees, true);
      } else if (k > 0) {
        say(3, LinkKind::agrees, true);
      }
      say(0, LinkKind::agrees, false);
      say(little.size() + colour, LinkKind::means, false);
      say(little.size() + colours.size() + figure, LinkKind::means, false);
      before = pixels;
    }
    told.push_back(end_word);
    example.fields[0] = drawing.filling();
    return example;
  }

 private:
  std::size_t side_, fewest_, most_;
  std::vector<std::string> words_, none_;
};

}  // namespace

extern const Task shapes_task;
const Task shapes_task{.id = "task-shapes",
                       .fields = {{.name = "image", .numbers = true}, {"target", true}},
                       .knobs = {{"places", 4, 2, 6}, {"fewest", 2, 1, 4}, {"most", 2, 1, 4}},
                       .open = opened<Shapes>};
}  // namespace attend::shapes_entry
