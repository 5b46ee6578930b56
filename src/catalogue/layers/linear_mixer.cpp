// SPDX-License-Identifier: Apache-2.0
// The layer around a recurrent core, of h value heads over G heads of queries and keys (head t reads floor(t G / h)):
//   q, k, v = act(conv(x W)),  conv: depthwise and causal,  y_i = sum_s u_{i-c+1+s} * w_s,  zeros before the first row
//   o_t = core(q, k, v; gates from x),  y = [RMS(o_t) * gamma * gate(x W_G[t])]_t W_O
// joined, as in Mamba-2:  y = RMS([o_t * gate(x W_G[t])]_t) * gamma W_O
// Yang, Kautz, Hatamizadeh 2024, arXiv:2412.06464; Dao & Gu 2024 (Mamba-2), arXiv:2405.21060
#include "catalogue/core_calls.h"
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "ops/rms_norm.h"

namespace attend::linear_mixer_entry {
namespace {

// u [h n p] with a kernel w [h c p] for each feature: row s of it meets the row c - 1 - s back.
Var convolved(Var u, Var w) {
  const std::size_t n = u.extent(-2), c = w.extent(-2);
  Shape before = u.shape();
  before.end()[-2] = c - 1;
  const Var padded = c == 1 ? u : concat({zeros(u.graph(), before), u}, -2);
  Var sum;
  for (std::size_t s = 0; s < c; ++s) {
    const Var part = slice(padded, -2, s, s + n) * slice(w, -2, s, s + 1);
    sum = sum ? sum + part : part;
  }
  return sum;
}

// G heads of rows, each as often as value heads read it: [h n p].
Var for_value_heads(Var x, std::size_t h) {
  const std::size_t G = x.extent(0), n = x.extent(1), p = x.extent(2);
  if (G == h) return x;
  return reshape(broadcast_to(expand(x, 1), {G, h / G, n, p}), {h, n, p});
}

Var activated(const Scope& in, const char* name, Var x, const char* W, const char* kernel) {
  Var u = matmul(x, in.param(W));  // [h n p]
  if (in.integer("conv") > 0) u = convolved(u, in.param(kernel));
  return let(name, in.activate(u));
}

struct Mixed {
  Var context, map;  // [h n pv], [h n n] or empty
  bool probabilities, by_feature;
};

Mixed through_core(const Scope& in, Var x, Var q, Var k, Var v) {
  const Choice& choice = *in.choice.in("core");
  const Core& record = std::get<Core>(choice.mechanism->behaviour);
  return within(choice, [&]() -> Mixed {
    if (record.shares_keys) k = q;
    Dimensions d;
    const std::size_t n = x.extent(-2), p = q.extent(-1);
    for (const char* symbol : {"m", "n"}) d.set(symbol, n);
    for (const char* symbol : {"dq", "dk"}) d.set(symbol, p);
    d.set("dv", v.extent(-1));
    add_core_sizes(d, q, k, {x, x, x});
    Family heads = in.family;
    heads.heads = heads.key_heads = v.extent(0);
    const Scope scope = in.assembler.enter(choice, d, record.serves_all_heads ? in.family : heads);
    const bool causal =
        record.always_causal || (scope.knobs.contains(causal_switch) && scope.flag(causal_switch));
    const CoreIn core{scope, q, k, causal, {x, x, x}};
    const Weighing weighing = record.build(core);
    Var context = weighing.context(v);
    if (record.finish != nullptr) context = record.finish(core, context);
    return {let("O", context), implied_map(weighing, q, k), weighing.probabilities,
            weighing.maps != nullptr};
  });
}

// The implied map as a result; none where a core has no map.
Tensors implied_weights(const Mixed& mixed, std::size_t n) {
  if (!mixed.map) return {};
  OutputKind weights = out::weights;
  weights.when_asked = n > most_implied_keys;
  if (!mixed.probabilities) weights.numbers = NumberKind::real_number;
  return {{weights, let("A", mixed.map), mixed.by_feature ? "h dv m n" : "h m n"}};
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("m", x);
  in.label("n", x);
  const Var v = activated(in, "V", x, "W_V", "conv_V");  // [h n pv]
  const std::size_t h = v.extent(0);
  const auto shared = [&](const char* name, const char* W, const char* kernel) {
    return for_value_heads(activated(in, name, x, W, kernel), h);  // [h n p]
  };
  const Mixed mixed =
      through_core(in, x, shared("Q", "W_Q", "conv_Q"), shared("K", "W_K", "conv_K"), v);
  const bool joined = in.flag("joined"), norms = in.text("norm") == "rms";
  const auto normed = [&](Var rows) {
    const Var gamma = in.param("gamma", joined ? "h*pv" : "pv");
    return norms ? rms_norm(rows, in.scalar("eps")) * gamma : rows;
  };
  Var o = mixed.context;  // [h n pv]
  const std::string& act = in.text("gate");
  const Var gate =
      act == "none" ? Var{} : let("G", activation(act, matmul(x, in.param("W_G"))));  // [h n pv]
  if (norms && !joined) o = normed(o);
  if (gate) o = gate * o;
  Var y = join_heads(o);  // [n h*pv]
  if (norms && joined) y = normed(y);
  return implied_weights(mixed, x.extent(-2)) +
         Tensors{{out::output, let("Y", matmul(y, in.param("W_O"))), "m d"}};
}

// The example's core is `gla` with given gates: its quadratic form in every head.
Array core_by_loops(const ReferenceIn& in, const Array& q, const Array& k, std::size_t t) {
  const Array& alpha = in.parameter("core.alpha");
  Array map({q.rows(), q.rows()});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t c = 0; c < q.cols(); ++c) {
      double kept = q(i, c) / std::sqrt(static_cast<double>(q.cols()));
      for (std::size_t j = i + 1; j-- > 0;) {
        map(i, j) += kept * k(j, c);
        kept *= alpha(t, j, c);
      }
    }
  }
  return map;
}

