// SPDX-License-Identifier: Apache-2.0
// English to French by a small grammar: pronouns, pronouns as objects ("I love you" -> "je t' aime"), nouns with
// articles and adjectives that agree with them and stand behind them, negation. Every word of the answer is linked to
// what it means and to what its form depends on.
#include <algorithm>
#include <array>
#include <map>

#include "training/task.h"

namespace attend::translate_entry {
namespace {

struct Verb {
  std::string_view english, third, french[5];  // je, tu, il or elle, nous, ils
  bool vowel;
};
constexpr Verb verbs[]{
    {"love", "loves", {"aime", "aimes", "aime", "aimons", "aiment"}, true},
    {"see", "sees", {"vois", "vois", "voit", "voyons", "voient"}, false},
    {"help", "helps", {"aide", "aides", "aide", "aidons", "aident"}, true},
    {"find", "finds", {"trouve", "trouves", "trouve", "trouvons", "trouvent"}, false},
    {"hear", "hears", {"entends", "entends", "entend", "entendons", "entendent"}, true}};

struct Subject {
  std::string_view english, french;
  std::size_t form;    // of the verb
  std::size_t person;  // of its object
};
constexpr Subject subjects[]{{"I", "je", 0, 0},     {"you", "tu", 1, 1},  {"he", "il", 2, 2},
                             {"she", "elle", 2, 3}, {"we", "nous", 3, 4}, {"they", "ils", 4, 5}};

struct Object {
  std::string_view english, french, before_vowel;
};
constexpr Object objects[]{{"me", "me", "m'"},  {"you", "te", "t'"},    {"him", "le", "l'"},
                           {"her", "la", "l'"}, {"us", "nous", "nous"}, {"them", "les", "les"}};

struct Noun {
  std::string_view english, french;
  bool feminine, vowel, animate;
};
constexpr Noun nouns[]{
    {"car", "voiture", true, false, false}, {"house", "maison", true, false, false},
    {"tree", "arbre", false, true, false},  {"book", "livre", false, false, false},
    {"cat", "chat", false, false, true},    {"girl", "fille", true, false, true}};

struct Adjective {
  std::string_view english, masculine, feminine;
};
constexpr Adjective adjectives[]{
    {"red", "rouge", "rouge"}, {"black", "noir", "noire"}, {"green", "vert", "verte"}};

// A sentence while it is put together.
class Sentence {
 public:
  std::size_t english(std::string_view word) {
    source.emplace_back(word);
    return source.size() - 1;
  }
  // A word of the answer: what it means, and what its form depends on.
  void french(std::string_view word, const std::vector<std::size_t>& means,
              const std::vector<std::size_t>& agrees = {}) {
    for (const std::size_t column : means)
      links.push_back({target.size(), column, LinkKind::means});
    for (const std::size_t column : agrees)
      links.push_back({target.size(), column, LinkKind::agrees});
    target.emplace_back(word);
  }
  std::vector<std::string> source, target;
  std::vector<Link> links;
};

// A noun with its article and perhaps an adjective: the English places, to be put into French later.
struct Phrase {
  const Noun* noun;
  const Adjective* adjective;
  bool definite;
  std::size_t article_at = 0, adjective_at = 0, noun_at = 0;

  void english(Sentence& s) {
    article_at = s.english(definite ? "the" : "a");
    if (adjective != nullptr) adjective_at = s.english(adjective->english);
    noun_at = s.english(noun->english);
  }
  void french(Sentence& s) const {
    const std::string_view article = !definite        ? (noun->feminine ? "une" : "un")
                                     : noun->vowel    ? "l'"
                                     : noun->feminine ? "la"
                                                      : "le";
    s.french(article, {article_at}, {noun_at});
    s.french(noun->french, {noun_at});
    if (adjective != nullptr)
      s.french(noun->feminine ? adjective->feminine : adjective->masculine, {adjective_at},
               {noun_at});
  }
};

class Grammar {
 public:
  std::vector<Sentence> with_pronouns, others;

