// SPDX-License-Identifier: Apache-2.0
// Score of decomposable attention:  E = act(Q W1 + b1) act(K W2 + b2)^T
// Parikh, Täckström, Das, Uszkoreit 2016, section 3.1, equation 1, arXiv:1606.01933
#include "catalogue/entry.h"

namespace attend::decomposable_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m dq]  k [n dk]
  const bool shared = in.flag("shared");
  if (shared) in.need_same_width();
  const Var q = let("F(Q)", in.activate(matmul(in.q, in.param("W1")) + in.param("b1")));  // [m p]
  const Var W2 = in.param(shared ? "W1" : "W2"), b2 = in.param(shared ? "b1" : "b2");
  const Var k = let("F(K)", in.activate(matmul(in.k, W2) + b2));  // [n p]
  return matmul(q, k, false, true);                               // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const auto map = [&](const Row& x, const std::string& number) {
    const Array& b = in.parameter("b" + number);
    Row y = mapped(x, in.parameter("W" + number));
    for (std::size_t c = 0; c < y.size(); ++c) y[c] = activate(in.text("act"), y[c] + b(c));
    return y;
  };
  return each_score(in, [&](const Row& q, const Row& k) {
    return inner(map(q, "1"), map(k, in.flag("shared") ? "1" : "2"));
  });
}

extern const Mechanism record{.id = "decomposable",
                              .aliases = {"parikh"},
                              .parameters = {{"W1", "dq p"},
                                             {"b1", "p", Distribution::zero},
                                             {"W2", "dk p"},
                                             {"b2", "p", Distribution::zero}},
                              .knobs = {activation_knob("relu"), flag_knob("shared", false),
                                        size_knob("hidden", "p", "dq", 1, 256)},
                              .behaviour = Score{build}};
}  // namespace attend::decomposable_entry
