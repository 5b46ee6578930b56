// SPDX-License-Identifier: Apache-2.0
// Every region of a picture that is being drawn asks the words what it should show,
//   B = softmax(H (K U)^T),  C = B K U
// Xu et al. 2018 (AttnGAN), arXiv:1711.10485
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::attngan_word_region_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var regions = inputs["query"], words = inputs["key"];  // [m d] [n de]
  in.label("m", regions);
  in.label("n", words);
  const Var mapped_words = let("K U", matmul(words, in.param("U")));  // [n d]
  const Triple rows{regions, mapped_words, mapped_words};
  const Var e =
      let("E", scores_by(in, rows, [&] { return matmul(regions, mapped_words, false, true); }));
  const Var a = let("B", weights_by(in, e, rows));
  return {{out::scores, e, "m n"},
          {out::weights, a, "m n"},
          {out::result, let("C", matmul(a, mapped_words)), "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array words = product(in["key"], in.parameter("U"));
  const AttentionTables seen = seen_by(dots(in["query"], words), words);
  return {{"scores", seen.scores}, {"weights", seen.weights}, {"context", seen.context}};
}

extern const Mechanism record{
    .id = "attngan-word-region",
    .aliases = {"attngan"},
    .parameters = {{"U", "de d"}},
    .roles = {{"query", "m d"}, {"key", "n de"}},
    .slots = {own_score_slot, own_alignment_slot},
    .coordinates = {{"scoring", "multiplicative"}, {"alignment", "global"}},
    .extents = {{"de", 4}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::attngan_word_region_entry
