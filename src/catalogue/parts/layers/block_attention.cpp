// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/layers/block_attention.h"

#include <cmath>

#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/layers/vector_attention.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend {
namespace {

struct BlockSeen {
  Var weights, output;  // [.. n n d] [.. n d]
};

// Masked self-attention, every row looking one way: x [.. n d].
BlockSeen look(const Scope& in, Var x, bool forward) {
  const StepSuffix suffix(in.graph(), "^{\\text{" + in.part.substr(0, in.part.size() - 1) + "}}");
  const std::size_t n = x.extent(-2);
  const Var e = vector_scores(in, x);  // [.. n n d]
  const Var i = iota(in.graph(), n, 2), j = iota(in.graph(), n);
  const Var a = let("A", softmax_by_feature(e, forward ? greater(i, j) : greater(j, i)));
  return {a, vector_context(a, x)};
}

}  // namespace

std::size_t block_length(const Scope& in, std::size_t n) {
  if (in.has("block")) {
    const std::size_t block = in.integer("block");
    if (n % block == 0) return block;
    refuse(in.choice.path + "/block", "all blocks have the same length, so block must divide " +
                                          std::to_string(n) + ", the number of tokens; found " +
                                          std::to_string(block));
  }
  const double best = std::cbrt(2 * static_cast<double>(n));
  std::size_t nearest = 1;
  for (std::size_t block = 1; block <= n; ++block) {
    const auto gap = [&](std::size_t b) { return std::abs(static_cast<double>(b) - best); };
    if (n % block == 0 && gap(block) < gap(nearest)) nearest = block;
  }
  return nearest;
}

TwoLevels attend_in_blocks(const Scope& in, Var x, std::size_t block, bool forward) {
  const std::size_t n = x.extent(-2), d = x.extent(-1), count = n / block;
  const Scope outer_part = in.child("outer"), pool_part = in.child("pool");
  const BlockSeen inner = look(in.child("inner"), reshape(x, {count, block, d}), forward);
  const Var hidden =
      in.activate(matmul(inner.output, pool_part.param("W1")) + pool_part.param("b1"));
  const Var z = matmul(hidden, pool_part.param("W2")) + pool_part.param("b2");  // [B b d]
  const Var pool = let("A_{\\text{pool}}", softmax_by_feature(z));              // [B b d]
  const Var blocks = let("v", sum(pool * inner.output, -2));                    // [B d]
  const BlockSeen outer = look(outer_part, blocks, forward);                    // [B d]
  const Var e = let("e", fuse_with(outer_part, blocks, outer.output).rows);     // [B d]
  const Var spread = broadcast_to(expand(e, -2), {count, block, d});
  const Var all =
      let("[x; h; e]", concat({x, reshape(inner.output, {n, d}), reshape(spread, {n, d})}, -1));
  const Var gate = let("G", sigmoid(matmul(all, in.param("W_g")) + in.param("b_g")));   // [n d]
  const Var fused = let("F", in.activate(matmul(all, in.param("W")) + in.param("b")));  // [n d]
  return {inner.weights, pool, outer.weights, let("Y", gate * fused + (1 - gate) * x)};
}

Tensors maps_of(const TwoLevels& levels) {
  return {{out::weights.as("inner.weights"), levels.inner, "blocks:feature b:query b:key dv"},
          {out::weights.as("pool.weights"), levels.pool, "blocks:query b:key dv"},
          {out::weights.as("outer.weights"), levels.outer, "blocks:query blocks:key dv"}};
}

namespace {

Row gated_row(const ReferenceIn& in, const std::string& name, const Row& x, const Row& s) {
  const Row seen = mapped(s, in.parameter(name + "W_s")),
            own = mapped(x, in.parameter(name + "W_h"));
  Row u(x.size());
  for (std::size_t c = 0; c < u.size(); ++c) {
    const double f = activate("sigmoid", seen[c] + own[c] + in.parameter(name + "b_f")(c));
    u[c] = s[c] + f * (x[c] - s[c]);
  }
  return u;
}

// Rows `first` to `last` of x, each looking at the others one way.
Array looked(const ReferenceIn& in, const std::string& name, const Array& x, bool forward) {
  const std::size_t n = x.rows(), d = x.cols();
  const double c = in.number("c");
  Array out(x.shape);
  for (std::size_t i = 0; i < n; ++i) {
    const Row own = mapped(x.row(i), in.parameter(name + "W1"));
    Row s(d, 0);
    for (std::size_t f = 0; f < d; ++f) {
      const Row line = row_by(n, [&](std::size_t j) {
        return c * std::tanh((own[f] + mapped(x.row(j), in.parameter(name + "W2"))[f] +
                              in.parameter(name + "b1")(f)) /
                             c);
      });
      const Row a = soft(line, [&](std::size_t j) { return forward ? j < i : j > i; });
      for (std::size_t j = 0; j < n; ++j) s[f] += a[j] * x(j, f);
    }
    out.set(s, i);
  }
  return out;
}

// A block's one vector: every feature weighs the tokens in its own way.
Row pooled(const ReferenceIn& in, const std::string& prefix, const Array& h) {
  const Array hidden =
      activated(affine(h, in.parameter(prefix + "pool.W1"), in.parameter(prefix + "pool.b1")),
                in.text("act"));
  const Array e =
      affine(hidden, in.parameter(prefix + "pool.W2"), in.parameter(prefix + "pool.b2"));
  return sum_of_rows(times(soft_columns(e), h)).data;
}

}  // namespace

Array blocks_by_loops(const ReferenceIn& in, const std::string& prefix, bool forward) {
  const Array& x = in["x"];
  const std::size_t n = x.rows(), d = x.cols();
  std::size_t block = 1;
  if (in.knobs.contains("block")) {
    block = in.integer("block");
  } else {
    double least = 1e300;
    for (std::size_t b = n; b >= 1; --b) {
      const double gap = std::abs(double(b) - std::pow(2 * double(n), 1 / 3.0));
      if (n % b == 0 && gap <= least) {
        least = gap;
        block = b;
      }
    }
  }
  Array h({0, d}), v({0, d});
  for (std::size_t start = 0; start < n; start += block) {
    const Array seen =
        looked(in, prefix + "inner.", rows_from_to(x, start, start + block), forward);
    h = below(h, seen);
    v = below(v, one_row(pooled(in, prefix, seen)));
  }
  Array e = looked(in, prefix + "outer.", v, forward);
  for (std::size_t b = 0; b < e.rows(); ++b) {
    e.set(gated_row(in, prefix + "outer.", v.row(b), e.row(b)), b);
  }
  const auto of = [&](const char* name) { return in.parameter(prefix + name); };
  const Array outer = rows_by(n, [&](std::size_t i) { return e.row(i / block); });
  const Array all = beside({x, h, outer});
  const Array gate = activated(affine(all, of("W_g"), of("b_g")), "sigmoid");
  const Array fused = activated(affine(all, of("W"), of("b")), in.text("act"));
  return plus(x, times(gate, minus(fused, x)));
}

}  // namespace attend