Array side_by_loops(const ReferenceIn& in, const std::string& side, std::size_t t) {
  const Array u = product(in["x"], part_of(in.parameter("W_" + side), t));
  Array y = u;
  if (in.number("conv") > 0) {
    const Array& kernel = in.parameter("conv_" + side);
    const std::size_t c = kernel.rows();
    for (std::size_t i = 0; i < u.rows(); ++i) {
      for (std::size_t f = 0; f < u.cols(); ++f) {
        y(i, f) = 0;
        for (std::size_t back = 0; back < c && back <= i; ++back)
          y(i, f) += u(i - back, f) * kernel(t, c - 1 - back, f);
      }
    }
  }
  return activated(y, in.text("act"));
}

void norm_by_loops(const ReferenceIn& in, Array& x) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const Row row = x.row(i);
    const double size = std::sqrt(inner(row, row) / double(x.cols()) + in.number("eps"));
    for (std::size_t c = 0; c < row.size(); ++c) x(i, c) = row[c] / size * in.parameter("gamma")(c);
  }
}

// Width of the convolutions; without any, 0.
constexpr Knob taps_knob() {
  Knob knob = integer_knob("conv", 4., 0, 8).at_least(0);
  knob.symbol = "taps";
  return knob;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t h = in.parameter("W_V").shape[0], G = in.parameter("W_Q").shape[0],
                    pv = in.parameter("W_V").cols(), n = x.rows();
  const bool norms = in.text("norm") == "rms";
  Array all({n, h * pv}), weights({h, n, n});
  for (std::size_t t = 0; t < h; ++t) {
    const std::size_t g = t * G / h;
    const Array map = core_by_loops(in, side_by_loops(in, "Q", g), side_by_loops(in, "K", g), t);
    Array o = product(map, side_by_loops(in, "V", t));
    if (norms && !in.flag("joined")) norm_by_loops(in, o);
    const Array gate =
        in.text("gate") == "none"
            ? Array(o.shape, 1)
            : activated(product(x, part_of(in.parameter("W_G"), t)), in.text("gate"));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) weights(t, i, j) = map(i, j);
      for (std::size_t c = 0; c < pv; ++c) all(i, t * pv + c) = o(i, c) * gate(i, c);
    }
  }
  if (norms && in.flag("joined")) norm_by_loops(in, all);
  return {{"output", product(all, in.parameter("W_O"))}, {"weights", weights}};
}

extern const Mechanism record{
    .id = "linear-mixer",
    .parameters = {{"W_Q", "G d p"},
                   {"W_K", "G d p"},
                   {"W_V", "h d pv"},
                   {"W_G", "h d pv"},
                   {"conv_Q", "G taps p"},
                   {"conv_K", "G taps p"},
                   {"conv_V", "h taps pv"},
                   {"gamma", "pv | h*pv", Distribution::one},
                   {"W_O", "h*pv d"}},
    .symbols = {{"p", "ceil(d/h)"}, {"pv", "p"}},
    .knobs = {size_knob("count", "h", 2., 1, 16),
              size_knob("groups", "G", "h", 1, 16).divides("count"), taps_knob(),
              activation_knob("silu"), choice_knob("norm", "rms", {"rms", "none"}),
              choice_knob("gate", "silu", {"silu", "sigmoid", "none"}), flag_knob("joined", false),
              number_knob("eps", 1e-6, 1e-12, 1e-3).above(0).log_scale()},
    .roles = {{"x", "n d"}},
    .slots = {{"core", Kind::core, "gla"}},
    .laws = {.rows_sum_to_one = false, .permutation = false, .nonnegative = false},
    .coordinates = {{"type", "self-attentive"}, {"multiplicity", "multi-head"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::linear_mixer_entry
