// SPDX-License-Identifier: Apache-2.0
// One block of a transformer: attention Att and a feed-forward F around a stream of rows, with norms N1, N2, ..
//   pre       a = x + Att(N1 x),      y = a + F(N2 a)          Xiong et al. 2020, arXiv:2002.04745
//   post      a = N1(x + Att x),      y = N2(a + F a)          Vaswani et al. 2017, arXiv:1706.03762
//   sandwich  a = x + N2 Att(N1 x),   y = a + N4 F(N3 a)       Gemma 2, arXiv:2408.00118
//   output    a = x + N1 Att x,       y = a + N2 F a           OLMo 2, arXiv:2501.00656
//   parallel  y = x + Att(N1 x) + F(N2 x)                      GPT-NeoX, arXiv:2204.06745
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/slots.h"
#include "ops/rms_norm.h"
#include "ops/text.h"

namespace attend::transformer_block_entry {
namespace {

// What is between the rows that come in and those that go out.
class Block {
 public:
  explicit Block(const Scope& in) : in_(in) {}

  // Norm number k of these rows; with `shared` all norms are the first.
  [[nodiscard]] Var norm(int k, Var rows) const {
    const std::string& kind = in_.text("norm");
    if (kind == "none") return rows;
    const std::string number = std::to_string(in_.flag("shared") ? 1 : k);
    const Var scale = in_.param("norm" + number + ".gamma") + in_.scalar("offset");  // [1 d]
    const bool layer = kind == "layer";
    const Var eps = in_.has("eps") ? in_.scalar("eps") : fill(in_.graph(), {}, layer ? 1e-5 : 1e-6);
    const Var normed = layer ? layer_norm(rows, scale, in_.param("norm" + number + ".beta"), eps)
                             : rms_norm(rows, eps) * scale;
    return let("N_{" + std::to_string(k) + "}", normed);  // [n d]
  }
  [[nodiscard]] Var attention(Var rows) const { return called("attention", rows); }
  [[nodiscard]] Var feed_forward(Var rows) const { return called("ffn", rows); }

 private:
  [[nodiscard]] Var called(const char* slot, Var rows) const {
    in_.label_rows(rows, "m");  // normed rows are still those of the same tokens
    const Tensors results = in_.call(slot, {.name = slot}, {{"x", rows}});
    const Var output = results.find("output");
    const Var y = output ? output : results["context"];
    if (y.shape() == rows.shape()) return y;
    refuse(in_.choice.in(slot)->path,
           "the output is added to the input rows, so both need the shape " +
               to_text(rows.shape()) + "; found " + to_text(y.shape()));
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

Tensors build(const Scope& module, const Tensors& inputs) {
  const Scope in = module.sized();
  const Var x = inputs["x"];  // [n d]
  in.label("m", x);
  in.label("n", x);
  return {{out::output, let("Y", through(Block(in), in.text("order"), x)), "m d"}};
}

// The example: multi-head attention without a mask, and the gated feed-forward.
class ByLoops {
 public:
  explicit ByLoops(const ReferenceIn& in) : in_(in) {}

  Array norm(const char* number, Array x) const {
    if (in_.text("norm") == "none") return x;
    const bool layer = in_.text("norm") == "layer";
    const std::string name = std::string("norm") + (in_.flag("shared") ? "1" : number);
    const double eps = in_.knobs.contains("eps") ? in_.number("eps") : layer ? 1e-5 : 1e-6;
    const auto d = static_cast<double>(x.cols());
    for (std::size_t i = 0; i < x.rows(); ++i) {
      double mean = 0, variance = 0;
      for (const double one : x.row(i)) mean += layer ? one / d : 0;
      for (const double one : x.row(i)) variance += (one - mean) * (one - mean) / d;
      for (std::size_t c = 0; c < x.cols(); ++c) {
        x(i, c) = (x(i, c) - mean) / std::sqrt(variance + eps) *
                  (in_.parameter(name + ".gamma")(c) + in_.number("offset"));
        if (layer) x(i, c) += in_.parameter(name + ".beta")(c);
      }
    }
    return x;
  }
  Array attention(const Array& x) {
    const loops::Seen seen =
        loops::seen_in_heads(x, x, {of("heads.W_Q"), of("heads.W_K"), of("heads.W_V")});
    weights = seen.weights;
    return loops::product(seen.context, of("heads.W_O"));
  }
  [[nodiscard]] Array feed_forward(const Array& x) const {
    const auto with = [&](const Array& rows, const char* W, const char* b) {
      return loops::plus(loops::product(rows, in_.parameter(std::string("ffn.") + W)),
                         in_.parameter(std::string("ffn.") + b));
    };
    Array gate = loops::each(with(x, "W_gate", "b_gate"), "silu");
    const Array up = with(x, "W_up", "b_up");
    for (std::size_t i = 0; i < gate.data.size(); ++i) gate.data[i] *= up.data[i];
    return with(gate, "W_down", "b_down");
  }
  Array weights;

 private:
  [[nodiscard]] const Array& of(const char* name) const {
    return in_.parameter(std::string("attention.") + name);
  }
  const ReferenceIn& in_;
};

Arrays reference(const ReferenceIn& in) {
  ByLoops by(in);
  const Array& x = in["x"];
  const std::string& order = in.text("order");
  const bool before = order == "pre" || order == "sandwich" || order == "parallel";
  Array att = by.attention(before ? by.norm("1", x) : x);
  if (order == "sandwich") att = by.norm("2", att);
  if (order == "output") att = by.norm("1", att);
  Array a = loops::plus(x, att);
  if (order == "post") a = by.norm("1", a);
  const Array into = order == "pre"        ? by.norm("2", a)
                     : order == "sandwich" ? by.norm("3", a)
                     : order == "parallel" ? by.norm("2", x)
                                           : a;
  Array fed = by.feed_forward(into);
  if (order == "sandwich") fed = by.norm("4", fed);
  if (order == "output") fed = by.norm("2", fed);
  Array y = loops::plus(a, fed);
  if (order == "post") y = by.norm("2", y);
  return {{"output", y}, {"attention.weights", by.weights}};
}

}  // namespace

extern const Mechanism transformer_block_record;
const Mechanism transformer_block_record{
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
              {"ffn", Kind::structure, "swiglu", false, "", {}, {}, {"swiglu", "mlp"}}},
    .behaviour = Structure{build}};
extern const Reference transformer_block_reference;
const Reference transformer_block_reference{reference};
}  // namespace attend::transformer_block_entry
