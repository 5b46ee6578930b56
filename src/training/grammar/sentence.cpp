// SPDX-License-Identifier: Apache-2.0
#include "training/grammar/sentence.h"

#include <algorithm>

#include "ops/error.h"

namespace attend::grammar {
namespace {

template <class T>
const T* find_in(const std::vector<T>& list, const auto& is) {
  const auto found = std::find_if(list.begin(), list.end(), is);
  return found == list.end() ? nullptr : &*found;
}

// Reads from left to right. A step that does not fit makes the whole text none of the grammar.
class Reader {
 public:
  Reader(const Tokens& tokens, Marks marks) : tokens_(tokens), marks_(marks) {}

  std::optional<Text> text() {
    const bool fits = marks_ == Marks::none
                          ? first() && (open() || at_ == tokens_.size() || second())
                          : take(first_mark) && first() && take(next_mark) && second() &&
                                take(next_mark) && !open();
    if (!fits || at_ != tokens_.size()) return std::nullopt;
    return text_;
  }

 private:
  [[nodiscard]] bool open() const { return text_.open; }
  [[nodiscard]] bool more() const { return at_ < tokens_.size(); }
  bool take(const std::string& word) {
    if (!more() || tokens_[at_] != word) return false;
    ++at_;
    return true;
  }
  bool take(const Tokens& list) {
    if (!more() || !has(list, tokens_[at_])) return false;
    ++at_;
    return true;
  }
  bool take(const std::vector<Verb>& verbs) {
    if (!more() || find_in(verbs, [&](const Verb& verb) {
                     return (many_ ? verb.many : verb.one) == tokens_[at_];
                   }) == nullptr)
      return false;
    ++at_;
    return true;
  }

  // A determined word: shown, hidden, or the next one after the text, and then nothing else is read.
  bool determined(const std::string& word, Role role, bool sure) {
    const bool hidden = marks_ == Marks::segments && more() && tokens_[at_] == hidden_mark;
    const bool shown = more() && tokens_[at_] == word;
    const bool comes = marks_ == Marks::none && !more() && sure;
    if (!hidden && !shown && !comes) return false;
    text_.words.push_back({at_, word, role, text_.first != 0, shown, sure});
    text_.open = comes;
    at_ += comes ? 0 : 1;
    return true;
  }

  // "the old dogs", and which noun it was; nothing is read where it is none.
  const Noun* noun_phrase(bool* many) {
    if (!take("the")) return nullptr;
    take(adjectives());
    if (!more()) return nullptr;
    const std::string& word = tokens_[at_];
    const Noun* noun =
        find_in(nouns(), [&](const Noun& one) { return one.one == word || one.many == word; });
    if (noun == nullptr) return nullptr;
    *many = noun->many == word;
    ++at_;
    return noun;
  }
  const Name* name() {
    if (!more()) return nullptr;
    const Name* found = find_in(names(), [&](const Name& one) { return one.text == tokens_[at_]; });
    at_ += found == nullptr ? 0 : 1;
    return found;
  }

  bool subject() {
    if (const Name* one = name()) {
      kind_ = Kind::person;
      pronoun_ = one->pronoun;
      text_.subject = {at_ - 1};
      if (!take("and")) return true;
      many_ = true;
      pronoun_ = "they";
      text_.subject.push_back(at_);
      const Name* other = name();
      return other != nullptr && other != one;
    }
    noun_ = noun_phrase(&many_);
    if (noun_ == nullptr) return false;
    kind_ = noun_->kind;
    pronoun_ = many_ ? "they" : noun_->pronoun;
    text_.subject = {at_ - 1};
    return true;
  }

  // Reads what is between the subject and its verb.
  bool between() {
    bool many = false;
    if (kind_ == Kind::person) {
      if (!take("who")) return true;
      if (!take(clause_verbs())) return false;
      if (name() != nullptr) return true;
      const Noun* noun = noun_phrase(&many);
      return noun != nullptr && noun->kind == Kind::person;
    }
    while (take(prepositions())) {
      if (noun_phrase(&many) == nullptr) return false;
    }
    return true;
  }

  bool verb() { return determined(many_ ? noun_->verb_many : noun_->verb_one, Role::verb, true); }
  bool be(bool sure) { return determined(many_ ? "are" : "is", Role::be, sure); }

  bool first() {
    if (!subject() || !between()) return false;
    bool fits = false;
    if (kind_ == Kind::doer)
      fits = verb();
    else if (kind_ == Kind::thing)
      fits = be(true) && (open() || take(adjectives()));
    else
      fits = take(reflexive_verbs()) && determined(reflexive(pronoun_), Role::reflexive, true);
    if (!fits || open()) return fits;
    if (kind_ == Kind::doer) take(manners());
    fits = take(".");
    text_.first = at_;
    return fits;
  }

  bool second() {
    if (!take(times()) || !determined(pronoun_, Role::pronoun, true)) return false;
    if (open()) return true;
    // After a doer's pronoun a verb may come as well.
    const bool fits = kind_ == Kind::doer && take(frequencies())
                          ? verb()
                          : be(kind_ != Kind::doer) && (open() || take(adjectives()));
    return fits && (open() || take("."));
  }

