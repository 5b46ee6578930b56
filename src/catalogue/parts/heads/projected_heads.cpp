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

// x W[t] + b[t]; without a bias the row starts at zero. Of fewer matrices than heads neighbouring heads share one.
Row project(const ReferenceIn& in, const Row& x, const std::string& side, std::size_t head) {
  const Array& W = in.parameter("W_" + side);
  const std::size_t t = head * W.shape[0] / in.parameter("W_Q").shape[0];
  Row y(W.cols(), 0);
  if (in.parameters.contains("b_" + side)) y = in.parameter("b_" + side).row(t);
  for (std::size_t r = 0; r < x.size(); ++r) {
    for (std::size_t c = 0; c < y.size(); ++c) y[c] += x[r] * W(t, r, c);
  }
  return y;
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
  for (std::size_t t = 0; t < heads; ++t) {
    for (std::size_t i = 0; i < q.rows(); ++i) {
      const Row query = project(in, q.row(i), "Q", t);
      Row e(k.rows());
      for (std::size_t j = 0; j < e.size(); ++j)
        e[j] = inner(query, project(in, k.row(j), "K", t)) /
               std::sqrt(static_cast<double>(query.size()));
      const Row a = soft(e, [&](std::size_t j) { return in.allowed(i, j); });
      for (std::size_t j = 0; j < a.size(); ++j) {
        const Row value = project(in, v.row(j), "V", t);
        for (std::size_t c = 0; c < value.size(); ++c) out(t, i, c) += a[j] * value[c];
      }
    }
  }
  return out;
}

Array merged_by_loops(const ReferenceIn& in, const Array& heads, std::size_t first) {
  const Array& W_O = in.parameter("W_O");
  const std::size_t pv = heads.shape[2];
  Array context({heads.shape[1], W_O.cols()});
  for (std::size_t i = 0; i < context.rows(); ++i) {
    for (std::size_t o = 0; o < context.cols(); ++o) {
      if (in.parameters.contains("b_O")) context(i, o) = in.parameter("b_O").data[o];
      for (std::size_t t = 0; t < heads.shape[0]; ++t) {
        for (std::size_t c = 0; c < pv; ++c)
          context(i, o) += heads(t, i, c) * W_O(first + t * pv + c, o);
      }
    }
  }
  return context;
}

Arrays self_attention_by_loops(const ReferenceIn& in) {
  const Array& x = in["x"];
  return {{"context", merged_by_loops(in, heads_by_loops(in, x, x, x))}};
}

}  // namespace attend
