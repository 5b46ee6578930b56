// SPDX-License-Identifier: Apache-2.0
// Hierarchical visual pooling: between two blocks of attention the line of tokens gets shorter,
//   C = softmax(X X^T / sqrt(d)) X,  Y_i = max over C_{i stride} .. C_{i stride + pool - 1}
// Pan et al. 2021 (HVT), arXiv:2103.10619
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::cross_covariance_free_hvt_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  const std::size_t n = x.extent(-2), pool = in.integer("pool"), stride = in.integer("stride");
  if (pool > n)
    refuse(in.choice.path + "/pool",
           "pool is the number of tokens that are merged into one; it is at most " +
               std::to_string(n) + " here, found " + std::to_string(pool));
  in.label("m", x);
  in.label("n", x);
  const Looked block = attend_by_slots(in, {x, x, x});
  // windows [stages pool d]: the rows of the windows one under another
  std::vector<Var> windows;
  for (std::size_t start = 0; start + pool <= n; start += stride)
    windows.push_back(expand(slice(block.context, -2, start, start + pool), 0));
  return {{out::scores, block.scores, "m n"},
          {out::weights, block.weights, "m n"},
          {out::context, block.context, "m d"},
          {out::output, let("Y", max(concat(windows, 0), -2)), "stage:query d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const AttentionTables block = attended(x, x, x);
  const std::size_t pool = in.integer("pool"), stride = in.integer("stride");
  Array y({(x.rows() - pool) / stride + 1, x.cols()}, -1e300);
  for (std::size_t s = 0; s < y.rows(); ++s)
    for (std::size_t i = s * stride; i < s * stride + pool; ++i)
      for (std::size_t c = 0; c < x.cols(); ++c) y(s, c) = std::max(y(s, c), block.context(i, c));
  return {{"weights", block.weights}, {"context", block.context}, {"output", y}};
}

extern const Mechanism record{.id = "cross-covariance-free-hvt",
                              .aliases = {"hvt", "hvt-pooling"},
                              .knobs = {integer_knob("pool", "ceil(2-1/n)", 1, 5).at_least(1),
                                        integer_knob("stride", 2., 1, 5).at_least(1)},
                              .roles = {{"x", "n d"}},
                              .slots = {own_score_slot, own_alignment_slot},
                              .excludes = {never_causal("pooling-joins-later"_reason)},
                              .laws = {.permutation = false},
                              .coordinates = {{"scoring", "scaled multiplicative"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::cross_covariance_free_hvt_entry
