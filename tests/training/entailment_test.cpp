// SPDX-License-Identifier: Apache-2.0
// Entailment: pairs of sentences judged by hand, and drawn ones by looking at worlds in which they are true or false.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

#include "ops/error.h"
#include "tests/training/task_text.h"
#include "training/task.h"

namespace attend::entailment_test {
namespace {

using Tokens = std::vector<std::string>;
using testing::joined;
using testing::words;

std::unique_ptr<TaskSource> opened(double quantified, double negated) {
  return task_named("task-entailment")
      .open({.values = {{"quantified", quantified}, {"negated", negated}}});
}

std::vector<Example> drawn(const TaskSource& source, int count) {
  Draws some(RandomStream(5, "test"));
  std::vector<Example> list;
  for (int i = 0; i < count; ++i) list.push_back(source.draw(some));
  return list;
}

// "0-1 3-2": rows and columns.
std::string pairs(const std::vector<Link>& links) {
  std::string text;
  for (const Link& link : links)
    text +=
        (text.empty() ? "" : " ") + std::to_string(link.row) + "-" + std::to_string(link.column);
  return text;
}

// What each word says, by words of its own: itself and all that it implies.
const std::map<std::string, std::string> above{
    {"dog", "animal"},     {"puppy", "dog"},     {"cat", "animal"},     {"kitten", "cat"},
    {"horse", "animal"},   {"pony", "horse"},    {"bird", "animal"},    {"crow", "bird"},
    {"duck", "bird"},      {"owl", "bird"},      {"child", "person"},   {"girl", "child"},
    {"boy", "child"},      {"adult", "person"},  {"man", "adult"},      {"woman", "adult"},
    {"sleep", "rest"},     {"doze", "sleep"},    {"sit", "rest"},       {"walk", "move"},
    {"stroll", "walk"},    {"run", "move"},      {"sprint", "run"},     {"jump", "move"},
    {"swim", "move"},      {"black", "dark"},    {"brown", "dark"},     {"white", "pale"},
    {"yellow", "pale"},    {"huge", "big"},      {"tiny", "small"},     {"delighted", "happy"},
    {"garden", "outside"}, {"park", "outside"},  {"street", "outside"}, {"field", "outside"},
    {"kitchen", "inside"}, {"office", "inside"}, {"hall", "inside"},    {"bedroom", "inside"},
    {"miserable", "sad"}};
const std::vector<Tokens> roots{{"animal", "person"}, {"rest", "move", "eat", "drink"},
                                {"dark", "pale"},     {"big", "small"},
                                {"happy", "sad"},     {"outside", "inside"}};
constexpr std::size_t aspects = 6;

bool implies(std::string word, const std::string& other) {
  for (;;) {
    if (word == other) return true;
    const auto up = above.find(word);
    if (up == above.end()) return false;
    word = up->second;
  }
}

std::string root(std::string word) {
  for (auto up = above.find(word); up != above.end(); up = above.find(word)) word = up->second;
  return word;
}

// The form that stands in `roots` and `above`: dogs and dog, sleeps and sleep.
std::string plain(const std::string& word) {
  static const std::map<std::string, std::string> odd{{"puppies", "puppy"}, {"ponies", "pony"},
                                                      {"people", "person"}, {"children", "child"},
                                                      {"men", "man"},       {"women", "woman"}};
  if (const auto found = odd.find(word); found != odd.end()) return found->second;
  const auto known = [](const std::string& one) {
    return above.contains(one) || std::any_of(roots.begin(), roots.end(), [&](const Tokens& list) {
             return std::find(list.begin(), list.end(), one) != list.end();
           });
  };
  if (known(word)) return word;
  const std::string singular = word.substr(0, word.size() - 1);
  return known(singular) ? singular : "";
}

std::size_t aspect_of(const std::string& word) {
  const std::string top = root(word);
  return static_cast<std::size_t>(std::find_if(roots.begin(), roots.end(),
                                               [&](const Tokens& list) {
                                                 return std::find(list.begin(), list.end(), top) !=
                                                        list.end();
                                               }) -
                                  roots.begin());
}

// One thing: the most exact word for each aspect, or "" where no word is right.
using Thing = std::array<std::string, aspects>;

bool is(const Thing& thing, const std::string& word) {
  const std::string& own = thing.at(aspect_of(word));
  return !own.empty() && implies(own, word);
}

struct Claim {
  std::string quantity;
  bool denied = false;
  Tokens words;  // the noun first where there is a quantity
};

Claim claim(const Tokens& sentence) {
  Claim found;
  for (const std::string& word : sentence) {
    if (word == "all" || word == "some" || word == "no")
      found.quantity = word;
    else if (word == "not")
      found.denied = true;
    else if (!plain(word).empty())
      found.words.push_back(plain(word));
  }
  return found;
}

bool holds(const Claim& claim, const std::vector<Thing>& world) {
  if (claim.quantity.empty()) {
    return std::all_of(claim.words.begin(), claim.words.end(), [&](const std::string& word) {
      return is(world.front(), word) != (claim.denied && aspect_of(word) == 1);
    });
  }
  std::size_t of = 0, do_it = 0;
  for (const Thing& thing : world) {
    if (!is(thing, claim.words[0])) continue;
    ++of;
    if (is(thing, claim.words[1])) ++do_it;
  }
  return claim.quantity == "all" ? do_it == of : (do_it > 0) == (claim.quantity == "some");
}

// Every thing that the words of both sentences tell apart.
std::vector<Thing> things(const Claim& one, const Claim& other) {
  std::array<std::set<std::string>, aspects> values;
  for (auto& each : values) each.insert("");
  for (const Claim* claim : {&one, &other}) {
    for (const std::string& word : claim->words) values.at(aspect_of(word)).insert(word);
  }
  std::vector<Thing> list(1);
  for (std::size_t k = 0; k < aspects; ++k) {
    std::vector<Thing> more;
    for (const Thing& thing : list) {
      for (const std::string& value : values.at(k)) {
        more.push_back(thing);
        more.back().at(k) = value;
      }
    }
    list = more;
  }
  return list;
}

// The verdict over all worlds of up to three things in which there is a thing of each noun.
std::string by_worlds(const Claim& premise, const Claim& hypothesis) {
  const std::vector<Thing> all = things(premise, hypothesis);
  bool both = false, alone = false;
  const auto look = [&](const std::vector<Thing>& world) {
    if (!holds(premise, world)) return;
    (holds(hypothesis, world) ? both : alone) = true;
  };
  if (premise.quantity.empty()) {
    for (const Thing& thing : all) look({thing});
  } else {
    const auto there = [&](const std::vector<Thing>& world, const std::string& noun) {
      return std::any_of(world.begin(), world.end(),
                         [&](const Thing& thing) { return is(thing, noun); });
    };
    const std::size_t count = all.size();
    for (std::size_t code = 0; code < count * count * count; ++code) {
      const std::vector<Thing> world{all[code % count], all[code / count % count],
                                     all[code / count / count]};
      if (there(world, premise.words[0]) && there(world, hypothesis.words[0])) look(world);
    }
  }
  return !alone ? "entails" : both ? "neutral" : "contradicts";
}

}  // namespace

TEST_CASE("pairs of sentences are judged by hand, and the words that decide are marked") {
  const auto source = opened(.2, .15);
  struct Judged {
    const char *premise, *hypothesis, *says, *links, *matches;
  };
  const std::vector<Judged> rows{
      {"the black dog sleeps in the garden", "the animal rests outside", "entails", "0-2 0-3 0-6",
       "1-2 2-3 3-6"},
      {"the black dog sleeps", "the white dog sleeps", "contradicts", "0-1", "1-1 2-2 3-3"},
      {"the black dog sleeps", "the pale animal sleeps", "contradicts", "0-1", "1-1 2-2 3-3"},
      {"the animal sleeps", "the dog rests", "neutral", "0-1", "1-1 2-2"},
      {"the dog sleeps", "the huge dog sleeps", "neutral", "", "2-1 3-2"},
      {"the huge dog sleeps", "the black dog sleeps", "neutral", "0-1", "2-2 3-3"},
      {"the girl runs", "the girl runs", "entails", "0-1 0-2", "1-1 2-2"},
      {"the dog sleeps", "the dog does not rest", "contradicts", "0-2", "1-1 4-2"},
      {"the dog sleeps", "the dog does not run", "entails", "0-2", "1-1 4-2"},
      {"the dog rests", "the dog does not sleep", "neutral", "0-2", "1-1 4-2"},
      {"the dog does not rest", "the dog does not sleep", "entails", "0-4", "1-1 3-3 4-4"},
      {"the dog does not sleep", "the dog does not rest", "neutral", "0-4", "1-1 3-3 4-4"},
      {"the dog does not move", "the dog runs", "contradicts", "0-3", "1-1 2-4"},
      {"all animals rest", "all dogs rest", "entails", "0-1", "0-0 1-1 2-2"},
      {"all dogs rest", "all animals rest", "neutral", "0-1", "0-0 1-1 2-2"},
      {"some dogs sleep", "some animals rest", "entails", "0-1 0-2", "0-0 1-1 2-2"},
      {"some dogs sleep", "all dogs sleep", "neutral", "0-0", "0-0 1-1 2-2"},
      {"all dogs are black", "no dogs are white", "entails", "0-0 0-3", "0-0 1-1 3-3"},
      {"all dogs are black", "some dogs are pale", "contradicts", "0-3", "0-0 1-1 3-3"},
      {"no animals move", "some dogs run", "contradicts", "0-0", "0-0 1-1 2-2"},
      {"all people eat", "all people are happy", "neutral", "0-2", "0-0 1-1"}};
  for (const Judged& row : rows) {
    CAPTURE(row.premise);
    CAPTURE(row.hypothesis);
    const auto example = source->answer_to({words(row.premise), words(row.hypothesis)});
    REQUIRE(example.has_value());
    CHECK(tokens_of(*source, 2, example->fields[2]) == Tokens{row.says});
    CHECK(pairs(example->links) == row.links);
    CHECK(pairs(example->matches) == row.matches);
  }
  for (const auto& [premise, hypothesis] : std::vector<std::pair<const char*, const char*>>{
           {"the dog sleeps", "all dogs sleep"},
           {"the dog sleep", "the dog sleeps"},
           {"the dog sleeps in the outside", "the dog sleeps"},
           {"the dog sleeps garden", "the dog sleeps"},
           {"the dog does not sleep outside", "the dog sleeps"},
           {"all dogs", "all dogs sleep"},
           {"the dog flies", "the dog sleeps"},
           {"", "the dog sleeps"}}) {
    CAPTURE(premise);
    CHECK(!source->answer_to({words(premise), words(hypothesis)}).has_value());
  }
}

TEST_CASE("drawn pairs are what all worlds say that the words tell apart") {
  for (const auto& [quantified, negated] : {std::pair{0., .4}, std::pair{1., 0.}}) {
    const auto source = opened(quantified, negated);
    std::map<std::string, int> verdicts;
    std::set<std::string> quantities;
    int denied = 0;
    for (const Example& example : drawn(*source, 300)) {
      const Claim premise = claim(tokens_of(*source, 0, example.fields[0])),
                  hypothesis = claim(tokens_of(*source, 1, example.fields[1]));
      const std::string says = tokens_of(*source, 2, example.fields[2]).front();
      CAPTURE(joined(tokens_of(*source, 0, example.fields[0])));
      CAPTURE(joined(tokens_of(*source, 1, example.fields[1])));
      CHECK(by_worlds(premise, hypothesis) == says);
      for (const Claim* claim : {&premise, &hypothesis}) {
        const auto& list = claim->words;
        const bool coloured = std::any_of(
            list.begin(), list.end(), [](const std::string& word) { return aspect_of(word) == 2; });
        const bool person = std::any_of(list.begin(), list.end(), [](const std::string& word) {
          return root(word) == "person";
        });
        CHECK(!(coloured && person));
      }
      ++verdicts[says];
      quantities.insert(premise.quantity);
      denied += premise.denied || hypothesis.denied ? 1 : 0;
    }
    // Each verdict is drawn as often as the others.
    for (const char* verdict : {"entails", "contradicts", "neutral"}) CHECK(verdicts[verdict] > 70);
    CHECK(quantities.size() == (quantified > 0 ? 3 : 1));
    CHECK((denied > 50) == (negated > 0));
  }
}

TEST_CASE("words that are compared are of one aspect, and deciding words say something") {
  const auto source = opened(.2, .15);
  std::size_t compared = 0;
  for (const Example& example : drawn(*source, 300)) {
    const Tokens premise = tokens_of(*source, 0, example.fields[0]),
                 hypothesis = tokens_of(*source, 1, example.fields[1]);
    for (const Link& match : example.matches) {
      const std::string one = plain(premise.at(match.column)),
                        other = plain(hypothesis.at(match.row));
      CHECK(one.empty() == other.empty());
      if (!one.empty()) CHECK(aspect_of(one) == aspect_of(other));
      ++compared;
    }
    for (const Link& link : example.links) {
      const std::string& word = premise.at(link.column);
      CHECK((!plain(word).empty() || word == "not" || word == "all" || word == "some" ||
             word == "no"));
    }
  }
  CHECK(compared > 600);
}

}  // namespace attend::entailment_test
