// SPDX-License-Identifier: Apache-2.0
// Sentences of the task of entailment as words, and back.
#include <algorithm>

#include "training/entailment/judge.h"

namespace attend::entailment {
namespace {

using Tokens = std::vector<std::string>;
using Form = const std::string& (*)(Node);

const Tokens quantities{"all", "some", "no"};

// Reads one token after the other.
class Reader {
 public:
  explicit Reader(const Tokens& tokens) : tokens_(tokens) {}
  [[nodiscard]] bool ended() const { return at_ == tokens_.size(); }
  bool take(const std::string& word) {
    if (ended() || tokens_[at_] != word) return false;
    ++at_;
    return true;
  }
  bool take(Sentence& sentence, Part part, Kind kind, Form form) {
    for (const Node node : nodes_of(kind)) {
      if (!take(form(node))) continue;
      sentence.put(part, node, at_ - 1);
      return true;
    }
    return false;
  }
  [[nodiscard]] std::size_t last() const { return at_ - 1; }

 private:
  const Tokens& tokens_;
  std::size_t at_ = 0;
};

// "outside" and "inside" are said without "in the".
bool alone(Node place) { return line_of(place).size() > 1; }

bool read_place(Reader& reader, Sentence& sentence) {
  const bool within = reader.take("in");
  if (within && !reader.take("the")) return false;
  return reader.take(sentence, Part::place, Kind::place, one_form) &&
         alone(sentence.node(Part::place)) != within;
}

std::optional<Sentence> read_scene(Reader& reader) {
  Sentence sentence;
  reader.take(sentence, Part::quality, Kind::quality, one_form);
  if (!reader.take(sentence, Part::noun, Kind::noun, one_form)) return std::nullopt;
  if (reader.take("does")) {
    if (!reader.take("not")) return std::nullopt;
    sentence.quantity = 1;
    sentence.quantity_at = reader.last();
  }
  const bool negated = sentence.quantity == 1;
  if (!reader.take(sentence, Part::doing, Kind::verb, negated ? many_form : one_form))
    return std::nullopt;
  if (!reader.ended() && (negated || !read_place(reader, sentence))) return std::nullopt;
  return reader.ended() ? std::optional(sentence) : std::nullopt;
}

std::optional<Sentence> read_quantity(Reader& reader) {
  Sentence sentence{.quantified = true};
  while (!reader.take(quantities[sentence.quantity])) {
    if (++sentence.quantity == quantities.size()) return std::nullopt;
  }
  sentence.quantity_at = reader.last();
  if (!reader.take(sentence, Part::noun, Kind::noun, many_form)) return std::nullopt;
  const bool is = reader.take("are");
  if (!reader.take(sentence, Part::doing, is ? Kind::quality : Kind::verb, many_form))
    return std::nullopt;
  return reader.ended() ? std::optional(sentence) : std::nullopt;
}

}  // namespace

Tokens all_words() {
  Tokens list{"the", "does", "not", "in", "are"};
  list.insert(list.end(), quantities.begin(), quantities.end());
  for (const Kind kind : {Kind::noun, Kind::verb, Kind::quality, Kind::place}) {
    for (const Node node : nodes_of(kind)) {
      list.push_back(one_form(node));
      if (many_form(node) != one_form(node)) list.push_back(many_form(node));
    }
  }
  return list;
}

Tokens spoken(const Sentence& sentence) {
  const auto word = [&](Part part, Form form) { return form(sentence.node(part)); };
  if (sentence.quantified) {
    Tokens list{quantities.at(sentence.quantity), word(Part::noun, many_form)};
    if (kind_of(sentence.node(Part::doing)) == Kind::quality) list.emplace_back("are");
    list.push_back(word(Part::doing, many_form));
    return list;
  }
  Tokens list{"the"};
  if (sentence.has(Part::quality)) list.push_back(word(Part::quality, one_form));
  list.push_back(word(Part::noun, one_form));
  if (sentence.quantity == 1) {
    list.insert(list.end(), {"does", "not"});
    list.push_back(word(Part::doing, many_form));
    return list;
  }
  list.push_back(word(Part::doing, one_form));
  if (sentence.has(Part::place)) {
    if (!alone(sentence.node(Part::place))) list.insert(list.end(), {"in", "the"});
    list.push_back(word(Part::place, one_form));
  }
  return list;
}

std::optional<Sentence> read(const Tokens& tokens) {
  Reader reader(tokens);
  return reader.take("the") ? read_scene(reader) : read_quantity(reader);
}

}  // namespace attend::entailment
