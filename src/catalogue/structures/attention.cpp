// SPDX-License-Identifier: Apache-2.0
// The general attention module: query model -> position encodings -> heads -> score -> masks
// -> alignment -> context
// Brauwers & Frasincar 2022, section 2 and figure 2, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::attention_entry {
namespace {

Tensors build(const Scope& in, const Tensors&) { return in.assembler.attend(in); }

}  // namespace

// The whole default module: scaled dot products, their softmax, the weighted mean.
Arrays reference(const ReferenceIn& in) {
  const Array& k = in["key"];
  Arrays out = each_score(in, [&](const Row& q, const Row& key) {
    return inner(q, key) / std::sqrt(static_cast<double>(k.cols()));
  });
  Array weights(out["scores"].shape);
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    const Row row = soft(out["scores"].row(i), [](std::size_t) { return true; });
    for (std::size_t j = 0; j < row.size(); ++j) weights(i, j) = row[j];
  }
  out["context"] = weighted(weights, in["value"]);
  out["weights"] = weights;
  return out;
}

extern const Mechanism record{.id = "attention",
                              .aliases = {"general-attention"},
                              .slots = {{"score", Kind::score, "scaled-dot"},
                                        {"alignment", Kind::alignment, "softmax"},
                                        {"dimensionality", Kind::dimensionality, "single-dim"},
                                        {"qk", Kind::qk, ""},
                                        {"value", Kind::value, ""},
                                        {"aggregate", Kind::aggregate, ""},
                                        {"core", Kind::core, ""},
                                        {"output", Kind::output, ""},
                                        {"penalties", Kind::penalty, "", true},
                                        {"key", Kind::key, ""},
                                        {"query", Kind::query, "query-basic"},
                                        {"heads", Kind::heads, ""},
                                        {"mask", Kind::mask, "", true},
                                        {"position", Kind::position, "", true}},
                              .behaviour = Structure{build}};
}  // namespace attend::attention_entry
