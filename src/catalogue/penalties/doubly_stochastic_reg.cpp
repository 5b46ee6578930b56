// SPDX-License-Identifier: Apache-2.0
// Doubly stochastic attention, a training penalty:  lambda sum_j (1 - sum_t a_tj)^2,
// with a gate on the context if wanted:  c_t <- sigma(q_t . w_beta) c_t
// Xu et al. 2015, equation 14 and section 4.2.1, arXiv:1502.03044
#include "catalogue/entry.h"
#include "catalogue/penalties.h"

namespace attend::doubly_stochastic_reg_entry {
namespace {

Var build(const PenaltyIn& in) {  // weights [.. m n]
  const Var short_of_one = let("1 - \\textstyle\\sum_t a_{tj}", 1 - sum(in.weights, -2));
  return in.scalar("lambda") * total(short_of_one * short_of_one);
}

Var context(const PenaltyIn& in, Var context) {  // [.. m dv]
  const Var w = in.param_if("w_beta", "gate");   // [1 dq]
  if (!w) return context;
  if (!in.query) refuse("its gate reads the query, but this module has none");
  return let("\\beta", sigmoid(times(in.query, transpose(w)))) * context;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& a = in["weights"];
  Array penalty(Shape{});
  for (std::size_t j = 0; j < a.cols(); ++j) {
    double column = 1;
    for (std::size_t t = 0; t < a.rows(); ++t) column -= a(t, j);
    penalty() += in.number("lambda") * column * column;
  }
  Array context = product(a, in["value"]);
  for (std::size_t t = 0; in.parameters.contains("w_beta") && t < context.rows(); ++t) {
    const double gate = activate("sigmoid", inner(in["query"].row(t), in.parameter("w_beta").data));
    for (std::size_t c = 0; c < context.cols(); ++c) context(t, c) *= gate;
  }
  return {{"penalty", penalty}, {"context", context}};
}

extern const Mechanism record{.id = "doubly-stochastic-reg",
                              .aliases = {"doubly-stochastic"},
                              .parameters = {{"w_beta", "dq"}},
                              .knobs = {number_knob("lambda", 1., 0, 10), flag_knob("gate", false)},
                              .beside = {{"score", "dot"}},
                              .behaviour = Penalty{build, context}};
}  // namespace attend::doubly_stochastic_reg_entry
