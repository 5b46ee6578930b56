// SPDX-License-Identifier: Apache-2.0
// Cross-covariance attention: channels attend to channels,
//   A = softmax(Qn^T Kn / tau) [p p],  C = V A^T,  columns of Qn and Kn of length 1 over the tokens
// El-Nouby et al. 2021, arXiv:2106.09681
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend::xcit_entry {
namespace {

// Columns of length 1; a column of zeros stays one, with a finite gradient.
Var unit_columns(Var x) {
  constexpr double least = 1e-12;
  return x / sqrt(sum(x * x, -2, true) + least * least);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);             // [n p] [n p] [n p]
  const Var q = let("\\hat{Q}", unit_columns(rows.q));  // [n p]
  const Var k = let("\\hat{K}", unit_columns(rows.k));  // [n p]
  const Var tau = in.given("tau") ? in.param("tau") : in.scalar("temperature");
  const Var e = let("E", matmul(q, k, true, false) / tau);  // [p p]
  const Var a = let("A", softmax(e));
  return {{out::scores, e, "p p"},
          {out::weights, a, "p p"},
          {out::result, let("C", matmul(rows.v, a, false, true)), "n dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"];
  const std::size_t p = q.cols();
  const double tau =
      in.parameters.contains("tau") ? in.parameter("tau")() : in.number("temperature");
  Array e({p, p}), a({p, p}), context(v.shape);
  for (std::size_t f = 0; f < p; ++f) {
    for (std::size_t g = 0; g < p; ++g) {
      double both = 0, own = 0, other = 0;
      for (std::size_t i = 0; i < q.rows(); ++i) {
        both += q(i, f) * k(i, g);
        own += q(i, f) * q(i, f);
        other += k(i, g) * k(i, g);
      }
      e(f, g) = own == 0 || other == 0 ? 0 : both / std::sqrt(own) / std::sqrt(other) / tau;
    }
    const Row row = softened(e.row(f));
    for (std::size_t g = 0; g < p; ++g) {
      a(f, g) = row[g];
      for (std::size_t i = 0; i < v.rows(); ++i) context(i, f) += row[g] * v(i, g);
    }
  }
  return {{"scores", e}, {"weights", a}, {"context", context}};
}

extern const Mechanism record{
    .id = "xcit",
    .aliases = {"xca"},
    .parameters = {{"tau", "", Distribution::one}},
    .knobs = {number_knob("temperature", 1., .05, 4).above(0)},
    .roles = {{"query", "n p"}, {"key", "n p", false, "query"}, {"value", "n p", false, "key"}},
    .excludes = {never_causal("channels-sum-all"_reason)},
    .coordinates = {{"scoring", "multiplicative"}, {"alignment", "global"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::xcit_entry
