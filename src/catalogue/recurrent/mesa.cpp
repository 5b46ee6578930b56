// SPDX-License-Identifier: Apache-2.0
// Mesa layer: each token solves the ridge regression of the values on the keys so far.
//   G_t = alpha_t G_{t-1} + beta_t k_t^T k_t,  S_t = alpha_t S_{t-1} + beta_t k_t^T v_t,
//   o_t = q_t (G_t + diag(lambda))^-1 S_t
// von Oswald et al. 2025, arXiv:2506.05233
#include "catalogue/entry.h"
#include "catalogue/parts/cores/chunk_rows.h"
#include "catalogue/parts/cores/chunks.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"
#include "ops/scan.h"

namespace attend::mesa_entry {
namespace {

// What the queries of some rows find: q_t (G_t + diag(lambda))^-1, [.. n p].
class Solving {
 public:
  struct Rows {
    Var q, k, alpha, beta;
  };

  Solving(const CoreIn& in, const Rows& all)
      : in_(in),
        all_(all),
        ridge_(identity(in.graph(), in.p()) * in.param("lambda")),
        nothing_(
            zeros(in.graph(), memory_shape({all.q, all.k, all.alpha, all.beta}, in.p(), in.p()))) {}

  [[nodiscard]] Var by_steps() const {
    ScanRecorder steps(in_.graph(), in_.n());
    const Var G = steps.state({"G_{t-1}", nothing_});
    const Var q = steps.row({"q_t", by_step(all_.q)});
    const Var after = next(steps, all_, G);
    steps.output(solve_symmetric(after + ridge_, q));  // [.. 1 p]
    return by_row(steps.finish_quietly().outputs[0]);
  }

  // The matrices of a chunk come one from the other, but its equations are solved side by side.
  [[nodiscard]] Var in_chunks(std::size_t size) const {
    const std::size_t n = in_.n();
    ScanRecorder chunks(in_.graph(), (n + size - 1) / size);
    ChunkRows rows(chunks, n, size);
    const Var G = chunks.state({"G", nothing_});
    const Rows some{rows.of(all_.q), rows.of(all_.k), rows.of(all_.alpha), rows.of(all_.beta)};
    ScanRecorder steps(in_.graph().innermost(), size);
    const Var before = steps.state({"G_{t-1}", G});
    steps.output(next(steps, some, before) + ridge_);
    const Scanned done = steps.finish_quietly();
    chunks.next(G, done.last[0]);
    chunks.output(by_row(solve_symmetric(done.outputs[0], by_step(some.q))));
    return rows_of_blocks(chunks.finish_quietly().outputs[0], n);
  }

 private:
  static Var next(ScanRecorder& steps, const Rows& rows, Var G) {
    const Var k = steps.row({"k_t", by_step(rows.k)});
    const Var a = steps.row({"\\alpha_t", by_step(rows.alpha)}),
              b = steps.row({"\\beta_t", by_step(rows.beta)});
    const Var after = a * G + transpose(k) * (b * k);
    steps.next(G, after);
    return after;
  }

  CoreIn in_;
  Rows all_;
  Var ridge_, nothing_;
};

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var alpha = transpose(in.param("alpha")), beta = transpose(in.param("beta"));  // [.. n 1]
  const Solving solving(in, {in.q, in.k, alpha, beta});
  const std::size_t chunk = in.integer("chunk");
  const Var query = let("q^*", chunk >= in.n() ? solving.by_steps() : solving.in_chunks(chunk));
  return remembering(in, {.query = query, .key = in.k, .decay = alpha, .chunk = chunk},
                     [=](Var v) { return beta * v; });
}

// x G = q by elimination with the largest element of each column.
Row solution(Array G, Row q) {
  const std::size_t p = q.size();
  for (std::size_t c = 0; c < p; ++c) {  // columns of the transpose
    std::size_t best = c;
    for (std::size_t r = c; r < p; ++r)
      if (std::abs(G(c, r)) > std::abs(G(c, best))) best = r;
    for (std::size_t x = 0; x < p; ++x) std::swap(G(x, c), G(x, best));
    std::swap(q[c], q[best]);
    for (std::size_t r = 0; r < p; ++r) {
      if (r == c) continue;
      const double factor = G(c, r) / G(c, c);
      for (std::size_t x = 0; x < p; ++x) G(x, r) -= factor * G(x, c);
      q[r] -= factor * q[c];
    }
  }
  for (std::size_t c = 0; c < p; ++c) q[c] /= G(c, c);
  return q;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &k = in["key"], &alpha = in.parameter("alpha"), &beta = in.parameter("beta");
  const auto read = [&](std::size_t i) {
    Array G({k.cols(), k.cols()});
    for (std::size_t a = 0; a < k.cols(); ++a) {
      G(a, a) = in.parameter("lambda")(a);
      for (std::size_t b = 0; b < k.cols(); ++b) {
        double kept = 1;
        for (std::size_t j = i + 1; j-- > 0; kept *= alpha(j))
          G(a, b) += kept * beta(j) * k(j, a) * k(j, b);
      }
    }
    return solution(G, in["query"].row(i));
  };
  return loops::by_transitions(
      in, {.read = read,
           .write = [&](std::size_t j) { return times(k.row(j), beta(j)); },
           .carry = [&](std::size_t t, const Row& x) { return times(x, alpha(t)); }});
}

extern const Mechanism record{
    .id = "mesa",
    .aliases = {"mesanet"},
    .parameters =
        {{.name = "alpha", .shape = "n", .distribution = Distribution::one, .values = {0, 1}},
         {.name = "beta", .shape = "n", .distribution = Distribution::one, .values = {.low = 0}},
         {.name = "lambda",
          .shape = "p",
          .distribution = Distribution::one,
          .values = {.low = 0, .open = true}}},
    .knobs = {choice_knob("gates", "given", {"given"}), chunk_knob},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::mesa_entry
