// SPDX-License-Identifier: Apache-2.0
#include "training/grammar/words.h"

#include <algorithm>
#include <array>

namespace attend::grammar {

const std::vector<Noun>& nouns() {
  static const auto list = [] {
    std::vector<Noun> made{{"dog", "dogs", Kind::doer, "barks", "bark"},
                           {"cat", "cats", Kind::doer, "purrs", "purr"},
                           {"bird", "birds", Kind::doer, "sings", "sing"},
                           {"horse", "horses", Kind::doer, "neighs", "neigh"},
                           {"cow", "cows", Kind::doer, "moos", "moo"},
                           {"lion", "lions", Kind::doer, "roars", "roar"},
                           {"duck", "ducks", Kind::doer, "quacks", "quack"},
                           {"frog", "frogs", Kind::doer, "croaks", "croak"},
                           {"bee", "bees", Kind::doer, "buzzes", "buzz"},
                           {"owl", "owls", Kind::doer, "hoots", "hoot"},
                           {"wolf", "wolves", Kind::doer, "howls", "howl"},
                           {"snake", "snakes", Kind::doer, "hisses", "hiss"},
                           {"mouse", "mice", Kind::doer, "squeaks", "squeak"},
                           {"pig", "pigs", Kind::doer, "grunts", "grunt"},
                           {"baby", "babies", Kind::doer, "cries", "cry"},
                           {"clock", "clocks", Kind::doer, "ticks", "tick"},
                           {"bell", "bells", Kind::doer, "rings", "ring"},
                           {"star", "stars", Kind::doer, "shines", "shine"},
                           {"river", "rivers", Kind::doer, "flows", "flow"},
                           {"fire", "fires", Kind::doer, "burns", "burn"},
                           {"plane", "planes", Kind::doer, "flies", "fly"},
                           {"ship", "ships", Kind::doer, "sails", "sail"},
                           {"flower", "flowers", Kind::doer, "blooms", "bloom"},
                           {"door", "doors", Kind::doer, "creaks", "creak"}};
    for (const char* thing : {"key", "cabinet", "house", "table", "letter", "cup", "box", "book",
                              "chair", "road", "wall", "bridge"}) {
      const std::string one(thing);
      made.push_back({one, one + (one == "box" ? "es" : "s"), Kind::thing});
    }
    for (const auto& [one, many, pronoun] :
         std::vector<std::array<std::string, 3>>{{"girl", "girls", "she"},
                                                 {"boy", "boys", "he"},
                                                 {"woman", "women", "she"},
                                                 {"man", "men", "he"},
                                                 {"queen", "queens", "she"},
                                                 {"king", "kings", "he"},
                                                 {"aunt", "aunts", "she"},
                                                 {"uncle", "uncles", "he"}})
      made.push_back({one, many, Kind::person, "", "", pronoun});
    return made;
  }();
  return list;
}

const std::vector<Name>& names() {
  static const std::vector<Name> list{{"Anna", "she"}, {"Paul", "he"},  {"Mary", "she"},
                                      {"John", "he"},  {"Lisa", "she"}, {"Peter", "he"},
                                      {"Emma", "she"}, {"David", "he"}};
  return list;
}

const std::vector<Verb>& reflexive_verbs() {
  static const std::vector<Verb> list{{"sees", "see"},       {"hurts", "hurt"},
                                      {"paints", "paint"},   {"teaches", "teach"},
                                      {"admires", "admire"}, {"blames", "blame"}};
  return list;
}

const std::vector<Verb>& clause_verbs() {
  static const std::vector<Verb> list{
      {"likes", "like"}, {"knows", "know"}, {"helps", "help"}, {"visits", "visit"}};
  return list;
}

const Tokens& adjectives() {
  static const Tokens list{"old", "young", "small", "large",   "red",   "green",
                           "new", "heavy", "quiet", "strange", "white", "black"};
  return list;
}

const Tokens& prepositions() {
  static const Tokens list{"near", "behind", "beside", "under", "above"};
  return list;
}

const Tokens& manners() {
  static const Tokens list{"loudly", "again", "outside", "here"};
  return list;
}

const Tokens& frequencies() {
  static const Tokens list{"always", "often", "never"};
  return list;
}

const Tokens& times() {
  static const Tokens list{"today", "now", "tonight", "later"};
  return list;
}

std::string reflexive(const std::string& pronoun) {
  return pronoun == "she" ? "herself" : pronoun == "he" ? "himself" : "themselves";
}

bool has(const Tokens& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

Tokens all_words() {
  Tokens list{"the", "who", "and",  ".",       "is",      "are",       "it",
              "he",  "she", "they", "himself", "herself", "themselves"};
  for (const Noun& noun : nouns()) list.insert(list.end(), {noun.one, noun.many});
  for (const Noun& noun : nouns()) {
    if (noun.kind == Kind::doer) list.insert(list.end(), {noun.verb_one, noun.verb_many});
  }
  for (const Name& name : names()) list.push_back(name.text);
  for (const auto* verbs : {&reflexive_verbs(), &clause_verbs()}) {
    for (const Verb& verb : *verbs) list.insert(list.end(), {verb.one, verb.many});
  }
  for (const Tokens* more : {&adjectives(), &prepositions(), &manners(), &frequencies(), &times()})
    list.insert(list.end(), more->begin(), more->end());
  return list;
}

}  // namespace attend::grammar
