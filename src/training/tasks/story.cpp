// SPDX-License-Identifier: Apache-2.0
// Small stories and a question: "Mary took the milk . Mary went to the garden ." "where is the milk" -> "garden". A
// question about a person needs one sentence, a question about a thing needs two.
#include <algorithm>
#include <array>
#include <map>

#include "ops/error.h"
#include "training/task.h"

namespace attend::story_entry {
namespace {

using Tokens = std::vector<std::string>;

const Tokens people{"Mary", "John", "Anna", "Peter", "Lucy", "Omar"};
const Tokens places{"garden",  "kitchen", "office", "bedroom",
                    "hallway", "park",    "school", "library"};
const Tokens things{"milk", "ball", "apple", "book", "key", "lamp"};
const Tokens going{"went", "walked", "ran"}, taking{"took", "got", "found"};
// How often a sentence that the question does not need tells of a move.
constexpr double moves = 0.7;

bool has(const Tokens& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

void add(Tokens& to, const Tokens& more) { to.insert(to.end(), more.begin(), more.end()); }

const std::string& any(const Tokens& list, Draws& draws) { return list[draws.below(list.size())]; }

Tokens move(const std::string& who, Draws& draws) {
  return {who, any(going, draws), "to", "the", any(places, draws), "."};
}

class Story : public TaskSource {
 public:
  explicit Story(const TaskSettings& settings)
      : fewest_(settings.count("fewest")),
        most_(settings.count("most")),
        again_(std::get<double>(settings.values.find("again")->second)),
        two_(std::get<double>(settings.values.find("two")->second)) {
    if (fewest_ > most_)
      refuse("/fewest", "the minimum number of sentences is " + std::to_string(fewest_) +
                            ", more than the maximum, " + std::to_string(most_));
    if (two_ > 0 && fewest_ < 2)
      refuse("/fewest", "a question about a thing needs a story of at least 2 sentences; found 1");
    Tokens told{".", "to", "the"}, asked{"where", "is", "the"};
    for (const Tokens* list : {&people, &places, &things, &going, &taking}) add(told, *list);
    for (const Tokens* list : {&people, &things}) add(asked, *list);
    words_ = {vocabulary_of(told), vocabulary_of(asked), vocabulary_of(places)};
  }

  [[nodiscard]] const Tokens& words(std::size_t field) const override { return words_.at(field); }

  // Of stories in which people go once each and nothing is taken that is not asked for.
  [[nodiscard]] double space() const override {
    const auto goes = static_cast<double>(going.size() * places.size());
    double sum = 0, all = 1;
    for (std::size_t n = 1; n <= most_; ++n) {
      const double less = all;
      all *= static_cast<double>(people.size() - n + 1) * goes;
      if (n < fewest_) continue;
      const auto sentences = static_cast<double>(n);
      if (two_ < 1) sum += all * sentences;
      if (two_ > 0)
        sum +=
            less * (sentences - 1) * sentences * static_cast<double>(taking.size() * things.size());
    }
    return sum;
  }

  [[nodiscard]] Example draw(Draws& draws) const override {
    Tokens waiting = people, untaken = things;
    draws.shuffle(waiting);
    draws.shuffle(untaken);
    const std::size_t sentences = fewest_ + draws.below(most_ - fewest_ + 1);
    const auto next = [&] {
      const std::string who = waiting.back();
      waiting.pop_back();
      return who;
    };
    const auto take = [&](const std::string& who) {
      const std::string what = untaken.back();
      untaken.pop_back();
      return Tokens{who, any(taking, draws), "the", what, "."};
    };
    const std::string who = next(), what = untaken.back();
    std::vector<Tokens> story{move(who, draws)};
    const bool two = draws.uniform() < two_;
    if (two) story.push_back(take(who));
    while (story.size() < sentences) {
      if (draws.uniform() >= moves)
        story.push_back(take(any(people, draws)));
      else
        story.push_back(move(draws.uniform() < again_ ? any(people, draws) : next(), draws));
    }
    draws.shuffle(story);
    Tokens told;
    for (const Tokens& sentence : story) add(told, sentence);
    return *answer_to(
        {told, two ? Tokens{"where", "is", "the", what} : Tokens{"where", "is", who}});
  }

  [[nodiscard]] std::optional<Example> answer_to(
      const std::vector<Tokens>& sources) const override {
    if (sources.size() != 2) return std::nullopt;
    Example example;
    example.fields.resize(3);
    for (std::size_t k = 0; k < 2; ++k) {
      auto words = filling_of(*this, k, sources[k]);
      if (!words) return std::nullopt;
      example.fields[k] = *std::move(words);
    }
    const Tokens &told = sources[0], &asked = sources[1];
    // Where the sentence of each person's last move begins, and that of each thing's taking.
    std::map<std::string, std::size_t> moved, taken;
    for (std::size_t at = 0; at < told.size();) {
      const bool goes = at + 5 < told.size() && has(going, told[at + 1]);
      const std::size_t last = at + (goes ? 5 : 4);
      if (last >= told.size() || told[last] != "." || !has(people, told[at])) return std::nullopt;
      if (goes ? told[at + 2] != "to" || told[at + 3] != "the" || !has(places, told[at + 4])
               : !has(taking, told[at + 1]) || told[at + 2] != "the" || !has(things, told[at + 3]))
        return std::nullopt;
      (goes ? moved[told[at]] : taken[told[at + 3]]) = at;
      at = last + 1;
    }
    if (asked.size() < 3 || asked[0] != "where" || asked[1] != "is") return std::nullopt;
    std::string who = asked[2];
    if (asked.size() == 4 && asked[2] == "the") {
      const auto holder = taken.find(asked[3]);
      if (holder == taken.end()) return std::nullopt;
      who = told[holder->second];
      for (const std::size_t column : {holder->second, holder->second + 3})
        example.links.push_back({0, column, LinkKind::agrees});
    } else if (asked.size() != 3) {
      return std::nullopt;
    }
    const auto went = moved.find(who);
    if (went == moved.end()) return std::nullopt;
    example.links.push_back({0, went->second + 4, LinkKind::means});
    example.links.push_back({0, went->second, LinkKind::agrees});
    const auto place = std::find(words_[2].begin(), words_[2].end(), told[went->second + 4]);
    example.fields[2].words = {static_cast<std::uint16_t>(place - words_[2].begin())};
    return example;
  }

 private:
  std::size_t fewest_, most_;
  double again_, two_;
  std::array<Tokens, 3> words_;
};

}  // namespace

extern const Task story_task;
const Task story_task{.id = "task-story",
                      .fields = {{"source"}, {"question"}, {"target", true}},
                      .knobs = {{"fewest", 2, 1, 6},
                                {"most", 4, 1, 6},
                                {"again", 0.2, 0, 1, false},
                                {"two", 0.3, 0, 1, false}},
                      .open = opened<Story>};
}  // namespace attend::story_entry
