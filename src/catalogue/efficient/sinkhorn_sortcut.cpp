// SPDX-License-Identifier: Apache-2.0
// SortCut: every query attends to the first t blocks of keys, as sparse Sinkhorn attention sorts them
// Tay et al. 2020, arXiv:2002.11296
#include "catalogue/entry.h"
#include "catalogue/parts/cores/sorted_blocks.h"

namespace attend::sinkhorn_sortcut_entry {
namespace {

// The first t sorted blocks of x [.. n d] as one list of rows.
Var first_blocks(Var sorter, Var x, std::size_t t) {
  const Var sorted = sorted_blocks(sorter, blocks_of(x, sorter.extent(-1)));
  Shape shape = sorted.shape();
  shape.erase(shape.end() - 3);
  shape.end()[-2] = t * sorted.extent(-2);
  return reshape(slice(sorted, -3, 0, t), shape);
}

Weighing build(const CoreIn& in) {
  const std::size_t t = std::min(in.integer("t"), in.integer("blocks"));
  const Var sorter = block_sorter(in);
  const Var keys = let("K_t", first_blocks(sorter, in.k, t));  // [.. tn/b p]
  const double root = std::sqrt(static_cast<double>(in.p()));
  const Var a = let("A_t", softmax(matmul(in.q, keys, false, true) / root));
  return {[=](Var v) { return matmul(a, first_blocks(sorter, v, t)); }, {}, "n", false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], S = sorter_by_loops(in);
  const std::size_t b = S.rows(), size = k.rows() / b;
  const auto t = std::min(in.integer("t"), b);
  return rows_of_weights(in, [&](std::size_t i) {
    Row e(t * size);
    for (std::size_t r = 0; r < e.size(); ++r) {
      Row mixed(k.cols(), 0);
      for (std::size_t w = 0; w < b; ++w)
        mixed = plus(mixed, k.row(w * size + r % size), S(r / size, w));
      e[r] = inner(q.row(i), mixed) / std::sqrt(static_cast<double>(k.cols()));
    }
    const Row a = softened(e);
    Row weights(k.rows(), 0);
    for (std::size_t r = 0; r < e.size(); ++r) {
      for (std::size_t w = 0; w < b; ++w) weights[w * size + r % size] += a[r] * S(r / size, w);
    }
    return weights;
  });
}

extern const Mechanism record{
    .id = "sinkhorn-sortcut",
    .aliases = {"sortcut"},
    .parameters = {{"W", "2p b"}, {"gumbel", "b b", Distribution::gumbel}},
    .knobs = {integer_knob("t", 1., 1, 16).at_least(1), blocks_knob(), iterations_knob(),
              temperature_knob(), flag_knob("hard", false), flag_knob("gumbel", false)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = {{"alignment", "local"}},
    .example = R"("blocks": 2)",
    .extents = {{"m", 4}, {"n", 6}},
    .behaviour = Core{.build = build, .never_causal = sorted_by_all}};
}  // namespace attend::sinkhorn_sortcut_entry
