// SPDX-License-Identifier: Apache-2.0
// One block of a transformer: attention Att and a feed-forward F around a stream of rows, with norms N1, N2, ..
//   pre       a = x + Att(N1 x),      y = a + F(N2 a)          Xiong et al. 2020, arXiv:2002.04745
//   post      a = N1(x + Att x),      y = N2(a + F a)          Vaswani et al. 2017, arXiv:1706.03762
//   sandwich  a = x + N2 Att(N1 x),   y = a + N4 F(N3 a)       Gemma 2, arXiv:2408.00118
//   output    a = x + N1 Att x,       y = a + N2 F a           OLMo 2, arXiv:2501.00656
//   parallel  y = x + Att(N1 x) + F(N2 x)                      GPT-NeoX, arXiv:2204.06745
#include "catalogue/entry.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/layers/residual_block.h"

namespace attend::transformer_block_entry {
namespace {

// What is between the rows that come in and those that go out.
class Block : public ResidualBlock {
 public:
  explicit Block(const Scope& in) : ResidualBlock(in), in_(in) {}

  [[nodiscard]] Var attention(Var rows) const { return of("attention", rows); }
  [[nodiscard]] Var feed_forward(Var rows) const { return of("ffn", rows); }

 private:
  [[nodiscard]] Var of(const char* slot, Var rows) const {
    in_.label_rows(rows, "m");  // normed rows are still those of the same tokens
    return called(slot, {.name = slot}, {{"x", rows}}, rows);
  }

  const Scope& in_;
};

Var through(const Block& block, const std::string& order, Var x) {
  const auto let_a = [](Var a) { return let("X'", a); };
  if (order == "parallel")
    return x + block.attention(block.norm(1, x)) + block.feed_forward(block.norm(2, x));
  if (order == "post") {
    const Var a = let_a(block.norm(1, x + block.attention(x)));
    return block.norm(2, a + block.feed_forward(a));
  }
  if (order == "sandwich") {
    const Var a = let_a(x + block.norm(2, block.attention(block.norm(1, x))));
    return a + block.norm(4, block.feed_forward(block.norm(3, a)));
  }
  if (order == "output") {
    const Var a = let_a(x + block.norm(1, block.attention(x)));
    return a + block.norm(2, block.feed_forward(a));
  }
  const Var a = let_a(x + block.attention(block.norm(1, x)));
  return a + block.feed_forward(block.norm(2, a));
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("m", x);
  in.label("n", x);
  return {{out::output, let("Y", through(Block(in), in.text("order"), x)), "m d"}};
}

}  // namespace

// The example: multi-head attention without a mask, and the gated feed-forward.
Arrays reference(const ReferenceIn& in) {
  const auto norm = [&](const char* number, const Array& rows) {
    return block_norm_by_loops(in, number, rows);
  };
  const Array& x = in["x"];
  const std::string& order = in.text("order");
  const bool before = order == "pre" || order == "sandwich" || order == "parallel";
  const Array into_attention = before ? norm("1", x) : x;
  const AttentionTables seen =
      attended_in_heads(into_attention, into_attention,
                        {in.parameter("attention.heads.W_Q"), in.parameter("attention.heads.W_K"),
                         in.parameter("attention.heads.W_V")});
  Array att = product(seen.context, in.parameter("attention.heads.W_O"));
  if (order == "sandwich") att = norm("2", att);
  if (order == "output") att = norm("1", att);
  Array a = plus(x, att);
  if (order == "post") a = norm("1", a);
  const Array into = order == "pre"        ? norm("2", a)
                     : order == "sandwich" ? norm("3", a)
                     : order == "parallel" ? norm("2", x)
                                           : a;
  Array fed = gated_by_loops(in, into);
  if (order == "sandwich") fed = norm("4", fed);
  if (order == "output") fed = norm("2", fed);
  Array y = plus(a, fed);
  if (order == "post") y = norm("2", y);
  return {{"output", y}, {"attention.weights", seen.weights}};
}

extern const Mechanism record{
    .id = "transformer-block",
    .aliases = {"decoder-block"},
    .parameters = {{"norm1.gamma", "d", Distribution::one},
                   {"norm1.beta", "d", Distribution::zero},
                   {"norm2.gamma", "d", Distribution::one},
                   {"norm2.beta", "d", Distribution::zero},
                   {"norm3.gamma", "d", Distribution::one},
                   {"norm3.beta", "d", Distribution::zero},
                   {"norm4.gamma", "d", Distribution::one},
                   {"norm4.beta", "d", Distribution::zero}},
    .knobs = {choice_knob("order", "pre", {"pre", "post", "sandwich", "output", "parallel"}),
              choice_knob("norm", "rms", {"rms", "layer", "none"}), flag_knob("shared", false),
              number_knob("eps", "by the norm", 1e-12, 1e-3).above(0).log_scale().optionally(),
              number_knob("offset", 0., 0, 1)},
    .roles = {{"x", "n d"}},
    .slots = {{"attention",
               Kind::structure,
               "attention",
               false,
               "attention",
               {{"query", "self-attention"}, {"heads", "multi-head"}}},
              {"ffn",
               Kind::structure,
               "swiglu",
               false,
               "",
               {},
               {},
               {"swiglu", "mlp", "mixture-of-experts"}}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::transformer_block_entry
