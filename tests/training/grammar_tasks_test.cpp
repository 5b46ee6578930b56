// SPDX-License-Identifier: Apache-2.0
// The grammar of agreement: what the words so far, or the words around, determine, and which words show it. And
// purchases by turns.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

#include "ops/error.h"
#include "tests/training/task_text.h"
#include "training/task.h"

namespace attend::grammar_tasks_test {
namespace {

using Tokens = std::vector<std::string>;
using testing::joined;
using testing::opened;
using testing::words;

// "bark 1 ~4": the answer, the columns that it means, and those that it agrees with.
std::string told(const TaskSource& source, const std::optional<Example>& example) {
  if (!example) return "nothing";
  const std::size_t answer = example->fields.size() - 1;
  std::string text = joined(tokens_of(source, answer, example->fields[answer]));
  for (const Link& link : example->links)
    text += (link.kind == LinkKind::means ? " " : " ~") + std::to_string(link.column);
  return text;
}
std::string next(const std::string& text) {
  const auto source = opened("task-next-words");
  return told(*source, source->answer(words(text)));
}
std::string after(const std::string& memory, const std::string& text) {
  const auto source = opened("task-segments");
  return told(*source, source->answer_to({words(memory), words(text)}));
}

// Both sentences with their marks, the segments given by hand: so many words are of the first.
std::string unmasked(const std::string& text, std::size_t first) {
  const auto source = opened("task-masked-words");
  const Tokens read = words(text);
  Tokens segments(read.size(), "B");
  std::fill(segments.begin(), segments.begin() + static_cast<long>(first), "A");
  return told(*source, source->answer_to({read, segments}));
}

std::vector<Example> drawn(const TaskSource& source, int count) {
  Draws some(RandomStream(5, "test"));
  std::vector<Example> list;
  for (int i = 0; i < count; ++i) list.push_back(source.draw(some));
  return list;
}

}  // namespace

// Arguments are evaluated in another order by another compiler: a draw stands in a statement of its own.
TEST_CASE("a seed tells the same sentences whoever compiled the program") {
  const auto source = opened("task-next-words");
  std::string told;
  for (const Example& example : drawn(*source, 6))
    told += joined(tokens_of(*source, 0, example.fields[0])) + " | ";
  CHECK(told ==
        "the boy sees | the heavy man who likes the quiet man blames | "
        "the plane under the stars flies . today it often | the white ships | "
        "Paul and Anna who help Anna paint | the cow moos . today | ");
}

TEST_CASE("a verb agrees with its subject, and not with the noun before it") {
  CHECK(next("the dogs near the old house") == "bark 1");
  CHECK(next("the dog near the old houses") == "barks 1");
  CHECK(next("the old dog near the cats behind the small clocks") == "barks 2");
  CHECK(next("the dogs") == "bark 1");
  CHECK(next("the keys near the cabinet") == "are 1");
  CHECK(next("the key near the cabinets") == "is 1");
  // A preposition is not the end of a subject, and a sentence that is over leaves open what follows.
  CHECK(next("the dogs near the") == "nothing");
  CHECK(next("the dogs bark") == "nothing");
  CHECK(next("the dogs near the house barks .") == "nothing");
}

TEST_CASE("what people do to themselves agrees with the person and not with the one in between") {
  CHECK(next("Anna who likes Paul sees") == "herself 0");
  CHECK(next("Paul who knows the old girls hurts") == "himself 0");
  CHECK(next("Anna and Paul blame") == "themselves 0 2");
  CHECK(next("the kings who visit Mary admire") == "themselves 1");
  CHECK(next("Anna who like Paul sees") == "nothing");
  CHECK(next("Anna see") == "nothing");
  CHECK(next("Anna and Anna see") == "nothing");
  CHECK(next("the dogs see") == "nothing");
}

TEST_CASE("a second sentence is about the same subject") {
  // "they" means the dogs; "bark" agrees with them as well.
  CHECK(next("the dogs near the house bark . today") == "they 1 ~5");
  CHECK(next("the dog near the houses barks loudly . now") == "it 1 ~5");
  CHECK(next("Anna sees herself . later") == "she 0 ~2");
  CHECK(next("Anna sees herself . later she") == "is 0 ~2 5");
  CHECK(next("Anna and Paul see themselves . later they") == "are 0 2 ~4 7");
  CHECK(next("the dogs near the house bark . today they always") == "bark 1 5 ~8");
  // A doer's pronoun may be followed by "are" or by "always": the words before do not say which.
  CHECK(next("the dogs near the house bark . today they") == "nothing");
  CHECK(next("the keys near the house are old . today they") == "are 1 ~5 9");
  CHECK(next("the dogs bark . today she") == "nothing");
}

TEST_CASE("of two segments, links lead into the memory alone") {
  CHECK(after("the dogs near the house bark .", "today") == "they 1 ~5");
  CHECK(after("the dogs near the house bark .", "today they always") == "bark 1 5");
  CHECK(after("Anna sees herself .", "later she") == "is 0 ~2");
  CHECK(after("the dogs near the house", "") == "nothing");
  CHECK(after("the dogs near the house", "bark . today") == "nothing");
  CHECK(after("the dogs bark . today", "they always") == "nothing");
}

TEST_CASE("hidden words are found from both sides") {
  CHECK(unmasked("[CLS] the dogs near the house [MASK] . [SEP] today [MASK] are old . [SEP]", 9) ==
        "[CLS] the dogs near the house bark . [SEP] today they are old . [SEP] 2 ~11 2 ~11");
  CHECK(unmasked("[CLS] the dog bark . [SEP] today it is old . [SEP]", 6) == "nothing");
  // All is shown: nothing is asked.
  CHECK(unmasked("[CLS] the dog barks . [SEP] today it is old . [SEP]", 6) == "nothing");
  const std::string text = "[CLS] the dog barks . [SEP] today it [MASK] old . [SEP]";
  CHECK(unmasked(text, 6) == "[CLS] the dog barks . [SEP] today it is old . [SEP] 2 ~3 7");
  CHECK(unmasked(text, 5) == "nothing");
  CHECK(unmasked("[CLS] the [MASK] barks . [SEP] today it is old . [SEP]", 6) == "nothing");
  CHECK(unmasked("the dog [MASK] . today it is old .", 4) == "nothing");
  const auto source = opened("task-masked-words");
  for (const Example& example : drawn(*source, 300)) {
    const Tokens read = tokens_of(*source, 0, example.fields[0]),
                 whole = tokens_of(*source, 2, example.fields[2]);
    std::vector<std::size_t> hidden;
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (read[i] == "[MASK]")
        hidden.push_back(i);
      else
        CHECK(read[i] == whole[i]);
    }
    CHECK(!hidden.empty());
    CHECK(example.asked == hidden);
  }
}

