// SPDX-License-Identifier: Apache-2.0
// Weights of a text, added up for each word:  p_w = sum of a_j over the positions j of the word w
// Kadlec, Schmid, Bajgar, Kleindienst 2016, arXiv:1603.01547
#include "catalogue/entry.h"
#include "catalogue/vocabulary.h"

namespace attend::om_attention_sum_entry {
namespace {

// The sum for a word that does not occur: its logarithm is very low, but a number.
constexpr double nothing = 1e-30;

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var weights = inputs["weights"];  // [m n]
  const std::vector<std::string> tokens = tokens_at(in, "key");
  const WordList words(in, tokens);
  in.label("m", weights);
  in.label("v", words.all());
  const Var p = let("p", matmul(weights, word_rows(in, "words", "key", words)));  // [m v]
  const Var logits = let("\\ln p", log(maximum(p, scalar(p, nothing))));          // [m v]
  warn_of_unknown(in, words, tokens, p);
  return {{OutputKind{"probabilities", TensorRole::output, NumberKind::probability}, p, "m v"},
          {"logits", logits, "m v"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& a = in["weights"];
  const std::vector<std::string>& tokens = in.labels.at("key");
  const auto& words = std::get<std::vector<std::string>>(in.knobs.at("vocabulary"));
  Array p({a.rows(), words.size()}), logits = p;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::size_t j = 0; j < tokens.size(); ++j)
        p(i, w) += tokens[j] == words[w] ? a(i, j) : 0;
      logits(i, w) = p(i, w) > nothing ? std::log(p(i, w)) : std::log(nothing);
    }
  }
  return {{"probabilities", p}, {"logits", logits}};
}

extern const Mechanism record{
    .id = "om-attention-sum",
    .knobs = {words_knob("vocabulary")},
    .roles = {{"weights", "m n"}, {.name = "key", .shape = "n d", .words = true}},
    .example = R"("vocabulary": ["<start>", "<end>", "<unknown>", "to", "be", "or", "not"])",
    .around =
        R"({"inputs": {"weights": {"shape": [2, 5], "data": [0.1, 0.2, 0.3, 0.15, 0.25, 0.5, 0.1, 0.1, 0.1, 0.2]}, "key": {"shape": null, "data": null, "tokens": ["to", "be", "or", "to", "be"]}}})",
    .behaviour = Structure{build}};
}  // namespace attend::om_attention_sum_entry
