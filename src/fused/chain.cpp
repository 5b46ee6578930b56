// SPDX-License-Identifier: Apache-2.0
#include "fused/chain.h"

#include <algorithm>

#include "fused/operands.h"

namespace attend::fused {
namespace {

// A factor of rows goes with queries whose heads are grouped as those of the maps.
bool fits_factor(const Graph& graph, const Factor& factor, const Shape& q) {
  const Shape &by = graph[factor.by].shape, &maps = graph[factor.node].shape;
  return by.size() <= 2 || has_heads_of(maps, q);
}

bool fits_relative(const Graph& graph, const Chain& chain, const Shape& q, const Shape& context) {
  if (!chain.parts.relative) return true;
  const Shape &p = graph[chain.relative[0]].shape, &keys = graph[chain.relative[1]].shape;
  if (!has_heads_of(p, q) || p.end()[-2] != q.end()[-2]) return false;
  const auto is_table = [&](const Shape& x, std::size_t columns) {
    return x.size() >= 2 && x.end()[-2] > 0 && x.end()[-2] == keys.end()[-2] &&
           x.back() == columns &&
           (batch_of(x) == 1 || batch_of(x) == batch_of(q) || shares_heads(x, q) ||
            repeats(x, batch_of(q)));
  };
  return is_table(keys, p.back()) &&
         (chain.relative.size() < 3 || is_table(graph[chain.relative[2]].shape, context.back()));
}

}  // namespace

bool is_of_rows(const Shape& shape, const Shape& maps) {
  if (shape.size() < 2 || shape.size() > maps.size() || shape.back() != 1) return false;
  return std::equal(shape.rbegin() + 1, shape.rend(), maps.rbegin() + 1,
                    [](std::size_t a, std::size_t b) { return a == 1 || a == b; });
}

bool fits(const Graph& graph, const Chain& chain, const Shape& scores, const Shape& context) {
  const auto known = [&](NodeId id) { return id <= chain.place; };
  if (!std::all_of(chain.in.begin(), chain.in.end(), known) ||
      !std::all_of(chain.relative.begin(), chain.relative.end(), known))
    return false;
  const std::size_t m = scores.end()[-2], n = scores.back(), batch = batch_of(scores);
  const Shape& q = graph[chain.in[0]].shape;
  if (!has_heads_of(q, context) || batch_of(q) != batch) return false;
  if (!std::all_of(chain.factors.begin(), chain.factors.end(),
                   [&](const Factor& factor) { return fits_factor(graph, factor, q); }))
    return false;
  if (!fits_relative(graph, chain, q, context)) return false;
  const std::size_t mask = chain.parts.mask ? (chain.parts.bias ? 4 : 3) : 0;
  for (std::size_t k = 0; k < chain.in.size(); ++k) {
    const Shape& shape = graph[chain.in[k]].shape;
    if (shape.empty() || (k < 3 && shape.size() < 2)) return false;
    const bool may_share = k == mask || ((k == 1 || k == 2) && !chain.parts.gaussian);
    const bool shared = may_share && k > 0 && shares_heads(shape, q);
    const bool again = k > 2 && repeats(shape, batch);
    if (batch_of(shape) != batch && batch_of(shape) != 1 && !shared && !again) return false;
    const std::size_t rows = shape.size() < 2 ? 1 : shape.end()[-2];
    const bool fitting = k == 0                                     ? rows == m
                         : k < 3                                    ? rows == n
                         : k == 3 && chain.parts.pairs.lists_keys() ? rows == m
                         : k == 3 && chain.parts.gaps
                             ? rows == 1 && shape.back() + 1 == m + n
                             : shape.back() == n && (rows == m || rows == 1);
    if (!fitting) return false;
  }
  return true;
}

}  // namespace attend::fused