  const Tokens& tokens_;
  Marks marks_;
  std::size_t at_ = 0;
  Text text_;
  const Noun* noun_ = nullptr;
  Kind kind_ = Kind::thing;
  bool many_ = false;
  std::string pronoun_;
};

constexpr double described = 0.35, with_manner = 0.4, coupled = 0.3, named = 0.6,
                 other_number = 0.6;

template <class T>
const T& any(const std::vector<T>& list, Draws& draws) {
  return list[draws.below(list.size())];
}

const Noun& noun_of(Kind kind, Draws& draws) {
  for (;;) {
    const Noun& noun = any(nouns(), draws);
    if (noun.kind == kind) return noun;
  }
}

void say(Tokens& told, const Noun& noun, bool many, Draws& draws) {
  told.emplace_back("the");
  if (draws.uniform() < described) told.push_back(any(adjectives(), draws));
  told.push_back(many ? noun.many : noun.one);
}

struct Subject {
  const Noun* noun;
  Kind kind;
  bool many;
  std::string pronoun;
};

Subject say_subject(Tokens& told, Draws& draws) {
  const std::size_t dice = draws.below(10);
  const Kind kind = dice < 5 ? Kind::doer : dice < 7 ? Kind::thing : Kind::person;
  if (kind == Kind::person && draws.uniform() < named) {
    const Name& name = any(names(), draws);
    told.push_back(name.text);
    if (draws.uniform() >= coupled) return {nullptr, kind, false, name.pronoun};
    const Name* other = &any(names(), draws);
    while (other == &name) other = &any(names(), draws);
    told.insert(told.end(), {"and", other->text});
    return {nullptr, kind, true, "they"};
  }
  const Noun& noun = noun_of(kind, draws);
  const bool many = draws.below(2) == 1;
  say(told, noun, many, draws);
  return {&noun, kind, many, many ? "they" : noun.pronoun};
}

// More often than not a noun in between has the other number.
void say_between(Tokens& told, const Subject& subject, const Style& style, Draws& draws) {
  const auto number = [&] { return (draws.uniform() < other_number) != subject.many; };
  // One draw after the other: compilers evaluate arguments in orders of their own.
  const auto say_noun = [&](const auto& noun) {
    const bool many = number();
    say(told, noun(), many, draws);
  };
  const std::size_t count = style.fewest + draws.below(style.most - style.fewest + 1);
  if (subject.kind == Kind::person) {
    if (count == 0) return;
    const Verb& verb = any(clause_verbs(), draws);
    told.insert(told.end(), {"who", subject.many ? verb.many : verb.one});
    if (draws.uniform() < named)
      told.push_back(any(names(), draws).text);
    else
      say_noun([&]() -> const Noun& { return noun_of(Kind::person, draws); });
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    told.push_back(any(prepositions(), draws));
    say_noun([&]() -> const Noun& { return any(nouns(), draws); });
  }
}

}  // namespace

std::optional<Text> read(const Tokens& tokens, Marks marks) { return Reader(tokens, marks).text(); }

std::vector<Link> links_of(const Text& text, const Determined& word, std::size_t row) {
  std::vector<Link> links;
  for (const std::size_t at : text.subject) links.push_back({row, at, LinkKind::means});
  for (const Determined& other : text.words) {
    if (other.at == word.at || !other.shown) continue;
    const bool same = word.role == Role::verb && other.role == Role::verb;
    const bool own = word.role == Role::be && word.second && other.role == Role::pronoun;
    links.push_back({row, other.at, same || own ? LinkKind::means : LinkKind::agrees});
  }
  return links;
}

Tokens draw_text(Draws& draws, const Style& style, Marks marks) {
  Tokens told;
  if (marks == Marks::segments) told.push_back(first_mark);
  const Subject subject = say_subject(told, draws);
  say_between(told, subject, style, draws);
  const auto be = [&] {
    told.insert(told.end(), {subject.many ? "are" : "is", any(adjectives(), draws)});
  };
  const auto verb = [&] {
    told.push_back(subject.many ? subject.noun->verb_many : subject.noun->verb_one);
  };
  if (subject.kind == Kind::doer) {
    verb();
    if (draws.uniform() < with_manner) told.push_back(any(manners(), draws));
  } else if (subject.kind == Kind::thing) {
    be();
  } else {
    const Verb& one = any(reflexive_verbs(), draws);
    told.insert(told.end(), {subject.many ? one.many : one.one, reflexive(subject.pronoun)});
  }
  told.emplace_back(".");
  if (marks == Marks::segments) told.push_back(next_mark);
  if (draws.uniform() >= style.second) return told;
  told.insert(told.end(), {any(times(), draws), subject.pronoun});
  if (subject.kind == Kind::doer && draws.below(2) == 1) {
    told.push_back(any(frequencies(), draws));
    verb();
  } else {
    be();
  }
  told.emplace_back(".");
  if (marks == Marks::segments) told.push_back(next_mark);
  return told;
}

Style style_of(const TaskSettings& settings, double second) {
  const Style style{settings.count("fewest"), settings.count("most"), second};
  if (style.fewest > style.most)
    refuse("/fewest", "the minimum is " + std::to_string(style.fewest) +
                          " nouns between subject and verb, more than the maximum, " +
                          std::to_string(style.most));
  return style;
}

double fewer_than_all(const Style& style) {
  double people = 0, others = 0;
  for (const Noun& noun : nouns()) (noun.kind == Kind::person ? people : others) += 2;
  const auto between = static_cast<double>(2 * nouns().size() * prepositions().size());
  const auto described_forms = static_cast<double>(1 + adjectives().size());
  const auto acts = static_cast<double>(reflexive_verbs().size());
  return described_forms * (others * (style.most == 0 ? 1 : between) + people * acts);
}

}  // namespace attend::grammar
