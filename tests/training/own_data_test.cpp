// SPDX-License-Identifier: Apache-2.0
// A reader's own data, and all that may be wrong with it.
#include "training/own_data.h"

#include <doctest/doctest.h>
#include <map>

#include "ops/error.h"
#include "training/data.h"

namespace attend::own_data_test {
namespace {

std::unique_ptr<TaskSource> opened(const char* id, const std::string& text,
                                   const std::map<std::string, TaskValue>& changes = {}) {
  const Task& task = task_named(id);
  TaskSettings settings;
  for (const TaskKnob& knob : task.knobs)
    settings.values.emplace(knob.name, knob.text ? TaskValue(std::string()) : knob.fallback);
  settings.values.insert_or_assign("text", text);
  for (const auto& [name, value] : changes) settings.values.insert_or_assign(name, value);
  return task.open(settings);
}

std::string refusal(const char* id, const std::string& text,
                    const std::map<std::string, TaskValue>& changes = {}) {
  try {
    (void)opened(id, text, changes);
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return "nothing was refused";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("pasted pairs become examples, whatever the editor put at the ends of lines") {
  const auto source =
      opened("task-pairs",
             "\xEF\xBB\xBFguten Tag\tgood  day\r\n\r\n  \nbitte\tplease\r\ndanke\tthank you");
  REQUIRE(source->listed().size() == 3);
  const Example& first = source->listed()[0];
  CHECK(tokens_of(*source, 0, first.fields[0]) == std::vector<std::string>{"guten", "Tag"});
  CHECK(tokens_of(*source, 1, first.fields[1]) == std::vector<std::string>{"good", "day", "<end>"});
  CHECK(first.links.empty());
  const auto known = source->answer({"danke"});
  REQUIRE(known.has_value());
  CHECK(tokens_of(*source, 1, known->fields[1]) ==
        std::vector<std::string>{"thank", "you", "<end>"});
  CHECK(!source->answer({"Tag", "guten"}).has_value());
  const auto letters = opened("task-pairs", "ab c\tx\nd\ty", {{"by", std::string("characters")}});
  CHECK(tokens_of(*letters, 0, letters->listed()[0].fields[0]) ==
        std::vector<std::string>{"a", "b", "␣", "c"});
}

TEST_CASE("characters keep the marks that stand on them") {
  CHECK(characters_in("aé日\r\n") == std::vector<std::string>{"a", "é", "日", "↵"});
  CHECK(characters_in("e\xCC\x81x") == std::vector<std::string>{"e\xCC\x81", "x"});
  CHECK(characters_in("كَتَبَ").size() == 3);
  CHECK(characters_in("\xE2\x82").size() == 1);  // cut short, and read no further
}

TEST_CASE("labelled lines have one class each") {
  const auto source = opened("task-labels", "so good\tvery happy\nso bad\tsad\ngood\tvery happy");
  CHECK(source->words(1) ==
        std::vector<std::string>{"<start>", "<end>", "<unknown>", "very happy", "sad"});
  CHECK(source->listed()[2].fields[1].words == std::vector<std::uint16_t>{3});
  CHECK(has(refusal("task-labels", "a\tx\nb\tx"), "every line has the label \"x\""));
}

TEST_CASE("a text is cut into windows that do not overlap, each with what comes next") {
  const auto source = opened("task-text", "abcdefghijklm", {{"length", 4.0}});
  REQUIRE(source->listed().size() == 3);
  CHECK(tokens_of(*source, 0, source->listed()[1].fields[0]) ==
        std::vector<std::string>{"e", "f", "g", "h"});
  CHECK(tokens_of(*source, 1, source->listed()[1].fields[1]) ==
        std::vector<std::string>{"f", "g", "h", "i"});
  const auto next = source->answer({"k", "l"});
  CHECK(tokens_of(*source, 1, next->fields[1]) == std::vector<std::string>{"l", "m"});
  CHECK(tokens_of(*source, 1, source->answer({"a", "a"})->fields[1]).back() == "<unknown>");
  CHECK(has(refusal("task-text", "abc", {{"length", 4.0}}), "which makes 9"));
  // By words a line's end is a space.
  const auto words = opened("task-text", "one two three\nfour five\n\nsix seven  eight nine",
                            {{"length", 4.0}, {"by", std::string("words")}});
  CHECK(tokens_of(*words, 0, words->listed()[0].fields[0]) ==
        std::vector<std::string>{"one", "two", "three", "four"});
  CHECK(tokens_of(*words, 1, words->listed()[1].fields[1]) ==
        std::vector<std::string>{"six", "seven", "eight", "nine"});
  CHECK(has(refusal("task-text", "a b", {{"length", 4.0}, {"by", std::string("words")}}),
            "it has 2 words"));
  CHECK(has(refusal("task-text", "abcdefghijk", {{"length", 4.0}, {"by", std::string("lines")}}),
            "/by: "));
  CHECK(has(refusal("task-text", std::string(100, 'a'), {{"length", 4.0}}), "the same one"));
}

TEST_CASE("bad lines are named") {
  CHECK(has(refusal("task-pairs", ""), "/text: expected text, found nothing"));
  CHECK(has(refusal("task-pairs", " \n\r\n"), "found nothing"));
  CHECK(has(refusal("task-pairs", "one\ttwo"), "at least two different sources"));
  CHECK(has(refusal("task-pairs", "a\tb\na\tc"), "the same one in every line"));
  CHECK(has(
      refusal("task-pairs", "a\tb\n\nc\t\n"),
      "line 3, \"c\\u0009\": expected a source, a tab, and its target; found nothing after the tab"));
  CHECK(has(refusal("task-pairs", "a\tb\n\tc"), "line 2"));
  CHECK(has(refusal("task-pairs", "a\tb\nc d"), "found no tab"));
  CHECK(has(refusal("task-pairs", "a\tb\tc\nd\te"), "found 2 tabs"));
  CHECK(has(refusal("task-pairs", "a\tb\nc\td", {{"by", std::string("syllables")}}), "/by: "));
  std::string million;
  for (int i = 0; i < 1'000'000; ++i) million += "a\tb\n";
  CHECK(has(refusal("task-pairs", million), "it has 1000000 lines; at most 100000"));
  CHECK(has(refusal("task-text", std::string(5'000'000, 'x')), "it has 5000000 bytes"));
  std::string wide = "a\tb\n";
  for (int i = 0; i < 70; ++i) wide += "w ";
  CHECK(has(refusal("task-pairs", wide + "\tc"), "line 2 has 70 words on one side"));
  std::string many;
  for (int i = 0; i < 6000; ++i) many += "w" + std::to_string(i) + "\tb\n";
  CHECK(has(refusal("task-pairs", many), "more than 5000 different words"));
}

TEST_CASE(
    "a tenth of a reader's own data is held out, and a batch larger than the rest is refused") {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "w" + std::to_string(i % 50) + "\tb" + std::to_string(i) + "\n";
  const auto source = opened("task-pairs", text);
  const Task& task = task_named("task-pairs");
  const DataSet data(task, *source, 1, 8);
  CHECK(data.held_out().size() == 6);
  std::size_t learned = 0;
  const Epoch first = data.epoch(0);
  for (const Example& example : first.examples) {
    ++learned;
    for (const Example& held : data.held_out())
      CHECK(held.fields[0].words != example.fields[0].words);
  }
  // Ten sources stand there twice, and go together.
  CHECK(learned <= 54);
  CHECK(learned >= 48);
  CHECK_THROWS_WITH(DataSet(task, *source, 1, 64), doctest::Contains("batch of 64 is larger"));
}

}  // namespace attend::own_data_test
