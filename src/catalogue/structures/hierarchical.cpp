// SPDX-License-Identifier: Apache-2.0
// Hierarchical attention: words make sentences, sentences make the document
//   c_s = att(F^(s)) over the words of sentence s,  c = att([c_1; .. c_S])
// Yang et al. 2016, section 2.2, N16-1174; Brauwers & Frasincar 2022, section 3.1.2, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/parts/structures/levels.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::hierarchical_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const std::vector<std::string> tokens = in.tokens_of(x);
  const std::vector<Span> spans = sentence_spans(in, x);
  if (const auto words = words_of_spans(tokens, spans); !words.empty()) in.label("m", words);
  const Tensors word = ask_each(in, "word", encoded_each(in, "words", x, spans), spans, "m", "n");
  const Var sentences =
      encoded_each(in, "sentences", word["context"], {{0, spans.size()}});  // [m dv]
  const Tensors sentence =
      ask(in, {.slot = "sentence", .key = sentences, .value = sentences, .n = "m"});
  const Var a = result_of(in, "sentence", sentence, "weights"), within_sentence = word["weights"];
  // How much of each word is in the document: its share of its sentence, times the sentence's.
  Var share;
  if (a.rank() == 2 && within_sentence.rank() == 2)
    share = let("a_s a_{sj}", matmul(a, within_sentence));
  return word.under("word.") +
         Tensors{{out::weights, share, "1 n"}, {out::result, sentence["context"], "1 dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const auto* knob = in.knobs.contains("spans") ? &in.knobs.find("spans")->second : nullptr;
  const Array spans = knob != nullptr ? Array(std::get<Tensor>(*knob))
                                      : Array(Tensor{{1, 2}, {0, static_cast<double>(x.rows())}});
  Array contexts({spans.rows(), x.cols()}), within({spans.rows(), x.rows()});
  for (std::size_t s = 0; s < spans.rows(); ++s) {
    const auto start = static_cast<std::size_t>(spans(s, 0));
    const Array part = rows_from_to(x, start, static_cast<std::size_t>(spans(s, 1)));
    const AttentionTables word = seen_by(self_additive(in, "word.score.", part), part);
    for (std::size_t c = 0; c < x.cols(); ++c) contexts(s, c) = word.context(0, c);
    for (std::size_t j = 0; j < part.rows(); ++j) within(s, start + j) = word.weights(0, j);
  }
  const AttentionTables all = seen_by(self_additive(in, "sentence.score.", contexts), contexts);
  return {{"word.weights", within},          {"word.context", contexts},
          {"sentence.weights", all.weights}, {"weights", product(all.weights, within)},
          {"context", all.context},          {"output", all.context}};
}

extern const Mechanism record{
    .id = "hierarchical",
    .aliases = {"hierarchical-attention"},
    .knobs = {matrix_knob("spans").optionally()},
    .roles = {{"x", "n d"}},
    .slots = {attention_slot("word", by_self_additive),
              attention_slot("sentence", by_self_additive),
              {"words", Kind::structure, ""},
              {"sentences", Kind::structure, ""}},
    .coordinates = {{"feature levels", "hierarchical"}, {"type", "self-attentive"}},
    .example = R"("spans": [[0, 2], [2, 5], [5, 6]])",
    .extents = {{"n", 6}, {"d", 4}},
    .behaviour = Structure{build}};
}  // namespace attend::hierarchical_entry