TEST_CASE("every form of a sentence is drawn, and the noun in between often has another number") {
  const auto source = opened("task-next-words");
  std::map<std::string, int> answers;
  int between = 0, other = 0;
  for (const Example& example : drawn(*source, 3000)) {
    const Tokens read = tokens_of(*source, 0, example.fields[0]);
    ++answers[tokens_of(*source, 1, example.fields[1]).front()];
    if (read.size() < 5 || read[0] != "the" || std::count(read.begin(), read.end(), ".") > 0)
      continue;
    const auto ends_as_many = [](const std::string& word) {
      return word.ends_with('s') || word == "mice" || word == "wolves" || word == "men" ||
             word == "women";
    };
    const std::size_t subject = example.links.front().column;
    if (subject + 2 >= read.size() || std::find(read.begin(), read.end(), "who") != read.end())
      continue;
    ++between;
    other += ends_as_many(read[subject]) != ends_as_many(read.back()) ? 1 : 0;
  }
  // 48 forms of doers' verbs, is and are, three reflexives, four pronouns.
  CHECK(answers.size() == 48 + 2 + 3 + 4);
  CHECK(between > 300);
  CHECK(other > between / 2);
  const auto alone = opened("task-next-words", {{"second", 0.0}, {"fewest", 2.0}, {"most", 2.0}});
  for (const Example& example : drawn(*alone, 200)) {
    const Tokens read = tokens_of(*alone, 0, example.fields[0]);
    CHECK(std::count(read.begin(), read.end(), ".") == 0);
    CHECK(read.size() >= 4);
  }
}

TEST_CASE("texts of one length are of that length, and others are refused") {
  const auto source = opened("task-masked-words", {{"words", 17.0}});
  for (const Example& example : drawn(*source, 100)) CHECK(example.fields[0].words.size() == 17);
  CHECK_THROWS_WITH((void)opened("task-masked-words", {{"words", 11.0}}),
                    doctest::Contains("12 to 22 words"));
  CHECK_THROWS_WITH((void)opened("task-masked-words", {{"words", 23.0}}),
                    doctest::Contains("12 to 22 words"));
  CHECK_THROWS_WITH((void)opened("task-next-words", {{"fewest", 3.0}}),
                    doctest::Contains("more than the maximum, 2"));
  CHECK_THROWS_WITH((void)opened("task-histories", {{"fewest", 5.0}}),
                    doctest::Contains("more than the maximum, 4"));
  for (const double count : {12., 22.})
    CHECK(drawn(*opened("task-masked-words", {{"words", count}}), 5).size() == 5);
}

TEST_CASE("of purchases by turns, the one before the last decides") {
  const auto source = opened("task-histories");
  const auto bought = [&](const std::string& text) {
    return told(*source, source->answer(words(text)));
  };
  CHECK(bought("tent flour stove yeast [MASK] bowl") == "tent flour stove yeast gas bowl 2");
  CHECK(bought("tent flour [MASK] yeast gas bowl") == "tent flour stove yeast gas bowl 0 4");
  CHECK(bought("[MASK] yeast gas bowl pan tin") == "stove yeast gas bowl pan tin 2");
  // One person buys in the order of the project, and nothing else; a project is one person's.
  CHECK(bought("stove flour tent yeast [MASK] bowl") == "nothing");
  CHECK(bought("tent flour stove yeast [MASK] [MASK]") == "nothing");
  CHECK(bought("tent tent stove stove [MASK] gas") == "nothing");
  CHECK(bought("tent flour stove yeast gas bowl") == "nothing");
  // A project has six things: nothing comes before its first, and after its last.
  CHECK(bought("[MASK] yeast tent bowl") == "nothing");
  CHECK(bought("lamp yeast batteries bowl [MASK] tin") == "nothing");
  for (const Example& example : drawn(*source, 200)) {
    REQUIRE(example.asked.size() == 1);
    CHECK(tokens_of(*source, 0, example.fields[0]).at(example.asked[0]) == "[MASK]");
  }
}

}  // namespace attend::grammar_tasks_test
