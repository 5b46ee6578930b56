// SPDX-License-Identifier: Apache-2.0
// Sparse Sinkhorn attention: tokens in b blocks; R = relu([sum Q_blk ; sum K_blk] W), S = Sinkhorn(ln(R + 1e-6) / T);
// the queries of a block attend to the sorted block of keys, (S K), and to their own
// Tay et al. 2020, arXiv:2002.11296; the sorting network and the one softmax over both blocks as in a public
// replication, not as printed there
#include "catalogue/entry.h"
#include "catalogue/parts/cores/sorted_blocks.h"

namespace attend::sinkhorn_sparse_entry {
namespace {

// Each block behind the sorted one in its place: [.. b s d] -> [.. b 2s d].
Var beside_sorted(Var sorter, Var blocks) {
  const Var sorted = sorted_blocks(sorter, blocks);
  return concat({sorted, broadcast_to(blocks, sorted.shape())}, -2);
}

Weighing build(const CoreIn& in) {
  in.need_same_length("A block of queries attends to its own block of keys");
  const std::size_t b = in.integer("blocks");
  const Var sorter = block_sorter(in), keys = blocks_of(in.k, b);  // [.. b n/b p]
  const Var near = beside_sorted(sorter, keys);                    // [.. b 2n/b p]
  const double root = std::sqrt(static_cast<double>(in.p()));
  const Var a = let("A_b", softmax(matmul(blocks_of(in.q, b), near, false, true) / root));
  return {[=](Var v) {
            const Var c = matmul(a, beside_sorted(sorter, blocks_of(v, b)));  // [.. b n/b dv]
            Shape rows = c.shape();
            rows.erase(rows.end() - 3);
            rows.end()[-2] = v.extent(-2);
            return reshape(c, rows);
          },
          {},
          "n",
          false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], S = sorter_by_loops(in);
  const std::size_t b = S.rows(), size = k.rows() / b;
  return rows_of_weights(in, [&](std::size_t i) {
    const std::size_t own = i / size;
    Row e(2 * size);
    for (std::size_t t = 0; t < size; ++t) {
      Row mixed(k.cols(), 0);
      for (std::size_t w = 0; w < b; ++w) {
        for (std::size_t c = 0; c < k.cols(); ++c) mixed[c] += S(own, w) * k(w * size + t, c);
      }
      const double root = std::sqrt(static_cast<double>(k.cols()));
      e[t] = inner(q.row(i), mixed) / root;
      e[size + t] = inner(q.row(i), k.row(own * size + t)) / root;
    }
    const Row a = softened(e);
    Row weights(k.rows(), 0);
    for (std::size_t t = 0; t < size; ++t) {
      for (std::size_t w = 0; w < b; ++w) weights[w * size + t] += a[t] * S(own, w);
      weights[own * size + t] += a[size + t];
    }
    return weights;
  });
}

extern const Mechanism record{
    .id = "sinkhorn-sparse",
    .aliases = {"sparse-sinkhorn"},
    .parameters = {{"W", "2p b"}, {"gumbel", "b b", Distribution::gumbel}},
    .knobs = {blocks_knob(), iterations_knob(), temperature_knob(), flag_knob("hard", false),
              flag_knob("gumbel", false)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = {{"alignment", "local"}},
    .example = R"("blocks": 3)",
    .extents = {{"m", 6}, {"n", 6}},
    .behaviour = Core{.build = build, .never_causal = sorted_by_all}};
}  // namespace attend::sinkhorn_sparse_entry
