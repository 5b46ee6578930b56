// SPDX-License-Identifier: Apache-2.0
// A learned vector a word:  F_i = scale E[word_i]; of a text that is being written, E[word_{i-1}] behind <start>
#include "catalogue/entry.h"
#include "catalogue/vocabulary.h"

namespace attend::fm_embedding_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Var x = inputs["x"];
  const std::vector<std::string> tokens = tokens_at(module, "x");
  const WordList words(module, tokens);
  Dimensions d;
  d.set("v", words.size());
  const Scope in = module.sized(d);
  in.label("n", x);
  const Var rows = word_rows(in, "words", "x", words, module.flag("before"));  // [n v]
  Var f = matmul(rows, in.param("E"));                                         // [n dim]
  if (in.number("scale") != 1) f = f * in.scalar("scale");
  f = let("F", f);
  warn_of_unknown(in, words, tokens, f);
  return {{out::output, f, "n dim"}};
}

}  // namespace

// Without a vocabulary: words by first appearance, behind the three special ones.
Arrays reference(const ReferenceIn& in) {
  const std::vector<std::string>& tokens = in.labels.at("x");
  const Array& E = in.parameter("E");
  Array f({tokens.size(), E.cols()});
  std::vector<std::string> seen;
  std::vector<std::size_t> places;
  if (in.flag("before")) places.push_back(0);  // <start>
  for (const std::string& token : tokens) {
    std::size_t place = 0;
    while (place < seen.size() && seen[place] != token) ++place;
    if (place == seen.size()) seen.push_back(token);
    places.push_back(place + 3);
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (std::size_t c = 0; c < f.cols(); ++c) f(i, c) = in.number("scale") * E(places[i], c);
  }
  return {{"output", f}};
}

extern const Mechanism record{
    .id = "fm-embedding",
    .parameters = {{"E", "v dim"}},
    .knobs = {size_knob("dim", "dim", 16., 1, 256), words_knob("vocabulary"),
              flag_knob("before", false), number_knob("scale", 1., .1, 64).above(0).log_scale()},
    .roles = {{.name = "x", .shape = "n dx", .words = true}},
    .around =
        R"({"inputs": {"x": {"shape": null, "data": null, "tokens": ["a", "b", "a", "c", "b"]}}})",
    .behaviour = Structure{build}};
}  // namespace attend::fm_embedding_entry
