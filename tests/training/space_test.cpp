// SPDX-License-Identifier: Apache-2.0
// How many examples a task says that it has, and which of its settings say what its words are.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

#include "ops/error.h"
#include "training/data.h"

namespace attend::space_test {
namespace {

TaskSettings settings_of(const Task& task, const std::map<std::string, double>& changes = {}) {
  TaskSettings settings;
  for (const TaskKnob& knob : task.knobs) {
    if (knob.text)
      settings.values.emplace(knob.name, std::string());
    else
      settings.values.emplace(knob.name, knob.fallback);
  }
  for (const auto& [name, value] : changes) settings.values.insert_or_assign(name, value);
  return settings;
}

// How many different examples come up in so many draws.
std::size_t drawn(const Task& task, const TaskSource& source, std::size_t times) {
  Draws draws(RandomStream(3, "space"));
  std::set<std::string> keys;
  for (std::size_t i = 0; i < times; ++i) keys.insert(key_of(task, source.draw(draws)));
  return keys.size();
}

std::vector<std::vector<std::string>> words_of(const Task& task, const TaskSource& source) {
  std::vector<std::vector<std::string>> all;
  for (std::size_t k = 0; k < task.fields.size(); ++k) all.push_back(source.words(k));
  return all;
}

}  // namespace

TEST_CASE("a task has as many examples as it says, where they can be counted by drawing") {
  const std::vector<std::tuple<const char*, std::map<std::string, double>, double>> rows{
      {"task-copy", {{"shortest", 1}, {"longest", 3}, {"symbols", 4}}, 84},
      {"task-reverse", {{"shortest", 2}, {"longest", 2}, {"symbols", 5}}, 25},
      {"task-sort", {{"shortest", 1}, {"longest", 2}, {"symbols", 6}}, 42},
      {"task-addition", {{"digits", 1}}, 100},
      {"task-recall", {{"fewest", 1}, {"most", 1}, {"letters", 3}}, 30},
      {"task-two-hop", {{"chains", 1}, {"letters", 4}}, 48},
      {"task-two-hop", {{"chains", 2}, {"letters", 6}}, 17280},
      {"task-induction", {{"shortest", 3}, {"longest", 4}, {"symbols", 3}}, 18},
      {"task-sets", {{"fewest", 1}, {"most", 2}}, 330},
      {"task-shapes", {{"places", 2}, {"fewest", 1}, {"most", 1}}, 64},
      {"task-translate", {{"pronouns", 1}}, 540},
      {"task-translate", {{"pronouns", 0}}, 900},
      {"task-translate", {{"pronouns", .4}}, 1440}};
  for (const auto& [id, changes, count] : rows) {
    CAPTURE(id);
    CAPTURE(count);
    const Task& task = task_named(id);
    const auto source = task.open(settings_of(task, changes));
    CHECK(source->space() == count);
    CHECK(drawn(task, *source, static_cast<std::size_t>(25 * count)) ==
          static_cast<std::size_t>(count));
  }
}

TEST_CASE("sentences of one kind alone are too few, and say so") {
  const Task& task = task_named("task-translate");
  for (const double pronouns : {0., 1.}) {
    const auto source = task.open(settings_of(task, {{"pronouns", pronouns}}));
    CHECK_THROWS_WITH(DataSet(task, *source, 1, 8), doctest::Contains("different examples"));
  }
  const Task& hops = task_named("task-two-hop");
  const auto enough = hops.open(settings_of(hops, {{"chains", 1}, {"letters", 10}}));
  CHECK(DataSet(hops, *enough, 1, 8).held_out().size() == 500);
}

TEST_CASE("a setting that decides which words there are says so, and no other does") {
  for (const Task* task : all_tasks()) {
    for (const TaskKnob& knob : task->knobs) {
      if (knob.text || task->knobs.begin()->text) continue;
      CAPTURE(task->id);
      CAPTURE(knob.name);
      const auto usual = words_of(*task, *task->open(settings_of(*task)));
      bool others = false;
      for (const double step : {knob.whole ? 1. : .1, knob.whole ? -1. : -.1}) {
        const double value = knob.fallback + step;
        if (value < knob.least || value > knob.most) continue;
        try {
          const auto changed = task->open(settings_of(*task, {{std::string(knob.name), value}}));
          others = others || words_of(*task, *changed) != usual;
        } catch (const Error&) {  // this one does not go with the others
        }
      }
      CHECK(others == knob.words);
    }
  }
}

}  // namespace attend::space_test
