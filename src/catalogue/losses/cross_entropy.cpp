// SPDX-License-Identifier: Apache-2.0
// Cross-entropy, the mean over places:  L = mean_i ( ln sum_c e^{x_ic} - x_{i,target_i} )
#include "catalogue/entry.h"
#include "catalogue/vocabulary.h"

namespace attend::cross_entropy_entry {
namespace {

// The places of the right classes as rows of zeros and a one, [m v].
Var right_classes(const Scope& in, Var logits, Var target) {
  const std::size_t m = logits.extent(-2), v = logits.extent(-1);
  const std::vector<std::string> tokens = in.tokens_of(target);
  if (target.extent(0) != m) {
    refuse(in.source_of("target"), "expected " + std::to_string(m) +
                                       " targets, one per row of the logits, found " +
                                       std::to_string(target.extent(0)));
  }
  // Read once more with sizes: numbers of an input must lie below that of the classes.
  if (tokens.empty()) return one_hot(reshape(in.sized().need("target"), {m}), v);
  const WordList words(in, tokens);
  if (words.size() != v && !in.choice.knobs.contains("vocabulary")) {
    refuse(in.source_of("target"),
           "the logits have " + std::to_string(v) + " classes, but the targets have " +
               std::to_string(words.size()) + " different words; give the loss a \"vocabulary\", " +
               "the " + std::to_string(v) + " words that the classes mean");
  }
  if (words.size() != v) {
    refuse(in.choice.path + "/vocabulary",
           "the logits have " + std::to_string(v) + " classes, but the vocabulary has " +
               std::to_string(words.size()) + " words; give both the same vocabulary");
  }
  return word_rows(in, "target", "target", words);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var logits = inputs["logits"],
            target = inputs["target"];             // [m v]; tokens, or [m 1] class numbers
  const Var peak = detach(max(logits, -1, true));  // [m 1]
  const Var total = log(sum(exp(logits - peak), -1, true)) + peak;
  const Var right = sum(logits * right_classes(in, logits, target), -1, true);  // [m 1]
  return {{out::loss, let("L", mean(reshape(total - right, {logits.extent(-2)}), 0)), ""}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["logits"], &target = in["target"];
  double loss = 0;
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const Row p = softened(x.row(i));
    loss -= std::log(p[static_cast<std::size_t>(target(i, 0))]) / static_cast<double>(x.rows());
  }
  return {{"loss", Array(Shape{}, loss)}};
}

extern const Mechanism record{
    .id = "cross-entropy",
    .knobs = {words_knob("vocabulary")},
    .roles = {{"logits", "m v"}, {.name = "target", .shape = "m dt", .words = true}},
    .around = R"({"inputs": {"target": {"shape": [4, 1], "data": [0, 5, 2, 2]}}})",
    .behaviour = Structure{.build = build, .logits = "logits"}};
}  // namespace attend::cross_entropy_entry
