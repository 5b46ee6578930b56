// SPDX-License-Identifier: Apache-2.0
// Hierarchical attention of three levels: words, sentences, documents
//   c_s = att(F^(s)),  c_d = att over the sentences of document d,  c = att over the documents
// Galassi, Lippi, Torroni 2021, section IV-A2, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/parts/structures/levels.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::hierarchical_3tier_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const std::vector<std::string> tokens = in.tokens_of(x);
  const std::vector<Span> spans = sentence_spans(in, x);
  const std::vector<Span> documents =
      spans_of(in, "documents", spans.size(), "sentences", {{0, spans.size()}});
  const auto words = words_of_spans(tokens, spans);
  if (!words.empty()) {
    in.label("s", words);
    in.label("m", words_of_spans(words, documents));
  }
  const Tensors word =
      ask_each(in, "word", encoded_each(in, "words", x, spans), spans, "s:query", "n");
  const Var sentences = encoded_each(in, "sentences", word["context"], documents);
  const Tensors sentence = ask_each(in, "sentence", sentences, documents, "m", "s:key");
  const Var rows = sentence["context"];  // [m dv]
  const Tensors document = ask(in, {.slot = "document", .key = rows, .value = rows, .n = "m"});
  const Var a = result_of(in, "document", document, "weights"), b = sentence["weights"],
            c = word["weights"];
  Var share;
  if (a.rank() == 2 && b.rank() == 2 && c.rank() == 2)
    share = let("a_d a_{ds} a_{dsj}", matmul(matmul(a, b), c));
  return word.under("word.") + sentence.under("sentence.") +
         Tensors{{out::weights, share, "1 n"}, {out::result, document["context"], "1 dv"}};
}

// The level above: a row for each span, and the weights inside them.
struct Level {
  Array contexts, within;
};
Level level(const ReferenceIn& in, const std::string& module, const Array& x, const Array& spans) {
  Level made{Array({spans.rows(), x.cols()}), Array({spans.rows(), x.rows()})};
  for (std::size_t s = 0; s < spans.rows(); ++s) {
    const auto start = static_cast<std::size_t>(spans(s, 0));
    const Array part = rows_from_to(x, start, static_cast<std::size_t>(spans(s, 1)));
    const AttentionTables seen = seen_by(self_additive(in, module + ".score.", part), part);
    for (std::size_t c = 0; c < x.cols(); ++c) made.contexts(s, c) = seen.context(0, c);
    for (std::size_t j = 0; j < part.rows(); ++j) made.within(s, start + j) = seen.weights(0, j);
  }
  return made;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const auto spans = [&](const char* knob) {
    return Array(std::get<Tensor>(in.knobs.find(knob)->second));
  };
  const Level word = level(in, "word", in["x"], spans("spans"));
  const Level sentence = level(in, "sentence", word.contexts, spans("documents"));
  const AttentionTables all =
      seen_by(self_additive(in, "document.score.", sentence.contexts), sentence.contexts);
  return {{"word.weights", word.within},
          {"sentence.weights", sentence.within},
          {"document.weights", all.weights},
          {"weights", product(product(all.weights, sentence.within), word.within)},
          {"context", all.context}};
}

extern const Mechanism record{
    .id = "hierarchical-3tier",
    .aliases = {"three-tier"},
    .knobs = {matrix_knob("spans").optionally(), matrix_knob("documents").optionally()},
    .roles = {{"x", "n d"}},
    .slots = {attention_slot("word", by_self_additive),
              attention_slot("sentence", by_self_additive),
              attention_slot("document", by_self_additive),
              {"words", Kind::structure, ""},
              {"sentences", Kind::structure, ""}},
    .coordinates = {{"feature levels", "hierarchical"}, {"type", "self-attentive"}},
    .example = R"("spans": [[0, 2], [2, 5], [5, 6]], "documents": [[0, 2], [2, 3]])",
    .extents = {{"n", 6}, {"d", 4}},
    .behaviour = Structure{build}};
}  // namespace attend::hierarchical_3tier_entry
