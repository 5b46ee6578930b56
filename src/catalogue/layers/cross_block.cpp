// SPDX-License-Identifier: Apache-2.0
// One layer of a decoder that reads an encoder: attention Att among its own rows, attention Cross from these to the
// rows M of the encoder, and a feed-forward F, around a stream of rows with norms N1, N2, N3
//   pre       a = x + Att(N1 x),    c = a + Cross(N2 a, M),     y = c + F(N3 c)      T5: arXiv:1910.10683
//   post      a = N1(x + Att x),    c = N2(a + Cross(a, M)),    y = N3(c + F c)      Vaswani et al. 2017, section 3.1
//   output    a = x + N1 Att x,     c = a + N2 Cross(a, M),     y = c + N3 F c
#include "catalogue/entry.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/layers/residual_block.h"

namespace attend::cross_block_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"], memory = inputs["memory"];  // [m d] [n d]
  in.label("m", x);
  in.label("n", memory);
  const ResidualBlock block(in);
  const std::string& order = in.text("order");
  // The rows behind a part: what it outputs is added to the stream, with norm number k at the place of the order.
  const auto behind = [&](int k, Var rows, const auto& part) {
    const Var into = order == "pre" ? block.norm(k, rows) : rows;
    in.label_rows(into, "m");  // normed rows are still those of the same tokens
    const Var out = part(into);
    if (order == "output") return rows + block.norm(k, out);
    return order == "post" ? block.norm(k, rows + out) : rows + out;
  };
  const Var a =
      let("X'", behind(1, x, [&](Var rows) {
            return block.called("attention", {.name = "attention", .n = "m"}, {{"x", rows}}, rows);
          }));
  const Var c =
      let("X''", behind(2, a, [&](Var rows) {
            return block.called("cross", {.name = "cross"},
                                {{"query", rows}, {"key", memory}, {"value", memory}}, rows);
          }));
  const Var y = behind(3, c, [&](Var rows) {
    return block.called("ffn", {.name = "ffn", .n = "m"}, {{"x", rows}}, rows);
  });
  return {{out::output, let("Y", y), "m d"}};
}

}  // namespace

// The example: multi-head attention without masks, and the gated feed-forward.
Arrays reference(const ReferenceIn& in) {
  const std::string& order = in.text("order");
  const auto behind = [&](const char* number, const Array& rows, const auto& part) {
    Array out = part(order == "pre" ? block_norm_by_loops(in, number, rows) : rows);
    if (order == "output") out = block_norm_by_loops(in, number, out);
    out = plus(rows, out);
    return order == "post" ? block_norm_by_loops(in, number, out) : out;
  };
  Arrays results;
  const auto attended = [&](const std::string& slot, const Array& q, const Array& k) {
    const auto of = [&](const char* name) -> const Array& {
      return in.parameter(slot + ".heads." + name);
    };
    const AttentionTables seen = attended_in_heads(q, k, {of("W_Q"), of("W_K"), of("W_V")});
    results[slot + ".weights"] = seen.weights;
    return product(seen.context, of("W_O"));
  };
  const Array a = behind("1", in["x"], [&](const Array& x) { return attended("attention", x, x); });
  const Array c =
      behind("2", a, [&](const Array& x) { return attended("cross", x, in["memory"]); });
  results["output"] = behind("3", c, [&](const Array& x) { return gated_by_loops(in, x); });
  return results;
}

extern const Mechanism record{
    .id = "cross-block",
    .aliases = {"decoder-layer", "encoder-decoder-block"},
    .parameters = {{"norm1.gamma", "d", Distribution::one},
                   {"norm1.beta", "d", Distribution::zero},
                   {"norm2.gamma", "d", Distribution::one},
                   {"norm2.beta", "d", Distribution::zero},
                   {"norm3.gamma", "d", Distribution::one},
                   {"norm3.beta", "d", Distribution::zero}},
    .knobs = {choice_knob("order", "pre", {"pre", "post", "output"}),
              choice_knob("norm", "rms", {"rms", "layer", "none"}), flag_knob("shared", false),
              number_knob("eps", "by the norm", 1e-12, 1e-3).above(0).log_scale().optionally(),
              number_knob("offset", 0., 0, 1)},
    .roles = {{"x", "m d"}, {"memory", "n d"}},
    .slots =
        {{"attention",
          Kind::structure,
          "attention",
          false,
          "attention",
          {{"query", "self-attention"}, {"heads", "multi-head"}}},
         {"cross", Kind::structure, "attention", false, "attention", {{"heads", "multi-head"}}},
         {"ffn",
          Kind::structure,
          "swiglu",
          false,
          "",
          {},
          {},
          {"swiglu", "mlp", "mixture-of-experts"}}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::cross_block_entry
