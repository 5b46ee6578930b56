// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/heads/projected_heads.h"

#include <cmath>

namespace attend {
namespace {

// x [n d] -> [h n p]
Var project(const HeadsIn& in, const char* name, Var x, const char* W, const char* b) {
  Var y = matmul(x, in.param(W));
  if (const Var bias = in.param_if(b, "bias")) y = y + expand(bias, -2);
  return let(name, y);
}

// x W[t] + b[t], of rows x. Of fewer matrices than heads neighbouring heads share one.
Array project(const ReferenceIn& in, const Array& x, const std::string& side, std::size_t head) {
  const Array& W = in.parameter("W_" + side);
  const std::size_t t = head * W.shape[0] / in.parameter("W_Q").shape[0];
  const Array y = product(x, part_of(W, t));
  return in.parameters.contains("b_" + side) ? plus(y, part_of(in.parameter("b_" + side), t)) : y;
}

}  // namespace

Triple split_heads(const HeadsIn& in, Triple x) {
  return {project(in, "Q", x.q, "W_Q", "b_Q"), project(in, "K", x.k, "W_K", "b_K"),
          project(in, "V", x.v, "W_V", "b_V")};
}

Var join_heads(Var heads) {
  const std::size_t h = heads.extent(0), m = heads.extent(1), pv = heads.extent(2);
  return let("[\\text{heads}]", reshape(permute(heads, {1, 0, 2}), {m, h * pv}));
}

Var merge_without_bias(const HeadsIn& in, Var heads) {
  return matmul(join_heads(heads), in.param("W_O"));  // [m dc]
}

Var merge_heads(const HeadsIn& in, Var heads) {
  const Var context = merge_without_bias(in, heads);
  const Var bias = in.param_if("b_O", "bias");
  return bias ? context + bias : context;
}

Array heads_by_loops(const ReferenceIn& in, const Array& q, const Array& k, const Array& v) {
  const std::size_t heads = in.parameter("W_Q").shape[0];
  Array out({heads, q.rows(), in.parameter("W_V").cols()});
  for (std::size_t t = 0; t < heads; ++t)
    put_part(out, t,
             attended(project(in, q, "Q", t), project(in, k, "K", t), project(in, v, "V", t),
                      [&](std::size_t i, std::size_t j) { return in.allowed(i, j); })
                 .context);
  return out;
}

Array merged_by_loops(const ReferenceIn& in, const Array& heads, std::size_t first) {
  Array all({heads.shape[1], 0});
  for (std::size_t t = 0; t < heads.shape[0]; ++t) all = beside({all, part_of(heads, t)});
  const Array merged = product(all, rows_from_to(in.parameter("W_O"), first, first + all.cols()));
  return in.parameters.contains("b_O") ? plus(merged, in.parameter("b_O")) : merged;
}

Arrays self_attention_by_loops(const ReferenceIn& in) {
  const Array& x = in["x"];
  return {{"context", merged_by_loops(in, heads_by_loops(in, x, x, x))}};
}

}  // namespace attend
