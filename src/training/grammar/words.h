// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// The words of the grammar of agreement, which several tasks read.
namespace attend::grammar {

using Tokens = std::vector<std::string>;

// What a noun's sentence says of it: its own verb (dogs bark), a quality (keys are old), or what people do to
// themselves (the girl sees herself).
enum class Kind { doer, thing, person };

struct Noun {
  std::string one, many;
  Kind kind = Kind::thing;
  std::string verb_one = "", verb_many = "";  // of a doer
  std::string pronoun = "it";                 // of one
};
const std::vector<Noun>& nouns();

struct Name {
  std::string text, pronoun;
};
const std::vector<Name>& names();

// A verb after one and after several.
struct Verb {
  std::string one, many;
};
// "sees herself", and "who likes Paul".
const std::vector<Verb>& reflexive_verbs();
const std::vector<Verb>& clause_verbs();

const Tokens& adjectives();
const Tokens& prepositions();
// "bark loudly", "always bark", "today they bark".
const Tokens& manners();
const Tokens& frequencies();
const Tokens& times();

// "she" -> "herself".
std::string reflexive(const std::string& pronoun);
bool has(const Tokens& list, const std::string& word);
Tokens all_words();

inline const std::string first_mark = "[CLS]", next_mark = "[SEP]", hidden_mark = "[MASK]";

}  // namespace attend::grammar
