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
  return results(attended(in["query"], in["key"], in["value"]));
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
