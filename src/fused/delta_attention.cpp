// SPDX-License-Identifier: Apache-2.0
#include "fused/delta.h"
#include "fused/feature_attention.h"
#include "fused/feature_operands.h"

namespace attend::fused {
namespace {

constexpr std::size_t beta = 3;

// A call's operands, and the call.
class Call {
 public:
  explicit Call(const Forward& f) : q_(f, 0), k_(f, 1), v_(f, 2), beta_(f, beta, rows(f)) {
    rule = {call_of(f, features_in(f.node.attributes), q_.rows(), k_.rows(), v_.rows()),
            beta_.data(), rows(f)};
  }

  DeltaRule rule;

 private:
  static std::size_t rows(const Forward& f) { return f.in_shapes[1]->end()[-2]; }

  HeadRows q_, k_, v_;
  HeadNumbers beta_;
};

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  Shape out = in[0];
  out.back() = in[2].back();
  return out;
}

void forward(const Forward& f) {
  const Call call(f);
  const FeatureAttention& a = call.rule.a;
  attend_by_delta(call.rule, {f.out, a.dv, a.m * a.dv});
}

void backward(const Forward& f) {
  const Call call(f);
  const FeatureAttention& a = call.rule.a;
  GradientPlaces places(f);
  HeadSlopes q(f, places, 0, a.n), k(f, places, 1, a.n), v(f, places, 2, a.n),
      rates(f, places, beta, a.n);
  attend_by_delta_backward(call.rule, {f.in.back(), a.dv, a.m * a.dv},
                           {q.place(), k.place(), v.place(), rates.data()});
  for (HeadSlopes* one : {&q, &k, &v, &rates}) one->add_up();
}

// Each token meets the state three times, and the tokens of its chunk: their keys twice, and their values twice.
Cost cost_of(const Sizes& s, std::uint64_t times) {
  const std::uint64_t n = s.in[0]->end()[-2], r = s.in[0]->back(), dv = s.in[2]->back();
  const std::uint64_t near = std::min<std::uint64_t>(n, 32);
  return cost_of_features(s, features_in(s.node.attributes),
                          times * batch_of(*s.in[0]) * n * (3 * r * dv + 2 * near * (r + dv)));
}

Cost forward_cost(const Sizes& s) { return cost_of(s, 1); }
Cost backward_cost(const Sizes& s) { return cost_of(s, 4); }

constexpr Form form{.name = "delta_attention",
                    .gradient_name = "delta_attention_gradient",
                    .in_latex = "\\operatorname{Delta}",
                    .shape = shape,
                    .forward = forward,
                    .backward = backward,
                    .cost = forward_cost,
                    .backward_cost = backward_cost};

}  // namespace

const Primitive delta_attention = record_of<form>();

}  // namespace attend::fused