  Grammar() {
    for (const Subject& subject : subjects) {
      for (const Verb& verb : verbs) {
        for (std::size_t o = 0; o < std::size(objects); ++o) {
          if (o == subject.person) continue;
          for (const bool negated : {false, true})
            with_pronouns.push_back(pronouns(subject, verb, objects[o], negated));
        }
      }
    }
    for (const Noun& noun : nouns) {
      if (!noun.animate) continue;
      for (const bool definite : {true, false}) {
        for (const Verb& verb : verbs) {
          for (const Object& object : objects) {
            for (const bool negated : {false, true})
              with_pronouns.push_back(
                  noun_and_pronoun({&noun, nullptr, definite}, verb, object, negated));
          }
        }
      }
    }
    for (const Phrase& phrase : phrases()) {
      for (const Subject& subject : subjects) {
        for (const std::size_t v : {0, 1, 3})
          others.push_back(pronoun_and_noun(subject, verbs[v], phrase));
      }
    }
    for (const Noun& noun : nouns) {
      for (const Adjective& adjective : adjectives) {
        for (const bool negated : {false, true}) others.push_back(is(noun, adjective, negated));
      }
    }
  }

 private:
  static std::vector<Phrase> phrases() {
    std::vector<Phrase> list;
    for (const Noun& noun : nouns) {
      for (const bool definite : {true, false}) {
        list.push_back({&noun, nullptr, definite});
        for (const Adjective& adjective : adjectives) list.push_back({&noun, &adjective, definite});
      }
    }
    return list;
  }

  // The English verb, "do not" before it where it is denied.
  struct Said {
    std::size_t verb, auxiliary, negation;
  };
  static Said english_verb(Sentence& s, const Verb& verb, bool third, bool negated) {
    Said said{};
    if (negated) {
      said.auxiliary = s.english(third ? "does" : "do");
      said.negation = s.english("not");
    }
    said.verb = s.english(third && !negated ? verb.third : verb.english);
    return said;
  }

  // ne .. pas around the verb and its object, which comes before it.
  static void french_verb(Sentence& s, const Verb& verb, std::size_t form, const Said& said,
                          std::size_t subject_at, const Object* object, std::size_t object_at,
                          bool negated) {
    const bool vowel = object == nullptr && verb.vowel;
    // "do not" is one denial in two words, as is "ne .. pas".
    const std::vector<std::size_t> denial{said.auxiliary, said.negation};
    if (negated) s.french(vowel ? "n'" : "ne", denial);
    if (object != nullptr) {
      // te or t': the verb decides.
      if (object->french != object->before_vowel)
        s.french(verb.vowel ? object->before_vowel : object->french, {object_at}, {said.verb});
      else
        s.french(object->french, {object_at});
    }
    s.french(verb.french[form], {said.verb}, {subject_at});
    if (negated) s.french("pas", denial);
  }

  static Sentence pronouns(const Subject& subject, const Verb& verb, const Object& object,
                           bool negated) {
    Sentence s;
    const std::size_t who = s.english(subject.english);
    const Said said = english_verb(s, verb, subject.form == 2, negated);
    const std::size_t whom = s.english(object.english);
    // je and not j', because what follows is neither the verb nor begins with a vowel.
    if (subject.form != 0)
      s.french(subject.french, {who});
    else
      s.french(subject.french, {who}, {said.verb, negated ? said.negation : whom});
    french_verb(s, verb, subject.form, said, who, &object, whom, negated);
    return s;
  }

  static Sentence noun_and_pronoun(Phrase who, const Verb& verb, const Object& object,
                                   bool negated) {
    Sentence s;
    who.english(s);
    const Said said = english_verb(s, verb, true, negated);
    const std::size_t whom = s.english(object.english);
    who.french(s);
    french_verb(s, verb, 2, said, who.noun_at, &object, whom, negated);
    return s;
  }

