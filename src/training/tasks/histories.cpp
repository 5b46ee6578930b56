// SPDX-License-Identifier: Apache-2.0
// Purchases of two people who share an account and buy by turns. Each has one project and buys for it in a fixed order,
// so that the purchase before the last one decides: "tent flour stove yeast [MASK] bowl" -> "gas" for [MASK].
#include <algorithm>
#include <array>

#include "ops/error.h"
#include "training/task.h"

namespace attend::histories_entry {
namespace {

using Tokens = std::vector<std::string>;

constexpr std::size_t steps = 6;
// Each line is what one project needs, in the order in which it is bought.
const std::vector<std::array<std::string, steps>> projects{
    {"tent", "stove", "gas", "pan", "lamp", "batteries"},
    {"flour", "yeast", "bowl", "tin", "jam", "butter"},
    {"bicycle", "helmet", "lock", "pump", "tyre", "oil"},
    {"camera", "film", "album", "frame", "glass", "hooks"},
    {"seeds", "soil", "pots", "shears", "gloves", "basket"},
    {"canvas", "paints", "brushes", "easel", "varnish", "ribbon"},
    {"wool", "needles", "pattern", "buttons", "thread", "scissors"},
    {"guitar", "strings", "tuner", "songbook", "stand", "case"}};
const std::string hidden = "[MASK]";

Tokens all_items() {
  Tokens list{hidden};
  for (const auto& project : projects) list.insert(list.end(), project.begin(), project.end());
  return list;
}

struct Item {
  std::size_t project, step;
};
std::optional<Item> item_named(const std::string& word) {
  for (std::size_t p = 0; p < projects.size(); ++p) {
    const auto& list = projects[p];
    const auto found = std::find(list.begin(), list.end(), word);
    if (found != list.end()) return Item{p, static_cast<std::size_t>(found - list.begin())};
  }
  return std::nullopt;
}

class Histories : public TaskSource {
 public:
  explicit Histories(const TaskSettings& settings)
      : fewest_(settings.count("fewest")),
        most_(settings.count("most")),
        words_(vocabulary_of(all_items())) {
    if (fewest_ > most_)
      refuse("/fewest", "each person buys at least " + std::to_string(fewest_) +
                            " things, more than the maximum, " + std::to_string(most_));
  }

  [[nodiscard]] const Tokens& words(std::size_t /*field*/) const override { return words_; }

  // Two projects, where each begins, and the one that is hidden.
  [[nodiscard]] double space() const override {
    double sum = 0;
    for (std::size_t each = fewest_; each <= most_; ++each) {
      const std::size_t begins = steps - each + 1;
      sum +=
          static_cast<double>(projects.size() * (projects.size() - 1) * begins * begins * 2 * each);
    }
    return sum;
  }

  [[nodiscard]] Example draw(Draws& draws) const override {
    const std::size_t each = fewest_ + draws.below(most_ - fewest_ + 1);
    const std::size_t first = draws.below(projects.size());
    const std::size_t second = (first + 1 + draws.below(projects.size() - 1)) % projects.size();
    const std::array<std::size_t, 2> begins{draws.below(steps - each + 1),
                                            draws.below(steps - each + 1)};
    Tokens bought;
    for (std::size_t k = 0; k < each; ++k) {
      bought.push_back(projects[first].at(begins[0] + k));
      bought.push_back(projects[second].at(begins[1] + k));
    }
    bought[draws.below(bought.size())] = hidden;
    return *answer(bought);
  }

  // One purchase is hidden, and all others are in turn those of two projects in their order.
  [[nodiscard]] std::optional<Example> answer(const Tokens& source) const override {
    if (source.size() < 2 * 2 || source.size() % 2 != 0 ||
        std::count(source.begin(), source.end(), hidden) != 1)
      return std::nullopt;
    const auto at =
        static_cast<std::size_t>(std::find(source.begin(), source.end(), hidden) - source.begin());
    std::array<std::optional<Item>, 2> begins;
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (i == at) continue;
      const auto item = item_named(source[i]);
      if (!item || item->step < i / 2) return std::nullopt;
      const Item begin{item->project, item->step - i / 2};
      auto& known = begins.at(i % 2);
      if (known && (known->project != begin.project || known->step != begin.step))
        return std::nullopt;
      known = begin;
    }
    const std::size_t each = source.size() / 2, own = begins.at(at % 2)->step + at / 2;
    if (begins[0]->project == begins[1]->project || begins[0]->step + each > steps ||
        begins[1]->step + each > steps)
      return std::nullopt;
    Tokens whole = source;
    whole[at] = projects[begins.at(at % 2)->project].at(own);
    Example example;
    example.fields = {*filling_of(*this, 0, source), *filling_of(*this, 1, whole)};
    example.asked = {at};
    for (const std::size_t near : {at - 2, at + 2}) {
      if (near < source.size()) example.links.push_back({at, near, LinkKind::means});
    }
    return example;
  }

 private:
  std::size_t fewest_, most_;
  Tokens words_;
};

}  // namespace

extern const Task histories_task;
const Task histories_task{.id = "task-histories",
                          .fields = {{"source"}, {"target", true}},
                          .knobs = {{"fewest", 3, 2, 6}, {"most", 4, 2, 6}},
                          .open = opened<Histories>};
}  // namespace attend::histories_entry
