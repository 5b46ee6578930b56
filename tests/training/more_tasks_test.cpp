// SPDX-License-Identifier: Apache-2.0
// Reviews, sets and images: the truth found again by other means than the tasks'.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <numeric>
#include <set>

#include "ops/error.h"
#include "training/data.h"

namespace attend::more_tasks_test {
namespace {

using Tokens = std::vector<std::string>;

TaskSettings settings_of(const Task& task, const std::map<std::string, TaskValue>& changes = {}) {
  TaskSettings settings;
  for (const TaskKnob& knob : task.knobs)
    settings.values.emplace(knob.name, knob.text ? TaskValue(std::string()) : knob.fallback);
  for (const auto& [name, value] : changes) settings.values.insert_or_assign(name, value);
  return settings;
}

std::vector<Example> drawn(const char* id, int count,
                           const std::map<std::string, TaskValue>& changes = {}) {
  const Task& task = task_named(id);
  const auto source = task.open(settings_of(task, changes));
  Draws some(RandomStream(5, "test"));
  std::vector<Example> list;
  for (int i = 0; i < count; ++i) list.push_back(source->draw(some));
  return list;
}

// Columns of one kind in one row.
std::set<std::size_t> columns(const Example& example, std::size_t row, LinkKind kind) {
  std::set<std::size_t> list;
  for (const Link& link : example.links) {
    if (link.row == row && link.kind == kind) list.insert(link.column);
  }
  return list;
}

// The words of a list between single spaces.
Tokens words(const std::string& text) {
  Tokens list{""};
  for (const char c : text) {
    if (c == ' ')
      list.emplace_back();
    else
      list.back() += c;
  }
  return list;
}

}  // namespace

TEST_CASE("a review is judged by hand, and the deciding words are marked") {
  const Task& task = task_named("task-aspects");
  const auto source = task.open(settings_of(task));
  struct Judged {
    const char *review, *asked, *says;
    std::set<std::size_t> means, agrees;
  };
  const std::vector<Judged> rows{
      {"the food was good .", "food", "good", {3}, {1}},
      {"the food was not good but the service was never very bad .", "food", "bad", {3, 4}, {1}},
      {"the food was not good but the service was never very bad .",
       "service",
       "good",
       {9, 11},
       {7}},
      {"I did not like the music . I loved the staff .", "music", "bad", {2, 3}, {5}},
      {"I did not like the music . I loved the staff .", "staff", "good", {8}, {10}},
      {"we tried the food and it was not dull .", "food", "good", {7, 8}, {3, 5}},
      {"I hated the place . it was on a monday .", "place", "bad", {1}, {3}},
      {"the price was awful .", "food", "unsaid", {}, {}}};
  for (const Judged& row : rows) {
    CAPTURE(row.review);
    CAPTURE(row.asked);
    const auto example = source->answer_to({words(row.review), {row.asked}});
    REQUIRE(example.has_value());
    CHECK(tokens_of(*source, 2, example->fields[2]) == Tokens{row.says});
    CHECK(columns(*example, 0, LinkKind::means) == row.means);
    CHECK(columns(*example, 0, LinkKind::agrees) == row.agrees);
  }
  CHECK(!source->answer_to({words("the food was good ."), {"was"}}).has_value());
  CHECK(!source->answer_to({words("the food was tasty ."), {"food"}}).has_value());
}

// Sentences and clauses are cut apart, and each is judged by what it holds: no state that runs from left to right.
TEST_CASE("drawn reviews say what their clauses say") {
  const Task& task = task_named("task-aspects");
  const auto source = task.open(settings_of(task));
  const std::set<std::string> praise{"good", "great", "lovely", "fine",
                                     "like", "liked", "love",   "loved"},
      blame{"bad", "awful", "poor", "dull", "hate", "hated"}, no{"not", "never"};
  std::map<std::string, int> answers;
  std::set<std::size_t> sentences;
  for (const Example& example : drawn("task-aspects", 500)) {
    Tokens review = tokens_of(*source, 0, example.fields[0]);
    const std::string asked = tokens_of(*source, 1, example.fields[1]).front(),
                      says = tokens_of(*source, 2, example.fields[2]).front();
    ++answers[says];
    sentences.insert(static_cast<std::size_t>(std::count(review.begin(), review.end(), ".")));
    const auto at = std::find(review.begin(), review.end(), asked);
    CHECK((at == review.end()) == (says == "unsaid"));
    if (at == review.end()) continue;
    const auto ends = [](const std::string& w) { return w == "." || w == "but"; };
    auto first = at, last = std::find_if(at, review.end(), ends);
    while (first != review.begin() && !ends(*(first - 1))) --first;
    // "and" joins two clauses, unless "it" stands behind it.
    for (auto and_at = first; and_at != last; ++and_at) {
      if (*and_at != "and" || *(and_at + 1) == "it") continue;
      if (and_at > at) {
        last = and_at;
        break;
      }
      first = and_at;
    }
    bool good = true;
    std::set<std::size_t> deciding;
    for (auto w = first; w != last; ++w) {
      if (!praise.contains(*w) && !blame.contains(*w) && !no.contains(*w)) continue;
      deciding.insert(static_cast<std::size_t>(w - review.begin()));
      if (!praise.contains(*w)) good = !good;
    }
    CAPTURE(asked);
    CHECK(says == (good ? "good" : "bad"));
    CHECK(columns(example, 0, LinkKind::means) == deciding);
    CHECK(columns(example, 0, LinkKind::agrees)
              .contains(static_cast<std::size_t>(at - review.begin())));
  }
  CHECK(sentences == std::set<std::size_t>{1, 2, 3, 4});
  CHECK(answers["good"] > 150);
  CHECK(answers["bad"] > 150);
  CHECK(answers["unsaid"] > 20);
}

TEST_CASE(
    "a handful of digits: maximum, sum and how many differ, counted by a set and a sorted list") {
  const Task& task = task_named("task-sets");
  const auto source = task.open(settings_of(task));
  std::set<std::string> asked;
  for (const Example& example : drawn("task-sets", 500)) {
    const Tokens read = tokens_of(*source, 0, example.fields[0]);
    std::vector<int> items;
    for (std::size_t i = 1; i < read.size(); ++i) items.push_back(std::stoi(read[i]));
    std::vector<int> sorted = items;
    std::sort(sorted.begin(), sorted.end());
    const std::set<int> different(items.begin(), items.end());
    const int says = std::stoi(tokens_of(*source, 1, example.fields[1]).front());
    const std::set<std::size_t> means = columns(example, 0, LinkKind::means);
    asked.insert(read[0]);
    std::set<int> looked_at;
    for (const std::size_t column : means) looked_at.insert(items.at(column - 1));
    if (read[0] == "maximum") {
      CHECK(says == sorted.back());
      CHECK(looked_at == std::set<int>{sorted.back()});
    } else if (read[0] == "sum") {
      CHECK(says == std::accumulate(items.begin(), items.end(), 0));
      CHECK(means.size() == items.size());
    } else {
      CHECK(says == static_cast<int>(different.size()));
      CHECK(looked_at == different);
      CHECK(means.size() == different.size());
    }
  }
  CHECK(asked == std::set<std::string>{"maximum", "sum", "different"});
  for (const Example& example : drawn("task-sets", 20, {{"question", std::string("sum")}}))
    CHECK(tokens_of(*source, 0, example.fields[0]).front() == "sum");
  CHECK_THROWS_WITH((void)task.open(settings_of(task, {{"question", std::string("median")}})),
                    doctest::Contains("found \"median\""));
  CHECK_THROWS_WITH(
      DataSet(task, *task.open(settings_of(task, {{"fewest", 2.0}, {"most", 2.0}})), 1, 4),
      doctest::Contains("300 different examples"));
}

// The picture is read pixel by pixel: colour from the channels, figure from how many pixels of its square are full.
TEST_CASE("a drawing is told as a reader of its pixels would tell it") {
  const Task& task = task_named("task-shapes");
  const auto source = task.open(settings_of(task, {{"fewest", 1.0}, {"most", 3.0}}));
  const std::map<int, std::string> by_pixels{
      {16, "square"}, {12, "circle"}, {10, "triangle"}, {8, "cross"}};
  const std::map<int, std::string> by_light{{1, "red"}, {2, "green"}, {4, "blue"}, {3, "yellow"}};
  Draws some(RandomStream(9, "test"));
  std::set<std::size_t> lengths;
  for (int i = 0; i < 300; ++i) {
    const Example example = source->draw(some);
    const Filling& image = example.fields[0];
    REQUIRE(image.shape == Shape{16, 16, 3});
    Tokens told;
    std::vector<std::set<std::size_t>> where;  // of each word that means something
    std::size_t last_row = 9;
    for (std::size_t place = 0; place < 16; ++place) {
      int full = 0, light = 0;
      std::set<std::size_t> pixels;
      for (std::size_t p = 0; p < 16; ++p) {
        const std::size_t pixel = (place / 4 * 4 + p / 4) * 16 + place % 4 * 4 + p % 4;
        int own = 0;
        for (int c = 0; c < 3; ++c)
          own += image.numbers[pixel * 3 + static_cast<std::size_t>(c)] > 0 ? 1 << c : 0;
        if (own == 0) continue;
        ++full;
        light = own;
        pixels.insert(pixel);
      }
      if (full == 0) continue;
      if (!told.empty() && last_row == place / 4) {
        told.insert(told.end(), {"left", "of"});
        where.resize(told.size());
      } else if (!told.empty()) {
        told.emplace_back("above");
        where.resize(told.size());
      }
      last_row = place / 4;
      told.insert(told.end(), {"a", by_light.at(light), by_pixels.at(full)});
      where.insert(where.end(), {std::set<std::size_t>{}, pixels, pixels});
    }
    told.emplace_back("<end>");
    where.emplace_back();
    CHECK(tokens_of(*source, 1, example.fields[1]) == told);
    for (std::size_t row = 0; row < told.size(); ++row)
      CHECK(columns(example, row, LinkKind::means) == where[row]);
    lengths.insert(told.size());
  }
  CHECK(lengths.size() > 3);
  CHECK_THROWS_WITH(
      DataSet(task, *task.open(settings_of(task, {{"fewest", 1.0}, {"most", 1.0}})), 1, 4),
      doctest::Contains("256 different examples"));
}

// All places of the image are compared with ten pictures kept here.
TEST_CASE("a cluttered image holds one whole digit with a margin, where the truth says") {
  const Task& task = task_named("task-glyphs");
  const auto source = task.open(settings_of(task));
  const std::vector<std::string> pictures{"####.##.##.####", ".#.##..#..#.###", "###..#####..###",
                                          "###..#.##..####", "#.##.####..#..#", "####..###..####",
                                          "####..####.####", "###..#..#.#..#.", "####.#####.####",
                                          "####.####..####"};
  std::map<std::string, int> count;
  for (const Example& example : drawn("task-glyphs", 300)) {
    const Filling& image = example.fields[0];
    REQUIRE(image.shape == Shape{16, 16});
    const auto lit = [&](long y, long x) {
      return y >= 0 && x >= 0 && y < 16 && x < 16 &&
             image.numbers[static_cast<std::size_t>(y * 16 + x)] > 0;
    };
    std::vector<std::pair<std::string, std::set<std::size_t>>> found;
    for (long y = 0; y <= 11; ++y) {
      for (long x = 0; x <= 13; ++x) {
        std::string seen;
        std::set<std::size_t> pixels;
        bool margin = true;
        for (long r = -1; r <= 5; ++r) {
          for (long c = -1; c <= 3; ++c) {
            const bool inside = r >= 0 && c >= 0 && r < 5 && c < 3;
            if (inside) seen += lit(y + r, x + c) ? '#' : '.';
            if (inside && lit(y + r, x + c))
              pixels.insert(static_cast<std::size_t>((y + r) * 16 + x + c));
            margin = margin && (inside || !lit(y + r, x + c));
          }
        }
        const auto digit = std::find(pictures.begin(), pictures.end(), seen);
        if (margin && digit != pictures.end())
          found.emplace_back(std::to_string(digit - pictures.begin()), pixels);
      }
    }
    REQUIRE(found.size() == 1);
    CHECK(tokens_of(*source, 1, example.fields[1]) == Tokens{found[0].first});
    CHECK(columns(example, 0, LinkKind::means) == found[0].second);
    ++count[found[0].first];
    CHECK(std::count_if(image.numbers.begin(), image.numbers.end(), [](float x) { return x > 0; }) >
          static_cast<long>(found[0].second.size()));
  }
  CHECK(count.size() == 10);
}

}  // namespace attend::more_tasks_test
