// SPDX-License-Identifier: Apache-2.0
// Word embedding whose words are hidden as BERT hides them:  F_i = E[word_i]; a word outside `keep` is picked with
// probability `rate`, and its row is then x_[MASK], the row of any word of the vocabulary, or its own.
// Devlin et al. 2019 (BERT), section 3.1, arXiv:1810.04805
#include <string>

#include "catalogue/entry.h"
#include "catalogue/vocabulary.h"

namespace attend::fm_masked_embedding_entry {
namespace {

constexpr OutputKind picked_words{"picked", TensorRole::state, NumberKind::zero_one};

// The words that a text may hold are those behind <start>, <end> and <unknown>.
std::size_t first_of_text(std::size_t words) { return std::min<std::size_t>(3, words - 1); }

// 1 for each word of the list that may be picked, [v 1].
Var may_be_picked(const Scope& in, const WordList& words) {
  Tensor table{{words.size(), 1}, std::vector<double>(words.size(), 1)};
  if (in.has("keep")) {
    for (const std::string& kept : in.words("keep")) {
      const auto found = std::find(words.all().begin(), words.all().end(), kept);
      if (found != words.all().end())
        table.data[static_cast<std::size_t>(found - words.all().begin())] = 0;
    }
  }
  return in.constant("allowed", table);
}

Tensors build(const Scope& module, const Tensors& inputs) {
  const Var x = inputs["x"];
  const std::vector<std::string> tokens = tokens_at(module, "x");
  const WordList words(module, tokens);
  const std::size_t n = tokens.size(), v = words.size(), first = first_of_text(v);
  Dimensions d;
  d.set("v", v);
  const Scope in = module.sized(d);
  in.label("n", x);
  const Var rows = word_rows(in, "words", "x", words);                       // [n v]
  const Var E = in.param("E");                                               // [v dim]
  const auto draws = [&](const char* u) { return transpose(in.param(u)); };  // [n 1]
  const auto below = [](Var u, Var bound) { return greater(bound, u); };
  const Var masked = in.scalar("masked"), kind = draws("u_kind");
  const Var picked =
      let("s", below(draws("u_pick"), in.scalar("rate")) * matmul(rows, may_be_picked(in, words)));
  const Var other = floor(draws("u_token") * static_cast<double>(v - first)) +
                    static_cast<double>(first);                        // [n 1]
  const Var drawn = matmul(squeeze(one_hot(other, v), -2), E);         // [n dim]
  const Var own = matmul(rows, E);                                     // [n dim]
  const Var replaced = where(below(kind, masked), in.param("x_mask"),  // [n dim]
                             where(below(kind, masked + in.scalar("random")), drawn, own));
  const Var f = let("F", where(picked, replaced, own));  // [n dim]
  warn_of_unknown(in, words, tokens, f);
  return {{out::output, f, "n dim"}, {picked_words, reshape(picked, {n}), "n"}};
}

constexpr Knob share(std::string_view name, double fallback) {
  return number_knob(name, fallback, 0, 1).at_least(0).at_most(1);
}

}  // namespace

// Without a vocabulary: words by first appearance, behind the three special ones. Nothing is kept.
Arrays reference(const ReferenceIn& in) {
  const std::vector<std::string>& tokens = in.labels.at("x");
  const Array& E = in.parameter("E");
  Array f({tokens.size(), E.cols()}), picked(Shape{tokens.size()}, 0);
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::size_t place = 0;
    while (place < seen.size() && seen[place] != tokens[i]) ++place;
    if (place == seen.size()) seen.push_back(tokens[i]);
    for (std::size_t c = 0; c < f.cols(); ++c) f(i, c) = E(place + 3, c);
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (in.parameter("u_pick")(i) >= in.number("rate")) continue;
    picked(i) = 1;
    const double kind = in.parameter("u_kind")(i);
    const auto word =
        3 + static_cast<std::size_t>(in.parameter("u_token")(i) * static_cast<double>(seen.size()));
    for (std::size_t c = 0; c < f.cols(); ++c) {
      if (kind < in.number("masked")) {
        f(i, c) = in.parameter("x_mask")(c);
      } else if (kind < in.number("masked") + in.number("random")) {
        f(i, c) = E(word, c);
      }
    }
  }
  return {{"output", f}, {"picked", picked}};
}

extern const Mechanism record{
    .id = "fm-masked-embedding",
    .parameters = {{"E", "v dim"},
                   {"x_mask", "dim"},
                   {"u_pick", "n", Distribution::uniform},
                   {"u_kind", "n", Distribution::uniform},
                   {"u_token", "n", Distribution::uniform}},
    .knobs = {size_knob("dim", "dim", 16., 1, 256), words_knob("vocabulary"), words_knob("keep"),
              share("rate", 0.15), share("masked", 0.8), share("random", 0.1)},
    .roles = {{.name = "x", .shape = "n dx", .words = true}},
    .laws = {.permutation = false},
    .example = R"("rate": 0.6, "masked": 0.5, "random": 0.3)",
    .around =
        R"({"inputs": {"x": {"shape": null, "data": null, "tokens": ["a", "b", "a", "c", "b"]}}})",
    .behaviour = Structure{build}};
}  // namespace attend::fm_masked_embedding_entry
