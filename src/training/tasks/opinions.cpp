// SPDX-License-Identifier: Apache-2.0
// Reviews with one opinion among sentences that judge nothing: "they came at noon . the film was not dull ." -> "good".
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/error.h"
#include "training/solved.h"

namespace attend::opinions_entry {
namespace {

using Tokens = std::vector<std::string>;

const Tokens things{"food", "service", "place", "price", "music",  "staff",
                    "film", "book",    "hotel", "room",  "coffee", "garden"};
const Tokens praise{"good",      "great",    "lovely",    "fine",
                    "excellent", "charming", "brilliant", "warm"},
    blame{"bad", "awful", "poor", "dull", "terrible", "boring", "dreadful", "rude"};
// Present and past of the verbs that judge.
const Tokens praising{"like", "liked", "love", "loved", "enjoy", "enjoyed"},
    blaming{"hate", "hated", "dislike", "disliked", "regret", "regretted"};
const Tokens negations{"not", "never"}, degrees{"very", "really"};
const std::array<Tokens, 9> doings{{{"came", "at", "noon"},
                                    {"left", "at", "nine"},
                                    {"paid", "by", "card"},
                                    {"came", "on", "a", "monday"},
                                    {"waited", "for", "an", "hour"},
                                    {"sat", "by", "the", "window"},
                                    {"walked", "home", "in", "the", "rain"},
                                    {"met", "at", "the", "old", "station"},
                                    {"came", "back", "in", "the", "evening"}}};

bool has(const Tokens& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Each of these sentences before each of those ends.
std::vector<Tokens> continued(const std::vector<Tokens>& starts, const std::vector<Tokens>& ends) {
  std::vector<Tokens> list;
  for (const Tokens& start : starts) {
    for (const Tokens& end : ends) {
      list.push_back(start);
      list.back().insert(list.back().end(), end.begin(), end.end());
    }
  }
  return list;
}

std::vector<Tokens> singles(const Tokens& words) {
  std::vector<Tokens> list;
  for (const std::string& word : words) list.push_back({word});
  return list;
}

std::vector<Tokens> or_nothing(const Tokens& words) {
  std::vector<Tokens> list = singles(words);
  list.emplace_back();
  return list;
}

Tokens every_second(const Tokens& list, std::size_t from) {
  Tokens found;
  for (std::size_t i = from; i < list.size(); i += 2) found.push_back(list[i]);
  return found;
}

void add(std::vector<Tokens>& to, const std::vector<Tokens>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<Tokens> all_opinions() {
  const std::vector<Tokens> the_thing = continued({{"the"}}, singles(things));
  std::vector<Tokens> judged = singles(praise), verbs, pasts, list;
  add(judged, singles(blame));
  for (const Tokens* both : {&praising, &blaming}) {
    add(verbs, singles(every_second(*both, 0)));
    add(pasts, singles(every_second(*both, 1)));
  }
  add(list, continued(continued(continued(continued(the_thing, {{"was"}}), or_nothing(negations)),
                                or_nothing(degrees)),
                      judged));
  const std::vector<Tokens> who{{"I"}, {"we"}, {"they"}};
  add(list, continued(continued(continued(who, {{"really"}, {}}), pasts), the_thing));
  add(list, continued(continued(continued(who, {{"did", "not"}}), verbs), the_thing));
  return list;
}

std::vector<Tokens> all_asides() {
  return continued({{"I"}, {"we"}, {"they"}, {"she"}, {"he"}}, {doings.begin(), doings.end()});
}

Tokens words_in(const std::vector<Tokens>& sentences) {
  Tokens list;
  for (const Tokens& sentence : sentences) {
    for (const std::string& word : sentence) {
      if (!has(list, word)) list.push_back(word);
    }
  }
  return list;
}

Tokens all_words() {
  std::vector<Tokens> sentences = all_opinions();
  add(sentences, all_asides());
  sentences.push_back({"."});
  return words_in(sentences);
}

class Opinions : public SolvedSource {
 public:
  explicit Opinions(const TaskSettings& settings)
      : SolvedSource(all_words(), {"good", "bad", "neither"}, false),
        fewest_(settings.count("fewest")),
        most_(settings.count("most")),
        silent_(std::get<double>(settings.values.find("silent")->second)),
        opinions_(of_length(all_opinions(), settings.count("words"))),
        asides_(of_length(all_asides(), settings.count("words"))) {
    if (fewest_ > most_)
      refuse("/fewest", "the minimum number of sentences is " + std::to_string(fewest_) +
                            ", more than the maximum, " + std::to_string(most_));
    if (opinions_.empty())
      refuse("/words", "expected 0 (sentences of any length), 4, 5 or 6; found " +
                           std::to_string(settings.count("words")));
  }

  // Which sentence is the opinion, which opinion, and which other sentences.
  [[nodiscard]] double space() const override {
    double sum = 0;
    const auto opinions = static_cast<double>(opinions_.size()),
               asides = static_cast<double>(asides_.size());
    for (std::size_t s = fewest_; s <= most_; ++s) {
      const auto sentences = static_cast<double>(s);
      if (silent_ < 1) sum += sentences * opinions * std::pow(asides, sentences - 1);
      if (silent_ > 0) sum += std::pow(asides, sentences);
    }
    return sum;
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    const std::size_t sentences = fewest_ + draws.below(most_ - fewest_ + 1);
    const std::size_t opinion = draws.uniform() < silent_ ? sentences : draws.below(sentences);
    Words source;
    for (std::size_t s = 0; s < sentences; ++s) {
      const auto& list = s == opinion ? opinions_ : asides_;
      for (const std::string& one : list[draws.below(list.size())]) source.push_back(index(one));
      source.push_back(index("."));
    }
    return source;
  }

  // The one word that judges, turned around by each negation before it in its sentence.
  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    std::vector<std::size_t> deciding, negated;
    std::size_t about = source.size(), thing = source.size();
    bool good = false;
    for (std::size_t i = 0; i < source.size(); ++i) {
      const std::string& one = words(0)[source[i]];
      const bool praises = has(praise, one) || has(praising, one);
      if (one == ".") {
        negated.clear();
        thing = source.size();
      } else if (has(negations, one)) {
        negated.push_back(i);
      } else if (has(things, one)) {
        thing = i;
        if (!deciding.empty() && about == source.size()) about = i;
      } else if (praises || has(blame, one) || has(blaming, one)) {
        if (!deciding.empty()) return std::nullopt;
        good = praises != (negated.size() % 2 == 1);
        deciding = negated;
        deciding.push_back(i);
        about = thing;
      }
    }
    if (source.empty()) return std::nullopt;
    Solution solution;
    solution.add(word(deciding.empty() ? 2 : good ? 0 : 1), deciding);
    if (!deciding.empty() && about < source.size()) solution.agrees(about);
    return solution;
  }

 private:
  [[nodiscard]] std::uint16_t index(const std::string& one) const {
    return static_cast<std::uint16_t>(std::find(words(0).begin(), words(0).end(), one) -
                                      words(0).begin());
  }
  static std::vector<Tokens> of_length(std::vector<Tokens> list, std::size_t length) {
    if (length > 0) std::erase_if(list, [&](const Tokens& one) { return one.size() != length; });
    return list;
  }

  std::size_t fewest_, most_;
  double silent_;
  std::vector<Tokens> opinions_, asides_;
};

}  // namespace

extern const Task opinions_task;
const Task opinions_task{.id = "task-opinions",
                         .fields = source_and_target,
                         .knobs = {{"fewest", 1, 1, 4},
                                   {"most", 3, 1, 4},
                                   {"words", 0, 0, 6},
                                   {"silent", 0.1, 0, 0.9, false}},
                         .open = opened<Opinions>};
}  // namespace attend::opinions_entry
