// SPDX-License-Identifier: Apache-2.0
// What every task promises, and what only one of them does.
#include <algorithm>
#include <doctest/doctest.h>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "ops/error.h"
#include "training/data.h"

namespace attend::tasks_test {
namespace {

TaskSettings defaults(const Task& task, const std::map<std::string, double>& changes = {}) {
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

// The tasks that make their examples themselves.
std::vector<const Task*> made_up() {
  std::vector<const Task*> list;
  for (const Task* task : all_tasks()) {
    if (std::none_of(task->knobs.begin(), task->knobs.end(),
                     [](const TaskKnob& knob) { return knob.name == "text"; }))
      list.push_back(task);
  }
  return list;
}

Draws draws(std::uint64_t seed) { return Draws(RandomStream(seed, "test")); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The answer to a source, and its links as "row-column" with = for means and ~ for agrees.
struct Solved {
  std::string answer, links;
};
Solved solved(const char* id, const std::vector<std::string>& source,
              const std::map<std::string, double>& changes = {}) {
  const Task& task = task_named(id);
  const auto made = task.open(defaults(task, changes));
  const auto example = made->answer(source);
  if (!example) return {"nothing", ""};
  Solved result{joined(tokens_of(*made, 1, example->fields[1])), ""};
  for (const Link& link : example->links)
    result.links += (result.links.empty() ? "" : " ") + std::to_string(link.row) +
                    (link.kind == LinkKind::means ? "=" : "~") + std::to_string(link.column);
  return result;
}

}  // namespace

TEST_CASE("the example of every kind of source is one that the task makes") {
  std::size_t forms = 0;
  for (const Task* task : made_up()) {
    const auto source = task->open(defaults(*task));
    for (const std::string_view form : task->forms) {
      CAPTURE(form);
      ++forms;
      std::istringstream words{std::string(form)};
      CHECK(source->answer({std::istream_iterator<std::string>(words), {}}).has_value());
    }
  }
  CHECK(forms == 4);
}

TEST_CASE("a translation's kinds of sentences are all that it draws") {
  const Task& task = task_named("task-translate");
  const auto source = task.open(defaults(task));
  const std::set<std::string> pronouns{"I", "you", "he", "she", "we", "they"};
  const std::set<std::string> objects{"me", "you", "him", "her", "us", "them"};
  const std::set<std::string> every{"love",  "see",  "help",  "find",  "hear",
                                    "loves", "sees", "helps", "finds", "hears"};
  const std::set<std::string> three{"love", "see", "find", "loves", "sees", "finds"};
  const std::set<std::string> colours{"red", "black", "green"};
  Draws some = draws(3);
  std::set<int> met;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> words = tokens_of(*source, 0, source->draw(some).fields[0]);
    CAPTURE(joined(words));
    const auto take = [&words] {
      std::string first = words.empty() ? "" : words.front();
      if (!words.empty()) words.erase(words.begin());
      return first;
    };
    const auto denied = [&] {
      if (words.front() != "do" && words.front() != "does") return;
      take();
      CHECK(take() == "not");
    };
    const std::string first = take();
    if (pronouns.contains(first)) {
      denied();
      const std::string verb = take();
      REQUIRE(every.contains(verb));
      met.insert(words.size() == 1 ? 2 : 1);
      if (words.size() == 1) {
        CHECK(objects.contains(words.front()));
        continue;
      }
      CHECK(three.contains(verb));
      const std::string article = take();
      CHECK((article == "the" || article == "a"));
      if (words.size() == 2) CHECK(colours.contains(take()));
      CHECK(words.size() == 1);
      continue;
    }
    CHECK((first == "the" || first == "a"));
    const std::string noun = take();
    if (words.front() == "is") {
      take();
      if (words.size() == 2) CHECK(take() == "not");
      CHECK(colours.contains(take()));
      met.insert(4);
      continue;
    }
    CHECK((noun == "cat" || noun == "girl"));
    denied();
    CHECK(every.contains(take()));
    CHECK(objects.contains(take()));
    met.insert(3);
  }
  CHECK(met.size() == task.forms.size());
}

TEST_CASE("every task draws what it knows the answer to, with links that lie inside") {
  CHECK(made_up().size() == 23);
  for (const Task* task : made_up()) {
    CAPTURE(task->id);
    CHECK(task->id.starts_with("task-"));
    REQUIRE(task->answer() < task->fields.size());
    const auto source = task->open(defaults(*task));
    Draws some = draws(1);
    std::size_t links = 0;
    for (int i = 0; i < 200; ++i) {
      const Example example = source->draw(some);
      REQUIRE(example.fields.size() == task->fields.size());
      const Filling& aligned = example.fields[task->aligned()];
      std::vector<std::vector<std::string>> read;
      for (std::size_t k = 0; k < task->fields.size(); ++k) {
        if (k != task->answer()) read.push_back(tokens_of(*source, k, example.fields[k]));
      }
      // An image does not tell what is in it; other tests look.
      if (aligned.shape.empty()) {
        const auto truth = source->answer_to(read);
        REQUIRE(truth.has_value());
        CHECK(truth->fields == example.fields);
        CHECK(truth->links == example.links);
        CHECK(truth->asked == example.asked);
      }
      const std::size_t places =
          aligned.shape.empty() ? aligned.words.size() : aligned.shape[0] * aligned.shape[1];
      for (const Link& link : example.links) {
        CHECK(link.row < example.fields[task->answer()].words.size());
        CHECK(link.column < places);
      }
      links += example.links.size();
    }
    CHECK(links >= 200);
    CHECK(!source->answer({"no such word"}).has_value());
  }
}

TEST_CASE("the same seed draws the same data, another seed other data") {
  for (const Task* task : made_up()) {
    CAPTURE(task->id);
    const auto source = task->open(defaults(*task));
    const DataSet one(*task, *source, 3, 32), same(*task, *source, 3, 32),
        other(*task, *source, 4, 32);
    CHECK(one.held_out().front().fields == same.held_out().front().fields);
    CHECK(one.epoch(2).examples.at(7).fields == same.epoch(2).examples.at(7).fields);
    CHECK(one.epoch(2).batches.at(1).examples == same.epoch(2).batches.at(1).examples);
    const auto keys = [&](const DataSet& data) {
      std::vector<std::string> list;
      for (const Example& example : data.held_out()) list.push_back(key_of(*task, example));
      return list;
    };
    CHECK(keys(one) != keys(other));
  }
}

TEST_CASE(
    "500 examples are held out, all different, and none of them is learned from, and a batch has one shape") {
  for (const Task* task : made_up()) {
    CAPTURE(task->id);
    const auto source = task->open(defaults(*task));
    const DataSet data(*task, *source, 1, 16);
    std::set<std::string> held;
    for (const Example& example : data.held_out()) held.insert(key_of(*task, example));
    CHECK(held.size() == 500);
    const Epoch epoch = data.epoch(0);
    CHECK(epoch.batches.size() > 60);
    for (const DataBatch& batch : epoch.batches) {
      CHECK(batch.examples.size() == 16);
      for (const std::size_t place : batch.examples) {
        CHECK(bucket_of(epoch.examples.at(place)) == batch.bucket);
        CHECK(!held.contains(key_of(*task, epoch.examples[place])));
      }
    }
  }
}

TEST_CASE("a task with too few different examples says so") {
  const Task& task = task_named("task-reverse");
  const auto source = task.open(defaults(task, {{"shortest", 3}, {"longest", 3}, {"symbols", 5}}));
  CHECK(source->space() == 125);
  CHECK_THROWS_WITH(DataSet(task, *source, 1, 4), doctest::Contains("125 different examples"));
  const auto more = task.open(defaults(task, {{"shortest", 3}, {"longest", 3}, {"symbols", 11}}));
  CHECK_THROWS_WITH(DataSet(task, *more, 1, 832),
                    doctest::Contains("a batch of 832 is larger than the data: about 831"));
  CHECK(DataSet(task, *more, 1, 831).epoch(0).batches.front().examples.size() == 831);
  CHECK_THROWS_WITH((void)task.open(defaults(task, {{"shortest", 9}})),
                    doctest::Contains("shortest sequence has 9"));
  CHECK_THROWS_WITH((void)task_named("task-nothing"), doctest::Contains("task-copy, "));
}

TEST_CASE("tasks over symbols know their answers and where they come from") {
  CHECK(solved("task-copy", {"3", "1", "3"}).answer == "3 1 3 <end>");
  CHECK(solved("task-copy", {"3", "1", "3"}).links == "0=0 1=1 2=2");
  CHECK(solved("task-copy", {"3", "1"}, {{"end", 0}}).answer == "3 1");
  CHECK(solved("task-reverse", {"3", "1", "2"}).answer == "2 1 3 <end>");
  CHECK(solved("task-reverse", {"3", "1", "2"}).links == "0=2 1=1 2=0");
  CHECK(solved("task-sort", {"3", "1", "3"}).answer == "1 3 3 <end>");
  CHECK(solved("task-sort", {"3", "1", "3"}).links == "0=1 1=0 1=2 2=0 2=2");
  CHECK(solved("task-recall", {"a", "3", "b", "7", "b"}).answer == "7");
  CHECK(solved("task-recall", {"a", "3", "b", "7", "b"}).links == "0=3 0~2");
  CHECK(solved("task-recall", {"a", "3", "b", "7", "c"}).answer == "nothing");
  CHECK(solved("task-two-hop", {"c", "e", "a", "c", "a"}).answer == "e");
  CHECK(solved("task-two-hop", {"c", "e", "a", "c", "a"}).links == "0=1 0~3 0~0");
  CHECK(solved("task-induction", {"4", "1", "5", "2", "1"}).answer == "5");
  CHECK(solved("task-induction", {"4", "1", "5", "2", "1"}).links == "0=2 0~1");
}

TEST_CASE("sums look at their columns and at where the carry comes from") {
  const Solved sum = solved("task-addition", {"4", "7", "5", "+", "0", "2", "6"});
  CHECK(sum.answer == "0 5 0 1 <end>");
  // 5 + 6 carries into 7 + 2 = 9, which hands it on to 4 + 0; nothing reaches the first place.
  CHECK(sum.links == "0~0 0~4 1=0 1=4 1~1 1~5 1~2 1~6 2=1 2=5 2~2 2~6 3=2 3=6");
  CHECK(solved("task-addition", {"9", "9", "9", "+", "0", "0", "1"}).answer == "1 0 0 0 <end>");
}

TEST_CASE("dates are read in both orders") {
  CHECK(solved("task-dates", {"1", "3", "January", "2", "0", "0", "1"}).answer ==
        "2 0 0 1 - 0 1 - 1 3 <end>");
  CHECK(solved("task-dates", {"May", "7", ",", "1", "9", "4", "5"}).answer ==
        "1 9 4 5 - 0 5 - 0 7 <end>");
  CHECK(solved("task-dates", {"May", "7", ",", "1", "9", "4", "5"}).links ==
        "0=3 1=4 2=5 3=6 5=0 6=0 8~1 9=1");
  CHECK(solved("task-dates", {"7", "7"}).answer == "nothing");
}

TEST_CASE("the small grammar of English and French") {
  CHECK(solved("task-translate", {"I", "love", "you"}).answer == "je t' aime <end>");
  // t' means you, and is t' and not te because of love; aime ends in e because of I; je would be j' before aime.
  CHECK(solved("task-translate", {"I", "love", "you"}).links == "0=0 0~1 0~2 1=2 1~1 2=1 2~0");
  CHECK(solved("task-translate", {"we", "do", "not", "see", "us"}).answer == "nothing");
  CHECK(solved("task-translate", {"we", "do", "not", "see", "you"}).links ==
        "0=0 1=1 1=2 2=4 2~3 3=3 3~0 4=1 4=2");
  CHECK(solved("task-translate", {"she", "does", "not", "see", "them"}).answer ==
        "elle ne les voit pas <end>");
  // les has one form: it means them, and nothing else decides.
  CHECK(solved("task-translate", {"she", "does", "not", "see", "them"}).links ==
        "0=0 1=1 1=2 2=4 3=3 3~0 4=1 4=2");
  CHECK(solved("task-translate", {"I", "love", "the", "green", "house"}).answer ==
        "j' aime la maison verte <end>");
  CHECK(solved("task-translate", {"I", "love", "the", "green", "house"}).links ==
        "0=0 0~1 1=1 1~0 2=2 2~4 3=4 4=3 4~4");
  CHECK(solved("task-translate", {"the", "tree", "is", "not", "black"}).answer ==
        "l' arbre n' est pas noir <end>");
  CHECK(solved("task-translate", {"the", "girl", "helps", "me"}).answer ==
        "la fille m' aide <end>");
  const Task& task = task_named("task-translate");
  const double space = task.open(defaults(task))->space();
  CHECK(space > 1300);
  CHECK(space < 1700);
}

}  // namespace attend::tasks_test
