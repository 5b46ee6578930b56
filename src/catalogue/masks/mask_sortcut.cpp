// SPDX-License-Identifier: Apache-2.0
// SortCut: S = Sinkhorn(ln(relu([sum Q_block ; sum K_block] W) + 1e-6) / tau) puts a block of keys
// on every place; all queries see the keys of the blocks on the first t places
// Tay et al. 2020 (Sparse Sinkhorn Attention), section 3, arXiv:2002.11296
#include "catalogue/entry.h"

namespace attend::mask_sortcut_entry {
namespace {

Var log_normalised(Var x, long axis) {
  const Var moved = x - max(x, axis, true);
  return moved - log(sum(exp(moved), axis, true));
}

// [b n]: which tokens are in which block.
Var block_members(Graph& graph, std::size_t n, std::size_t blocks) {
  const auto size = static_cast<double>((n + blocks - 1) / blocks);
  return equal(floor(iota(graph, n) / size), iota(graph, blocks, 2));
}

Var build(const MaskIn& in) {
  if (!in.inputs.q) refuse("it reads the query, but this module has none");
  const std::size_t b = in.integer("blocks"), t = std::min(in.integer("t"), b);
  const Var of_query = block_members(in.graph(), in.m, b),
            of_key = block_members(in.graph(), in.n, b);
  const Var W = in.param("W");
  if (t == 0) return fill(in.graph(), {in.n}, 0);
  const Var sums =
      concat({matmul(of_query, in.inputs.q), matmul(of_key, in.inputs.k)}, -1);  // [b dq+dk]
  Var S = log(relu(matmul(sums, W)) + 1e-6) / in.scalar("temperature");
  for (std::size_t step = 0; step < in.integer("iterations"); ++step)
    S = log_normalised(log_normalised(S, -1), -2);
  S = let("\\ln S", S);                                 // [b b]
  const Var sorted = slice(argmax(S, -1), 0, 0, t);     // [t] the block on each place
  const Var chosen = max(one_hot(sorted, b), 0, true);  // [1 b]
  return matmul(chosen, of_key);                        // [1 n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &W = in.parameter("W");
  const std::size_t b = W.cols();
  const auto block_of = [&](const Array& x, std::size_t row) {
    return row / ((x.rows() + b - 1) / b);
  };
  const auto add_sum = [&](const Array& x, std::size_t block, Row& to) {
    for (std::size_t c = 0; c < x.cols(); ++c) {
      to.push_back(0);
      for (std::size_t row = 0; row < x.rows(); ++row)
        to.back() += block_of(x, row) == block ? x(row, c) : 0;
    }
  };
  Array S({b, b});  // logarithms: at low temperatures nothing else is left
  for (std::size_t place = 0; place < b; ++place) {
    Row sums;
    add_sum(q, place, sums);
    add_sum(k, place, sums);
    const Row logits = mapped(sums, W);
    for (std::size_t block = 0; block < b; ++block)
      S(place, block) = std::log(std::max(logits[block], 0.) + 1e-6) / in.number("temperature");
  }
  for (std::size_t step = 0; step < 2 * in.integer("iterations"); ++step) {
    for (std::size_t x = 0; x < b; ++x) {
      const auto entry = [&](std::size_t y) -> double& {
        return step % 2 == 0 ? S(x, y) : S(y, x);
      };
      double top = entry(0), total = 0;
      for (std::size_t y = 1; y < b; ++y) top = std::max(top, entry(y));
      for (std::size_t y = 0; y < b; ++y) total += std::exp(entry(y) - top);
      for (std::size_t y = 0; y < b; ++y) entry(y) -= top + std::log(total);
    }
  }
  return each_pair(in, [&](std::size_t, std::size_t j) {
    bool seen = false;
    for (std::size_t place = 0; place < b && static_cast<double>(place) < in.number("t"); ++place) {
      bool best = true;
      for (std::size_t other = 0; other < b; ++other) {
        const double gap = S(place, other) - S(place, block_of(k, j));
        best = best && (gap < 0 || (gap == 0 && other >= block_of(k, j)));
      }
      seen = seen || best;
    }
    return seen;
  });
}

extern const Mechanism record{
    .id = "mask-sortcut",
    .parameters = {{"W", "dq+dk b"}},
    .knobs = {size_knob("blocks", "b", 2., 1, 16), integer_knob("t", 1., 1, 16).at_least(0),
              integer_knob("iterations", 8., 0, 100).at_least(0),
              number_knob("temperature", 0.75, 0.05, 5).above(0)},
    .needs_query = true,
    .differentiable = false,
    .behaviour = Mask{build}};
}  // namespace attend::mask_sortcut_entry
