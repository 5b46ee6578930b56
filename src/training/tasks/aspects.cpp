// SPDX-License-Identifier: Apache-2.0
// Reviews that praise one thing and blame another: "the food was not good but I liked the place ." and the question
// "food".
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "ops/error.h"
#include "training/task.h"

namespace attend::aspects_entry {
namespace {

using Tokens = std::vector<std::string>;

const std::array<std::string, 6> aspects{"food", "service", "place", "price", "music", "staff"};
const std::array<std::string, 4> praise{"good", "great", "lovely", "fine"},
    blame{"bad", "awful", "poor", "dull"};
struct Verb {
  std::string plain, past;
  bool praises;
};
const std::array<Verb, 3> verbs{
    {{"like", "liked", true}, {"love", "loved", true}, {"hate", "hated", false}}};
// Sentences that judge nothing.
const std::array<Tokens, 3> asides{
    {{"we", "came", "at", "noon"}, {"my", "sister", "paid"}, {"it", "was", "on", "a", "monday"}}};
// Ways to say something about an aspect: with "was", with a verb, with "it".
constexpr double ways_of_one = 3 * 2 * 8 + 2 * 3 + 2 * 2 * 8;
constexpr double second_clause = 0.25, aside = 0.2;

template <class List>
bool has(const List& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

void add(Tokens& to, const Tokens& more) { to.insert(to.end(), more.begin(), more.end()); }

Tokens clause(const std::string& aspect, Draws& draws) {
  const auto opinion = [&] {
    return draws.below(2) == 0 ? praise[draws.below(praise.size())]
                               : blame[draws.below(blame.size())];
  };
  const std::size_t way = draws.below(4);
  if (way == 3) {
    const Verb& verb = verbs[draws.below(verbs.size())];
    if (draws.below(2) == 0) return {"I", verb.past, "the", aspect};
    return {"I", "did", "not", verb.plain, "the", aspect};
  }
  Tokens words = way == 2 ? Tokens{"we", "tried", "the", aspect, "and", "it", "was"}
                          : Tokens{"the", aspect, "was"};
  const std::size_t negation = draws.below(way == 2 ? 2 : 3);
  if (negation > 0) words.emplace_back(negation == 1 ? "not" : "never");
  if (draws.below(2) == 0) words.emplace_back("very");
  words.push_back(opinion());
  return words;
}

// What a review says of an aspect, and by which words.
struct Verdict {
  bool good;
  std::vector<std::size_t> deciding, about;
};

// Reads from left to right. A verb judges the aspect after it, an adjective the last one before it.
std::map<std::string, Verdict> verdicts(const Tokens& review) {
  std::map<std::string, Verdict> found;
  std::vector<std::size_t> negations, about;
  const Verb* verb = nullptr;
  std::size_t verb_at = 0;
  std::string aspect;
  const auto judge = [&](std::size_t at, bool praises) {
    Verdict verdict{praises != (negations.size() % 2 == 1), {at}, about};
    verdict.deciding.insert(verdict.deciding.begin(), negations.begin(), negations.end());
    if (!aspect.empty()) found.emplace(aspect, std::move(verdict));
  };
  for (std::size_t i = 0; i < review.size(); ++i) {
    const std::string& word = review[i];
    if (word == "." || word == "but" || word == "and") {
      negations.clear();
      verb = nullptr;
    } else if (word == "not" || word == "never") {
      negations.push_back(i);
    } else if (word == "it") {
      about.push_back(i);
    } else if (has(aspects, word)) {
      aspect = word;
      about = {i};
      if (verb != nullptr) judge(verb_at, verb->praises);
    } else if (has(praise, word) || has(blame, word)) {
      judge(i, has(praise, word));
    } else {
      for (const Verb& one : verbs) {
        if (word != one.plain && word != one.past) continue;
        verb = &one;
        verb_at = i;
      }
    }
  }
  return found;
}

class Aspects : public TaskSource {
 public:
  explicit Aspects(const TaskSettings& settings)
      : fewest_(settings.count("fewest")),
        most_(settings.count("most")),
        unsaid_(std::get<double>(settings.values.find("unsaid")->second)) {
    if (fewest_ > most_)
      refuse("/fewest", "the minimum number of sentences is " + std::to_string(fewest_) +
                            ", more than the maximum, " + std::to_string(most_));
    Tokens all{".",     "but",  "and", "the", "was", "it",   "not",
               "never", "very", "I",   "did", "we",  "tried"};
    for (const auto* list : {&praise, &blame}) all.insert(all.end(), list->begin(), list->end());
    for (const Verb& verb : verbs) add(all, {verb.plain, verb.past});
    for (const Tokens& list : asides) {
      for (const std::string& word : list) {
        if (!has(all, word)) all.push_back(word);
      }
    }
    all.insert(all.end(), aspects.begin(), aspects.end());
    words_ = {vocabulary_of(all), vocabulary_of({aspects.begin(), aspects.end()}),
              vocabulary_of({"good", "bad", "unsaid"})};
  }

  [[nodiscard]] const Tokens& words(std::size_t field) const override { return words_.at(field); }

  // Of each number of sentences and clauses, without asides: which sentences have two, which aspects, what is said.
  [[nodiscard]] double space() const override {
    double sum = 0;
    for (std::size_t s = fewest_; s <= most_; ++s) {
      double choices = 1;  // which of the sentences have two clauses
      for (std::size_t twos = 0; twos <= s && s + twos <= aspects.size(); ++twos) {
        double one = choices * std::pow(2.0, static_cast<double>(twos));
        for (std::size_t k = 0; k < s + twos; ++k)
          one *= static_cast<double>(aspects.size() - k) * ways_of_one;
        sum += one * static_cast<double>(s + twos);
        choices *= static_cast<double>(s - twos) / static_cast<double>(twos + 1);
      }
    }
    return sum;
  }

  [[nodiscard]] Example draw(Draws& draws) const override {
    std::vector<std::string> order(aspects.begin(), aspects.end());
    draws.shuffle(order);
    Tokens review;
    std::size_t said = 0;
    const std::size_t sentences = fewest_ + draws.below(most_ - fewest_ + 1);
    for (std::size_t s = 0; s < sentences; ++s) {
      if (s > 0 && draws.uniform() < aside) {
        add(review, asides[draws.below(asides.size())]);
      } else {
        add(review, clause(order[said++], draws));
        if (said + sentences - s < order.size() && draws.uniform() < second_clause) {
          review.emplace_back(draws.below(2) == 0 ? "but" : "and");
          add(review, clause(order[said++], draws));
        }
      }
      review.emplace_back(".");
    }
    const bool unsaid = draws.uniform() < unsaid_ && said < order.size();
    const std::string& asked =
        unsaid ? order[said + draws.below(order.size() - said)] : order[draws.below(said)];
    return *answer_to({review, {asked}});
  }

  [[nodiscard]] std::optional<Example> answer_to(
      const std::vector<Tokens>& sources) const override {
    if (sources.size() != 2 || sources[0].empty() || sources[1].size() != 1 ||
        !has(aspects, sources[1].front()))
      return std::nullopt;
    Example example;
    example.fields.resize(3);
    for (std::size_t k = 0; k < 2; ++k) {
      auto words = filling_of(*this, k, sources[k]);
      if (!words) return std::nullopt;
      example.fields[k] = *std::move(words);
    }
    const auto all = verdicts(sources[0]);
    const auto own = all.find(sources[1].front());
    if (own == all.end()) {
      example.fields[2].words = {5};
      return example;
    }
    example.fields[2].words = {static_cast<std::uint16_t>(own->second.good ? 3 : 4)};
    for (const std::size_t column : own->second.deciding)
      example.links.push_back({0, column, LinkKind::means});
    for (const std::size_t column : own->second.about)
      example.links.push_back({0, column, LinkKind::agrees});
    return example;
  }

 private:
  std::size_t fewest_, most_;
  double unsaid_;
  std::array<Tokens, 3> words_;
};

}  // namespace

extern const Task aspects_task;
const Task aspects_task{
    .id = "task-aspects",
    .fields = {{"source"}, {"aspect"}, {"target", true}},
    .knobs = {{"fewest", 1, 1, 4}, {"most", 4, 1, 4}, {"unsaid", 0.1, 0, 0.9, false}},
    .open = opened<Aspects>};
}  // namespace attend::aspects_entry
