// SPDX-License-Identifier: Apache-2.0
// Long-short range attention: some channels attend to everything, the others are a convolution,
//   C = [softmax(X_a X_a^T / sqrt(split)) X_a ; sum_s softmax(kernel)_s X_b shifted by s]
// Wu et al. 2020, arXiv:2004.11886
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::lite_transformer_entry {
namespace {

// x [n c] mixed along its rows by one kernel [1 size] for all channels, centred, zeros outside; in
// the causal form the kernel's last place is the row itself.
Var mixed(Var x, Var kernel, bool causal) {
  Graph& graph = x.graph();
  const std::size_t n = x.extent(-2), size = kernel.extent(-1);
  const std::size_t before = causal ? size - 1 : (size - 1) / 2;
  // The kernel as a band: row i has kernel_s at column i + s - before.
  const Var place = iota(graph, n) - iota(graph, n, 2) + static_cast<double>(before);  // [n n]
  Var band;
  for (std::size_t s = 0; s < size; ++s) {
    const Var at = equal(place, scalar(place, static_cast<double>(s)));
    const Var term = at * slice(kernel, -1, s, s + 1);
    band = band ? band + term : term;
  }
  return matmul(band, x);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  const std::size_t n = x.extent(-2), d = x.extent(-1), split = in.integer("split");
  if (split > d)
    refuse(in.choice.path + "/split",
           "split is the number of channels that attend; it is at most " + std::to_string(d) +
               ", the width of x; found " + std::to_string(split));
  in.label("m", x);
  in.label("n", x);
  const bool causal = in.flag("causal");
  const Var kernel = let("\\operatorname{softmax}(w)", softmax(in.param("kernel")));  // [1 k]
  std::vector<Var> parts;
  Looked global;
  if (split > 0) {
    const Var far = slice(x, -1, 0, split);  // [n split]
    global = attend_by_slots(in, {far, far, far}, causal ? keys_so_far(in.graph(), n, n) : Var{});
    parts.push_back(global.context);
  }
  if (split < d) parts.push_back(let("C_b", mixed(slice(x, -1, split, d), kernel, causal)));
  const Var both = parts.size() == 1 ? parts[0] : let("C", concat(parts, -1));
  return {{out::scores, global.scores, "m n"},
          {out::weights, global.weights, "m n"},
          {out::result, both, "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t split = in.integer("split");
  const bool causal = in.flag("causal");
  const Array far =
      table_by(x.rows(), split, [&](std::size_t i, std::size_t c) { return x(i, c); });
  const AttentionTables global = attended(far, far, far, causal ? not_after : everywhere);
  const Row w = softened(in.parameter("kernel").data);
  const long size = static_cast<long>(w.size()), before = causal ? size - 1 : (size - 1) / 2;
  Array y(x.shape);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c) {
      if (c < split) y(i, c) = global.context(i, c);
      for (long s = 0; c >= split && s < size; ++s) {
        const long j = static_cast<long>(i) + s - before;
        if (j >= 0 && j < static_cast<long>(x.rows())) y(i, c) += w[std::size_t(s)] * x(j, c);
      }
    }
  }
  Arrays out{{"output", y}};
  if (split > 0) out["weights"] = global.weights;
  return out;
}

extern const Mechanism record{.id = "lite-transformer",
                              .aliases = {"lsra"},
                              .parameters = {{"kernel", "k", Distribution::unit}},
                              .knobs = {integer_knob("split", "ceil(d/2)", 0, 16).at_least(0),
                                        size_knob("k", "k", 3., 1, 31), flag_knob("causal", false)},
                              .roles = {{"x", "n d"}},
                              .slots = {own_score_slot, own_alignment_slot},
                              .laws = {.permutation = false},
                              .coordinates = {{"scoring", "scaled multiplicative"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"}},
                              .example = R"("split": 4)",
                              .extents = {{"d", 16}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::lite_transformer_entry
