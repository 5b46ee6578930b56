// SPDX-License-Identifier: Apache-2.0
// The parent of each word in a small English grammar: "<root> the old cat sees a dog" -> "<root> cat cat sees <root>
// dog sees". A verb depends on the root or on the noun that its clause describes.
#include <algorithm>
#include <cmath>

#include "training/solved.h"

namespace attend::parents_entry {
namespace {

using Tokens = std::vector<std::string>;

const Tokens articles{"the", "a"}, adjectives{"old", "small", "happy", "black"},
    nouns{"cat", "dog", "girl", "boy", "teacher", "bird", "farmer", "child"},
    verbs{"sees", "likes", "finds", "hears", "helps", "follows"}, adverbs{"today", "often"};
constexpr double described = 0.4, adverb = 0.3;

bool has(const Tokens& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

Tokens all_words() {
  Tokens list{"<root>", "that"};
  for (const Tokens* more : {&articles, &adjectives, &nouns, &verbs, &adverbs})
    list.insert(list.end(), more->begin(), more->end());
  return list;
}

// Reads a sentence from left to right and notes the parent of each word.
class Parser {
 public:
  explicit Parser(Tokens words) : words_(std::move(words)), parents_(words_.size(), 0) {}

  // The parents, or nothing where this is no sentence of the grammar.
  std::optional<std::vector<std::size_t>> sentence() {
    if (!take({"<root>"})) return std::nullopt;
    const auto subject = noun_phrase();
    if (!subject || !take(verbs)) return std::nullopt;
    const std::size_t verb = at_ - 1;
    const auto object = noun_phrase();
    if (!object) return std::nullopt;
    parents_[*subject] = parents_[*object] = verb;
    if (take(adverbs)) parents_[at_ - 1] = verb;
    if (at_ != words_.size()) return std::nullopt;
    return parents_;
  }

 private:
  bool take(const Tokens& list) {
    if (at_ >= words_.size() || !has(list, words_[at_])) return false;
    ++at_;
    return true;
  }

  // An article, adjectives, a noun and perhaps a clause: where the noun is.
  std::optional<std::size_t> noun_phrase() {
    const std::size_t first = at_;
    if (!take(articles)) return std::nullopt;
    while (take(adjectives)) {
    }
    if (!take(nouns)) return std::nullopt;
    const std::size_t noun = at_ - 1;
    for (std::size_t i = first; i < noun; ++i) parents_[i] = noun;
    if (!take({"that"})) return noun;
    if (!take(verbs)) return std::nullopt;
    const std::size_t verb = at_ - 1;
    const auto object = noun_phrase();
    if (!object) return std::nullopt;
    parents_[verb - 1] = parents_[*object] = verb;
    parents_[verb] = noun;
    return noun;
  }

  Tokens words_;
  std::size_t at_ = 0;
  std::vector<std::size_t> parents_;
};

class Parents : public SolvedSource {
 public:
  explicit Parents(const TaskSettings& settings)
      : SolvedSource(all_words(), all_words(), false),
        clauses_(std::get<double>(settings.values.find("clauses")->second)) {}

  // Of sentences with one adjective at most before a noun and without clauses.
  [[nodiscard]] double space() const override {
    const auto count = [](const Tokens& list) { return static_cast<double>(list.size()); };
    return std::pow(count(articles) * (1 + count(adjectives)), 2) * count(nouns) *
           (count(nouns) - 1) * count(verbs) * (1 + count(adverbs));
  }

 protected:
  // No noun and no verb comes twice: a parent is named by its word.
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    Tokens unused = nouns, actions = verbs, told{"<root>"};
    draws.shuffle(unused);
    draws.shuffle(actions);
    const auto add = [&](Tokens& list) {
      told.push_back(list.back());
      list.pop_back();
    };
    const auto noun_phrase = [&] {
      told.push_back(articles[draws.below(articles.size())]);
      if (draws.uniform() < described) told.push_back(adjectives[draws.below(adjectives.size())]);
      add(unused);
    };
    const auto with_clause = [&] {
      noun_phrase();
      if (draws.uniform() >= clauses_) return;
      told.emplace_back("that");
      add(actions);
      noun_phrase();
    };
    with_clause();
    add(actions);
    with_clause();
    if (draws.uniform() < adverb) told.push_back(adverbs[draws.below(adverbs.size())]);
    Words source;
    for (const std::string& one : told)
      source.push_back(static_cast<std::uint16_t>(std::find(words(0).begin(), words(0).end(), one) -
                                                  words(0).begin()));
    return source;
  }

  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    Tokens told;
    for (const std::uint16_t one : source) told.push_back(words(0)[one]);
    const auto parents = Parser(told).sentence();
    if (!parents) return std::nullopt;
    Solution solution;
    for (const std::size_t parent : *parents) solution.add(source[parent], {parent});
    return solution;
  }

 private:
  double clauses_;
};

}  // namespace

extern const Task parents_task;
const Task parents_task{.id = "task-parents",
                        .fields = source_and_target,
                        .knobs = {{"clauses", 0.25, 0, 1, false}},
                        .open = opened<Parents>};
}  // namespace attend::parents_entry
