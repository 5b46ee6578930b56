// SPDX-License-Identifier: Apache-2.0
#include "catalogue/vocabulary.h"

#include <algorithm>
#include <set>

#include "catalogue/words_knob.h"

namespace attend {
namespace {

// Modules know the special words by their places, and the second place of a repeated word would never be used.
void check(const std::vector<std::string>& words, const std::string& path) {
  const bool begins = words.size() >= special_words.size() &&
                      std::equal(special_words.begin(), special_words.end(), words.begin());
  if (!begins) {
    refuse(path, "expected <start>, <end>, <unknown> and then the words, found " +
                     std::to_string(words.size()) + " words that do not begin with these");
  }
  std::set<std::string_view> before;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!before.insert(words[i]).second)
      refuse(path + "/" + std::to_string(i), "the word \"" + words[i] + "\" appears twice");
  }
}

}  // namespace

std::vector<std::string> words_by_appearance(const std::vector<std::string>& tokens) {
  std::vector<std::string> words(special_words.begin(), special_words.end());
  for (const std::string& token : tokens) {
    if (std::find(words.begin(), words.end(), token) == words.end()) words.push_back(token);
  }
  return words;
}

WordList::WordList(const Scope& in, const std::vector<std::string>& tokens) {
  const Knob* given = words_knob_of(*in.choice.mechanism);
  if (given != nullptr && in.has(given->name)) {
    words_ = in.words(given->name);
    check(words_, in.choice.path + "/" + std::string(given->name));
    return;
  }
  words_ = words_by_appearance(tokens);
}

std::size_t WordList::index_of(const std::string& word) const {
  const auto found = std::find(words_.begin(), words_.end(), word);
  return found == words_.end() ? unknown : static_cast<std::size_t>(found - words_.begin());
}

Tensor WordList::one_hot(const std::vector<std::size_t>& indices) const {
  Tensor table{{indices.size(), size()}, std::vector<double>(indices.size() * size(), 0)};
  for (std::size_t i = 0; i < indices.size(); ++i) table.data[i * size() + indices[i]] = 1;
  return table;
}

std::vector<std::string> WordList::missing(const std::vector<std::string>& tokens) const {
  std::vector<std::string> list;
  for (const std::string& token : tokens) {
    const bool known = std::find(words_.begin(), words_.end(), token) != words_.end();
    if (!known && std::find(list.begin(), list.end(), token) == list.end()) list.push_back(token);
  }
  return list;
}

std::size_t WordRows::index_of(const std::string& word) const {
  const auto found = std::find(vocabulary.begin(), vocabulary.end(), word);
  return found == vocabulary.end() ? WordList::unknown
                                   : static_cast<std::size_t>(found - vocabulary.begin());
}

Var word_rows(const Scope& in, std::string_view name, std::string_view port, const WordList& words,
              bool after_start) {
  const std::vector<std::string> tokens = tokens_at(in, port);
  WordRows rows{in.input_of(port), words.all(), after_start};
  Tensor table{{tokens.size(), words.size()}, std::vector<double>(tokens.size() * words.size(), 0)};
  rows.write(tokens, table.data.data());
  const Var leaf = in.constant(name, table);
  // The words that a module makes are the same for every example.
  if (!rows.input.empty()) in.assembler.note_words(leaf, std::move(rows));
  return leaf;
}

std::vector<std::string> tokens_at(const Scope& in, std::string_view port) {
  std::vector<std::string> tokens = in.tokens_of(in.need(port));
  if (tokens.empty()) refuse(in.source_of(port), "expected tokens, found an input without any");
  return tokens;
}

void warn_of_unknown(const Scope& in, const WordList& words, const std::vector<std::string>& tokens,
                     Var of) {
  std::string list;
  for (const std::string& token : words.missing(tokens))
    list += (list.empty() ? "\"" : ", \"") + token + "\"";
  if (!list.empty())
    in.caution("the vocabulary lacks " + list + "; words outside it count as <unknown>", of,
               ones(in.graph(), {1}));
}

}  // namespace attend
