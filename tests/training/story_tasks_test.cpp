// SPDX-License-Identifier: Apache-2.0
// Opinions, stories, neighbours and parents of words: judged by hand, and the drawn ones again by other means.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

#include "ops/error.h"
#include "tests/training/task_text.h"
#include "training/task.h"

namespace attend::story_tasks_test {
namespace {

using Tokens = std::vector<std::string>;
using testing::joined;
using testing::opened;
using testing::words;
using Columns = std::set<std::size_t>;

std::vector<Example> drawn(const TaskSource& source, int count) {
  Draws some(RandomStream(5, "test"));
  std::vector<Example> list;
  for (int i = 0; i < count; ++i) list.push_back(source.draw(some));
  return list;
}

Columns columns(const Example& example, std::size_t row, LinkKind kind) {
  Columns list;
  for (const Link& link : example.links) {
    if (link.row == row && link.kind == kind) list.insert(link.column);
  }
  return list;
}

bool in(const std::string& word, const std::string& list) {
  const Tokens all = words(list);
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::vector<Tokens> sentences(const Tokens& text) {
  std::vector<Tokens> list(1);
  for (const std::string& word : text) {
    if (word == ".")
      list.emplace_back();
    else
      list.back().push_back(word);
  }
  list.pop_back();
  return list;
}

}  // namespace

TEST_CASE("the one opinion of a review is judged by hand, and the deciding words are marked") {
  const auto source = opened("task-opinions");
  struct Judged {
    const char *review, *says;
    Columns means, agrees;
  };
  const std::vector<Judged> rows{
      {"the film was good .", "good", {3}, {1}},
      {"they came at noon . the film was not very dull .", "good", {8, 10}, {6}},
      {"we did not like the coffee . she paid by card .", "bad", {2, 3}, {5}},
      {"I really hated the old hotel", "bad", {2}, {5}},
      {"she paid by card .", "neither", {}, {}}};
  for (const Judged& row : rows) {
    CAPTURE(row.review);
    const auto example = source->answer(words(row.review));
    REQUIRE(example.has_value());
    CHECK(joined(tokens_of(*source, 1, example->fields[1])) == row.says);
    CHECK(columns(*example, 0, LinkKind::means) == row.means);
    CHECK(columns(*example, 0, LinkKind::agrees) == row.agrees);
  }
  CHECK(!source->answer(words("the film was good . the food was bad .")).has_value());
  CHECK(!source->answer(words("the film was tasty .")).has_value());
}

TEST_CASE("drawn reviews have one opinion at most, and sentences of one length where that is set") {
  const std::string bad =
      "bad awful poor dull terrible boring dreadful rude hate hated dislike disliked regret "
      "regretted not never";
  const auto any = opened("task-opinions");
  std::map<std::string, int> answers;
  for (const Example& example : drawn(*any, 500)) {
    const Tokens review = tokens_of(*any, 0, example.fields[0]);
    const std::string says = joined(tokens_of(*any, 1, example.fields[1]));
    ++answers[says];
    // Each deciding word that blames or negates turns the verdict around.
    const Columns deciding = columns(example, 0, LinkKind::means);
    const auto turns = std::count_if(deciding.begin(), deciding.end(),
                                     [&](std::size_t i) { return in(review[i], bad); });
    CHECK(says == (deciding.empty() ? "neither" : turns % 2 == 0 ? "good" : "bad"));
    CHECK(deciding.empty() == columns(example, 0, LinkKind::agrees).empty());
  }
  CHECK(answers["good"] > 150);
  CHECK(answers["bad"] > 150);
  CHECK(answers["neither"] > 20);
  for (const double length : {4., 5., 6.}) {
    const auto even = opened("task-opinions", {{"words", length}});
    for (const Example& example : drawn(*even, 50)) {
      for (const Tokens& sentence : sentences(tokens_of(*even, 0, example.fields[0])))
        CHECK(static_cast<double>(sentence.size()) == length);
    }
  }
  CHECK_THROWS_WITH((void)opened("task-opinions", {{"words", 3.}}), doctest::Contains("found 3"));
  CHECK_THROWS_WITH((void)opened("task-opinions", {{"fewest", 4.}, {"most", 2.}}),
                    doctest::Contains("more than the maximum"));
}

TEST_CASE("questions about a story are answered by hand, from one sentence or two") {
  const auto source = opened("task-story");
  const std::string story =
      "Mary took the milk . John went to the park . Mary ran to the garden . Mary walked to the "
      "school .";
  struct Asked {
    const char *question, *says;
    Columns means, agrees;
  };
  const std::vector<Asked> rows{{"where is John", "park", {9}, {5}},
                                {"where is Mary", "school", {21}, {17}},
                                {"where is the milk", "school", {21}, {0, 3, 17}}};
  for (const Asked& row : rows) {
    CAPTURE(row.question);
    const auto example = source->answer_to({words(story), words(row.question)});
    REQUIRE(example.has_value());
    CHECK(joined(tokens_of(*source, 2, example->fields[2])) == row.says);
    CHECK(columns(*example, 0, LinkKind::means) == row.means);
    CHECK(columns(*example, 0, LinkKind::agrees) == row.agrees);
  }
  for (const char* question : {"where is Anna", "where is the ball", "where is", "is where Mary"}) {
    CAPTURE(question);
    CHECK(!source->answer_to({words(story), words(question)}).has_value());
  }
  for (const char* other : {"Mary went to the milk .", "Mary went to the garden", "went Mary ."}) {
    CAPTURE(other);
    CHECK(!source->answer_to({words(other), words("where is Mary")}).has_value());
  }
}

// The story is acted: everybody stands somewhere and carries things.
TEST_CASE("drawn stories are answered by acting them") {
  const auto source = opened("task-story", {{"two", .5}, {"most", 6.}});
  std::map<std::size_t, int> lengths;
  int things = 0;
  for (const Example& example : drawn(*source, 500)) {
    std::map<std::string, std::string> stands, carried;
    const auto story = sentences(tokens_of(*source, 0, example.fields[0]));
    for (const Tokens& sentence : story)
      (sentence.size() == 5 ? stands[sentence[0]] : carried[sentence.back()]) =
          sentence.size() == 5 ? sentence.back() : sentence[0];
    ++lengths[story.size()];
    const Tokens question = tokens_of(*source, 1, example.fields[1]);
    const bool thing = question.size() == 4;
    things += thing ? 1 : 0;
    CHECK(joined(tokens_of(*source, 2, example.fields[2])) ==
          stands.at(thing ? carried.at(question.back()) : question.back()));
    CHECK(columns(example, 0, LinkKind::means).size() == 1);
    CHECK(columns(example, 0, LinkKind::agrees).size() == (thing ? 3 : 1));
  }
  CHECK(lengths.size() == 5);
  CHECK(things > 200);
  CHECK(things < 300);
  CHECK_THROWS_WITH((void)opened("task-story", {{"fewest", 1.}}), doctest::Contains("2 sentences"));
}

TEST_CASE("the largest digit among the neighbours on a ring, its own left out") {
  const auto source = opened("task-neighbours", {{"nodes", 5.}, {"reach", 1.}});
  const auto example = source->answer(words("3 7 1 7 9"));
  REQUIRE(example.has_value());
  CHECK(joined(tokens_of(*source, 1, example->fields[1])) == "9 3 7 9 7");
  CHECK(columns(*example, 0, LinkKind::means) == Columns{4});
  CHECK(columns(*example, 2, LinkKind::means) == Columns{1, 3});
  CHECK(!source->answer(words("3 7 1 7")).has_value());
  CHECK_THROWS_WITH((void)opened("task-neighbours", {{"nodes", 4.}, {"reach", 2.}}),
                    doctest::Contains("at least 5 nodes"));
}

TEST_CASE("parents of words by hand, and sentences that are none") {
  const auto source = opened("task-parents");
  const auto example =
      source->answer(words("<root> the old cat that hears a dog sees the bird today"));
  REQUIRE(example.has_value());
  CHECK(joined(tokens_of(*source, 1, example->fields[1])) ==
        "<root> cat cat sees hears cat dog hears <root> bird sees sees");
  CHECK(columns(*example, 8, LinkKind::means) == Columns{0});
  CHECK(columns(*example, 5, LinkKind::means) == Columns{3});
  for (const char* other :
       {"<root> the cat sees", "the cat sees a dog", "<root> the cat sees a dog cat",
        "<root> the cat that sees a dog", "<root> cat sees a dog"}) {
    CAPTURE(other);
    CHECK(!source->answer(words(other)).has_value());
  }
  // A parent is named by its word, so no noun and no verb comes twice.
  for (const Example& one : drawn(*source, 300)) {
    const Tokens read = tokens_of(*source, 0, one.fields[0]);
    const Tokens says = tokens_of(*source, 1, one.fields[1]);
    REQUIRE(read.size() == says.size());
    for (const std::string& parent : says) CHECK(std::count(read.begin(), read.end(), parent) == 1);
    // The main verb alone hangs on the root, which hangs on itself.
    CHECK(std::count(says.begin(), says.end(), "<root>") == 2);
  }
}

TEST_CASE("frames of sound become letters, and silence parts equal ones") {
  const auto source = opened("task-sound");
  const auto example = source->answer(words("a a _ e e l _ l l _"));
  REQUIRE(example.has_value());
  CHECK(joined(tokens_of(*source, 1, example->fields[1])) == "a e l l <end>");
  CHECK(columns(*example, 2, LinkKind::means) == Columns{5});
  CHECK(columns(*example, 3, LinkKind::means) == Columns{7, 8});
  CHECK(columns(*example, 4, LinkKind::means).empty());
  for (const char* other : {"a a _", "_ _", ""}) CHECK(!source->answer(words(other)).has_value());
  for (const Example& one : drawn(*source, 300)) {
    const Tokens read = tokens_of(*source, 0, one.fields[0]);
    CHECK(read.size() % 2 == 0);
    // What is left without silence and repetitions.
    std::string kept, before = "_";
    for (const std::string& frame : read) {
      if (frame != before && frame != "_") kept += frame + " ";
      before = frame;
    }
    CHECK(joined(tokens_of(*source, 1, one.fields[1])) == kept + "<end>");
  }
}

}  // namespace attend::story_tasks_test
