// SPDX-License-Identifier: Apache-2.0
// Two memories, of items M and of their relations R, with f1, f2, f3 three linear maps of the row x_t:
//   M  = F * M_{t-1} + I * f1^T f2,  [I, F] = sigma(f1 W_g + tanh(M_{t-1}) U_g + b_g)      (items are written)
//   v  = sum_sc softmax(f3)_s f2_c R_{t-1,sc}                                              (relations are read)
//   R_t = R_{t-1} + alpha1 SAM(M + alpha2 v^T f2),  M_t = M + alpha3 G_1 rows(R_t)         (and moved back)
//   o_t = [rows of R_t flattened, each by G_2] G_3
// Le, Tran, Venkatesh 2020, the SAM-based two-memory model, arXiv:2002.03519
#include <array>

#include "catalogue/entry.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/steps_around.h"
#include "ops/scan.h"

namespace attend::fm_stm_entry {
namespace {

// The outer product attention of queries, keys and values that mix the rows of M [d d]: [s d d].
Var relations_in(const Scope& in, Var M) {
  const Var one = fill(in.graph(), {1}, 1), none = fill(in.graph(), {1}, 0);
  const auto mixed = [&](const char* W) { return layer_norm(matmul(in.param(W), M), one, none); };
  const Var q = let("Q", mixed("W_q")), k = let("K", mixed("W_k")), v = let("V", mixed("W_v"));
  const Var bound = tanh(pair_rows(q) * pair_columns(k));                     // [s r d]
  return let("\\operatorname{SAM}", matmul(transpose(bound), expand(v, 0)));  // [s d d]
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [t dx]
  const std::size_t count = x.extent(0), d = in.integer("width"), s = in.integer("queries");
  in.label("t", x);
  ScanRecorder recorder(in.graph(), count);
  const Var items = recorder.state({"M_{t-1}", zeros(in.graph(), {d, d})});
  const Var before = recorder.state({"R_{t-1}", zeros(in.graph(), {s, d, d})});
  const Var x_t = recorder.row({"x_t", reshape(x, {count, 1, x.extent(-1)})});  // [1 dx]
  const auto mapped = [&](const char* W, const char* b) {
    return matmul(x_t, in.param(W)) + in.param(b);
  };
  const Var a = let("f_1", mapped("W_1", "b_1")), u = let("f_2", mapped("W_2", "b_2"));  // [1 d]
  const Var p = let("p_t", softmax(mapped("W_3", "b_3")));                               // [1 s]
  const Var gates = sigmoid(matmul(a, in.param("W_g")) + matmul(tanh(items), in.param("U_g")) +
                            in.param("b_g"));  // [d 2d]
  const Var takes = let("I_t", slice(gates, -1, 0, d)),
            keeps = let("F_t", slice(gates, -1, d, 2 * d));
  const Var written = let("M", keeps * items + takes * (transpose(a) * u));   // [d d]
  const Var asked = reshape(matmul(p, reshape(before, {s, d * d})), {d, d});  // [d d]
  const Var v = let("v_t", matmul(u, asked));                                 // [1 d]
  const Var seen = relations_in(in, written + in.scalar("alpha2") * (transpose(v) * u));
  const Var after = let("R_t", before + in.scalar("alpha1") * seen);     // [s d d]
  const Var back = matmul(in.param("G_1"), reshape(after, {s * d, d}));  // [d d]
  const Var moved = let("M_t", written + in.scalar("alpha3") * back);
  const Var read = matmul(reshape(after, {s, d * d}), in.param("G_2")) + in.param("c_2");  // [s k]
  const Var o = matmul(reshape(read, {1, s * read.extent(-1)}), in.param("G_3")) + in.param("c_3");
  recorder.next(items, moved);
  recorder.next(before, after);
  for (const Var one : {p, v, o}) recorder.output(one);
  const Scanned all = recorder.finish();
  return {{out::weights, let("P", all_rows(all.outputs[0])), "t n"},
          {out::context, let("V_r", all_rows(all.outputs[1])), "t d"},
          {out::output, let("O", all_rows(all.outputs[2])), "t dh"},
          {"last", squeeze(slice(all.outputs[2], 0, count - 1, count), 0), "1 dh"},
          {OutputKind{"items", TensorRole::state}, all.last[0], "d d"},
          {OutputKind{"relations", TensorRole::state}, all.last[1], "s:feature d d"}};
}

// The contents of both memories, by loops.
struct Memories {
  Array items, relations;  // [d d] [s d d]
};

// The gated writing of the outer product of two rows.
Array written_by_loops(const ReferenceIn& in, const Array& M, const Row& a, const Row& u) {
  const std::size_t d = a.size();
  const Row own = mapped(a, in.parameter("W_g"));
  Array next({d, d});
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      std::array<double, 2> gate{};
      for (std::size_t g = 0; g < 2; ++g) {
        double e = own[g * d + j] + in.parameter("b_g")(g * d + j);
        for (std::size_t c = 0; c < d; ++c)
          e += std::tanh(M(i, c)) * in.parameter("U_g")(c, g * d + j);
        gate[g] = activate("sigmoid", e);
      }
      next(i, j) = gate[1] * M(i, j) + gate[0] * a[i] * u[j];
    }
  }
  return next;
}

