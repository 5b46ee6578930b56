// SPDX-License-Identifier: Apache-2.0
// A pointer: the weights over the keys are the answer
// Vinyals, Fortunato, Jaitly 2015, arXiv:1506.03134
#include "catalogue/entry.h"
#include "catalogue/module_results.h"

namespace attend::om_pointer_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var query = inputs["query"], key = inputs["key"];  // [m dq] [n dk]
  in.label("m", query);
  in.label("n", key);
  const Tensors found =
      in.call("attention", {.name = "attention", .family = {}, .m = "m", .n = "n", .step = {}},
              {{"query", query}, {"key", key}, {"value", key}});
  return {{"logits", result_of(in, "attention", found, "scores"), "m n"},
          {OutputKind{"probabilities", TensorRole::weights, NumberKind::probability},
           result_of(in, "attention", found, "weights"), "m n"}};
}

}  // namespace

// With the additive score.
Arrays reference(const ReferenceIn& in) {
  const auto parameter = [&](const char* name) -> const Array& {
    return in.parameter(std::string("attention.score.") + name);
  };
  const Array &q = in["query"], &k = in["key"];
  Array logits({q.rows(), k.rows()}), p = logits;
  for (std::size_t i = 0; i < q.rows(); ++i) {
    const Row asked = mapped(q.row(i), parameter("W1"));
    for (std::size_t j = 0; j < k.rows(); ++j) {
      const Row own = mapped(k.row(j), parameter("W2"));
      for (std::size_t c = 0; c < own.size(); ++c)
        logits(i, j) += parameter("w")(c) * std::tanh(asked[c] + own[c] + parameter("b")(c));
    }
    const Row probability = soft(logits.row(i), [](std::size_t) { return true; });
    for (std::size_t j = 0; j < k.rows(); ++j) p(i, j) = probability[j];
  }
  return {{"logits", logits}, {"probabilities", p}};
}

extern const Mechanism record{
    .id = "om-pointer",
    .roles = {{"query", "m dq"}, {"key", "n dk"}},
    .slots = {{"attention", Kind::structure, "attention", false, {}, {{"score", "additive"}}}},
    .behaviour = Structure{build}};
}  // namespace attend::om_pointer_entry
