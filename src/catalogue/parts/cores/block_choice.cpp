// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/block_choice.h"

#include <algorithm>

#include "catalogue/parts/cores/chunks.h"
#include "ops/scan.h"

namespace attend {
namespace {

constexpr std::size_t most_pairs = 1U << 20U;  // so many are weighed at once
constexpr std::size_t rows_at_once = 64;
constexpr double farthest = 1e30;  // above and below all scores

std::size_t heads_of(const CoreIn& in) {
  return element_count(Extents(in.q.shape()).first(in.q.rank() - 2));
}

// The context of some rows at a time.
Var in_parts(const CoreIn& in, const ByRows& by, Var v) {
  const std::size_t parts = (in.m() + rows_at_once - 1) / rows_at_once;
  ScanRecorder steps(in.graph(), parts);
  std::vector<Var> rows;
  for (const Var x : by.rows) rows.push_back(steps.row({"x", row_blocks(x, rows_at_once)}));
  const Var all = reshape(iota(in.graph(), parts * rows_at_once), {parts, rows_at_once, 1});
  steps.output(matmul(by.weights(rows, steps.row({"i", all})), v));  // [.. r dv]
  return rows_of_blocks(steps.finish_quietly().outputs[0], in.m());
}

}  // namespace

bool pairs_fit(const CoreIn& in) {
  return in.m() <= max_elements / in.n() / std::max<std::size_t>(heads_of(in), 1);
}

Weighing weighed_by_rows(const CoreIn& in, const ByRows& by, bool probabilities) {
  Var weights;
  if (pairs_fit(in)) weights = by.weights(by.rows, in.row_index());
  const bool few = in.choice.row_by_row || in.m() * in.n() <= most_pairs;
  return {[=](Var v) { return few ? matmul(weights, v) : in_parts(in, by, v); }, weights, "n",
          probabilities};
}

KeyBlocks key_blocks(const CoreIn& in, std::string_view knob) {
  const std::size_t size = in.integer(knob);
  return {size, in.n() / size + (in.n() % size == 0 ? 0 : 1), in.n()};
}

Var block_index(const CoreIn& in, const KeyBlocks& blocks) {
  return iota(in.graph(), blocks.count);
}

Var block_of_keys(const CoreIn& in, const KeyBlocks& blocks) {
  return floor(in.key_index() / static_cast<double>(blocks.size));
}

Var in_blocks(Var k, const KeyBlocks& blocks, double filler) {
  const std::size_t rows = std::min(blocks.size, blocks.keys);
  Shape shape = k.shape();
  shape.end()[-2] = blocks.count * rows - blocks.keys;
  const Var filled = concat({k, fill(k.graph(), shape, filler)}, -2);
  shape.end()[-2] = blocks.count;
  shape.insert(shape.end() - 1, rows);
  return reshape(filled, shape);
}

Var block_sizes(Graph& graph, const KeyBlocks& blocks) {
  return sum(in_blocks(ones(graph, {blocks.keys, 1}), blocks, 0), -2);
}

Var block_means(Var k, const KeyBlocks& blocks) {
  return sum(in_blocks(k, blocks, 0), -2) / block_sizes(k.graph(), blocks);
}

Var own_block(Var i, const KeyBlocks& blocks) {
  return floor(i / static_cast<double>(blocks.size));
}

Var chosen(Var scores, Var forced, Var allowed, std::size_t top) {
  const Shape& shape = scores.shape();
  const Var may = broadcast_to(allowed, shape);
  const std::size_t count = shape.back();
  Var ranked = where(may, detach(scores), scalar(scores, -farthest));
  if (forced) ranked = where(broadcast_to(forced, shape), scalar(scores, farthest), ranked);
  const Var first = slice(argsort(ranked), -1, 0, std::min(top, count));  // [.. r top]
  return put(ones(scores.graph(), first.shape()), first, count) * may;
}

Var on_keys(const CoreIn& in, Var choice, const KeyBlocks& blocks) {
  return take(choice, block_of_keys(in, blocks));
}

Var past_of(const CoreIn& in, Var i) { return greater(i + 1, in.key_index()); }

std::vector<bool> loops::chosen(const Row& scores, const std::vector<bool>& forced,
                                const std::vector<bool>& allowed, std::size_t top) {
  std::vector<bool> in(scores.size(), false);
  for (std::size_t count = 0; count < top; ++count) {
    std::size_t best = scores.size();
    for (std::size_t c = 0; c < scores.size(); ++c) {
      if (in[c] || !allowed[c]) continue;
      const bool better = best == scores.size() || (forced[c] && !forced[best]) ||
                          (forced[c] == forced[best] && !forced[c] && scores[c] > scores[best]);
      if (better) best = c;
    }
    if (best == scores.size()) break;
    in[best] = true;
  }
  return in;
}

}  // namespace attend