// R + alpha1 SAM(x).
void add_relations(const ReferenceIn& in, const Array& x, Array& R) {
  const auto mixed = [&](const char* W) { return standardised(product(in.parameter(W), x)); };
  const Array q = mixed("W_q"), k = mixed("W_k"), v = mixed("W_v");
  for (std::size_t s = 0; s < q.rows(); ++s) {
    for (std::size_t j = 0; j < k.rows(); ++j) {
      for (std::size_t c = 0; c < x.cols(); ++c) {
        for (std::size_t f = 0; f < x.cols(); ++f)
          R(s, c, f) += in.number("alpha1") * std::tanh(q(s, c) * k(j, c)) * v(j, f);
      }
    }
  }
}

Row plus_bias(const ReferenceIn& in, const Row& x, const char* W, const char* b) {
  Row y = mapped(x, in.parameter(W));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += in.parameter(b)(i);
  return y;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t T = x.rows(), d = in.parameter("W_1").cols(), s = in.parameter("W_3").cols();
  const std::size_t dh = in.parameter("G_3").cols();
  Memories now{Array({d, d}), Array({s, d, d})};
  Array weights({T, s}), context({T, d}), output({T, dh});
  for (std::size_t t = 0; t < T; ++t) {
    const Row a = plus_bias(in, x.row(t), "W_1", "b_1"), u = plus_bias(in, x.row(t), "W_2", "b_2");
    const Row p = softened(plus_bias(in, x.row(t), "W_3", "b_3"));
    Array M = written_by_loops(in, now.items, a, u), asks = M;
    weights.set(p, t);
    for (std::size_t i = 0; i < s; ++i)
      context.add(times(mapped(u, part_of(now.relations, i)), p[i]), t);
    for (std::size_t i = 0; i < d; ++i) asks.add(times(u, in.number("alpha2") * context(t, i)), i);
    add_relations(in, asks, now.relations);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t row = 0; row < s * d; ++row) {
        for (std::size_t j = 0; j < d; ++j)
          M(i, j) += in.number("alpha3") * in.parameter("G_1")(i, row) *
                     now.relations(row / d, row % d, j);
      }
    }
    now.items = M;
    Row read;
    for (std::size_t i = 0; i < s; ++i) {
      read = joined(read, plus_bias(in, part_of(now.relations, i).data, "G_2", "c_2"));
    }
    output.set(plus_bias(in, read, "G_3", "c_3"), t);
  }
  return {{"weights", weights}, {"context", context},
          {"output", output},   {"last", rows_from_to(output, T - 1, T)},
          {"items", now.items}, {"relations", now.relations}};
}

extern const Mechanism record{
    .id = "fm-stm",
    .parameters = {{"W_1", "dx d"},
                   {"b_1", "d", Distribution::zero},
                   {"W_2", "dx d"},
                   {"b_2", "d", Distribution::zero},
                   {"W_3", "dx s"},
                   {"b_3", "s", Distribution::zero},
                   {"W_g", "d 2d"},
                   {"U_g", "d 2d"},
                   {"b_g", "2d", Distribution::zero},
                   {"W_q", "s d"},
                   {"W_k", "slots d"},
                   {"W_v", "slots d"},
                   {"G_1", "d s*d"},
                   {"G_2", "d*d k"},
                   {"c_2", "k", Distribution::zero},
                   {"G_3", "s*k dh"},
                   {"c_3", "dh", Distribution::zero}},
    .knobs = {size_knob("width", "d", 4., 1, 32), size_knob("queries", "s", 3., 1, 16),
              size_knob("slots", "slots", 3., 1, 16), size_knob("code", "k", 4., 1, 64),
              size_knob("hidden", "dh", 8., 1, 256), number_knob("alpha1", 1., 0, 1),
              number_knob("alpha2", .5, 0, 1), number_knob("alpha3", .5, 0, 1)},
    .roles = {{"x", "t dx"}},
    .laws = {.permutation = false},
    .coordinates = {{"type", "self-attentive"}},
    .extents = {{"t", 3}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_stm_entry