  static Sentence pronoun_and_noun(const Subject& subject, const Verb& verb, Phrase what) {
    Sentence s;
    const std::size_t who = s.english(subject.english);
    const Said said = english_verb(s, verb, subject.form == 2, false);
    what.english(s);
    if (subject.form == 0)
      s.french(verb.vowel ? "j'" : subject.french, {who}, {said.verb});
    else
      s.french(subject.french, {who});
    french_verb(s, verb, subject.form, said, who, nullptr, 0, false);
    what.french(s);
    return s;
  }

  static Sentence is(const Noun& noun, const Adjective& adjective, bool negated) {
    Sentence s;
    Phrase what{&noun, nullptr, true};
    what.english(s);
    const std::size_t verb = s.english("is");
    const std::size_t negation = negated ? s.english("not") : 0;
    const std::size_t how = s.english(adjective.english);
    what.french(s);
    if (negated) s.french("n'", {negation}, {verb});
    s.french("est", {verb});
    if (negated) s.french("pas", {negation});
    s.french(noun.feminine ? adjective.feminine : adjective.masculine, {how}, {what.noun_at});
    return s;
  }
};

class Translate : public TaskSource {
 public:
  explicit Translate(const TaskSettings& settings)
      : pronouns_(std::get<double>(settings.values.find("pronouns")->second)) {
    const Grammar grammar;
    for (const std::vector<Sentence>* group : {&grammar.with_pronouns, &grammar.others}) {
      for (const Sentence& sentence : *group) add(sentence);
      if (group == &grammar.with_pronouns) first_other_ = examples_.size();
    }
  }

  [[nodiscard]] const std::vector<std::string>& words(std::size_t field) const override {
    return words_.at(field);
  }
  // What is never drawn is no example.
  [[nodiscard]] double space() const override {
    const std::size_t with = pronouns_ > 0 ? first_other_ : 0;
    return static_cast<double>(with + (pronouns_ < 1 ? examples_.size() - first_other_ : 0));
  }

  // Sentences with a pronoun for object are few of all; they come as often as the setting says.
  [[nodiscard]] Example draw(Draws& draws) const override {
    const bool pronoun = draws.uniform() < pronouns_;
    return examples_[pronoun ? draws.below(first_other_)
                             : first_other_ + draws.below(examples_.size() - first_other_)];
  }

  [[nodiscard]] std::optional<Example> answer(
      const std::vector<std::string>& source) const override {
    std::vector<std::uint16_t> places;
    for (const std::string& token : source) {
      const auto found = index_[0].find(token);
      if (found == index_[0].end()) return std::nullopt;
      places.push_back(found->second);
    }
    const auto found = std::find_if(examples_.begin(), examples_.end(), [&](const Example& one) {
      return one.fields[0].words == places;
    });
    return found == examples_.end() ? std::nullopt : std::optional(*found);
  }

 private:
  std::vector<std::uint16_t> placed(std::size_t field, const std::vector<std::string>& tokens) {
    std::vector<std::uint16_t> places;
    for (const std::string& token : tokens) {
      const auto [at, fresh] =
          index_[field].emplace(token, static_cast<std::uint16_t>(words_[field].size()));
      if (fresh) words_[field].push_back(token);
      places.push_back(at->second);
    }
    return places;
  }

  void add(const Sentence& sentence) {
    Example example;
    example.fields.resize(2);
    example.fields[0].words = placed(0, sentence.source);
    example.fields[1].words = placed(1, sentence.target);
    example.fields[1].words.push_back(end_word);
    example.links = sentence.links;
    examples_.push_back(std::move(example));
  }

  double pronouns_;
  std::array<std::vector<std::string>, 2> words_{vocabulary_of({}), vocabulary_of({})};
  std::map<std::string, std::uint16_t> index_[2];
  std::vector<Example> examples_;
  std::size_t first_other_ = 0;
};

}  // namespace

extern const Task translate_task;
const Task translate_task{.id = "task-translate",
                          .fields = {{"source"}, {"target", true}},
                          .knobs = {{"pronouns", 0.5, 0, 1, false}},
                          .forms = {"they see the red car", "she does not love him",
                                    "the cat hears me", "the house is not black"},
                          .open = opened<Translate>};
}  // namespace attend::translate_entry
