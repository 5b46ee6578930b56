// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/heads/head_tables.h"

#include "catalogue/dimensions.h"

namespace attend {
namespace {

Shape leading(Var x) { return {x.shape().begin(), x.shape().end() - 2}; }

}  // namespace

std::size_t head_count(const PositionIn& in) {
  Shape heads = leading(in.inputs.k);
  if (in.inputs.q) heads = broadcast_shapes(heads, leading(in.inputs.q));
  return element_count(heads);
}

std::size_t maps_of_each_head(const PositionIn& in) {
  const Var k = in.inputs.k, v = in.inputs.v;
  if (k.rank() < 3 || !v || v.rank() < 3) return 1;
  const std::size_t maps = element_count(leading(k)), heads = element_count(leading(v));
  return maps > heads && maps % heads == 0 ? maps / heads : 1;
}

std::vector<double> for_each_map(const PositionIn& in, const std::vector<double>& of_heads) {
  std::vector<double> all;
  const std::size_t maps = maps_of_each_head(in);
  for (const double x : of_heads) all.insert(all.end(), maps, x);
  return all;
}

Var by_head(const PositionIn& in, Var list) {
  const std::size_t h = element_count(list.shape());
  return h == 1 ? reshape(list, {1, 1}) : in.for_heads(reshape(list, {h, 1, 1}));
}

Var of_each_head(const PositionIn& in, std::string_view name, std::string_view own) {
  const bool heads = in.inputs.k.rank() > 2;
  const std::string of_heads = own.empty() ? "h" : "h " + std::string(own);
  if (!heads) return in.param(name, own);
  const Var x = in.given(name) ? in.param(name) : in.param(name, of_heads);
  const std::size_t axes = symbols_in(own).size();
  // The parameter comes with its axes in front filled up to two: a list for each head looks like a matrix.
  const std::size_t h = head_count(in);
  const bool each = axes == 2 ? x.rank() > 2 : x.extent(axes == 1 ? -2 : -1) == h;
  if (!each || h == 1) return x;
  if (axes == 0) return by_head(in, x);
  return in.for_heads(axes == 2 ? x : expand(x, -2));
}

}  // namespace attend
