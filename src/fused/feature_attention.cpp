// SPDX-License-Identifier: Apache-2.0
#include "fused/feature_attention.h"

#include <algorithm>
#include <optional>

#include "fused/feature_operands.h"
#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

std::size_t gates_of(const Features& features) { return is_drawn(features.map) ? 4 : 3; }

// A call's operands, and the call.
class Call {
 public:
  explicit Call(const Forward& f)
      : features(features_in(f.node.attributes)), q_(f, 0), k_(f, 1), v_(f, 2) {
    a = call_of(f, features, q_.rows(), k_.rows(), v_.rows());
    if (is_drawn(features.map)) {
      a.drawn = drawn_.emplace(f, 3).rows();
      a.r = f.in_shapes[3]->end()[-2] * (features.map == FeatureMap::fourier ? 2 : 1);
    }
    if (!features.gated) return;
    gates_.emplace(f, gates_of(features), a.n);
    a.gates = gates_->data();
    a.gates_head = a.n;
  }
  [[nodiscard]] std::size_t width() const { return a.dv + (features.divides ? 1 : 0); }

  Features features;
  FeatureAttention a;

 private:
  HeadRows q_, k_, v_;
  std::optional<HeadRows> drawn_;
  std::optional<HeadNumbers> gates_;
};

Shape shape(const std::vector<Shape>& in, const Attributes& attributes) {
  Shape out = in[0];
  out.back() = in[2].back() + (features_in(attributes).divides ? 1 : 0);
  return out;
}

void forward(const Forward& f) {
  const Call call(f);
  const FeatureAttention& a = call.a;
  const std::size_t rows = a.heads * a.m, width = call.width();
  kernels::Scratch<real> totals(a.divides ? rows : 0);
  attend_by_features(a, {f.out, width, a.m * width}, a.divides ? totals.data() : nullptr);
  for (std::size_t i = 0; i < rows && a.divides; ++i) f.out[i * width + a.dv] = totals.data()[i];
}

void backward(const Forward& f) {
  const Call call(f);
  const FeatureAttention& a = call.a;
  const std::size_t rows = a.heads * a.m, width = call.width(), operands = f.in.size() - 2;
  const real* const result = f.in[operands];
  kernels::Scratch<real> totals(a.divides ? rows : 0);
  for (std::size_t i = 0; i < rows && a.divides; ++i) totals.data()[i] = result[i * width + a.dv];
  GradientPlaces places(f);
  HeadSlopes q(f, places, 0, a.m), k(f, places, 1, a.n), v(f, places, 2, a.n);
  std::optional<HeadSlopes> drawn, gates;
  FeatureGradients to{q.place(), k.place(), v.place()};
  if (is_drawn(a.map)) to.drawn = drawn.emplace(f, places, 3, f.in_shapes[3]->end()[-2]).place();
  if (a.gates != nullptr) to.gates = gates.emplace(f, places, gates_of(call.features), a.n).data();
  attend_by_features_backward(a, {result, width, a.m * width}, totals.data(),
                              {f.in[operands + 1], width, a.m * width}, to);
  for (HeadSlopes* one : {&q, &k, &v}) one->add_up();
  if (drawn) drawn->add_up();
  if (gates) gates->add_up();
}

// For each head `rows` and `keys` meet sums [r dv] so many times, and causal ones their chunk.
Cost cost_of(const Sizes& s, std::uint64_t times) {
  const Features features = features_in(s.node.attributes);
  const Shape &q = *s.in[0], &k = *s.in[1];
  const std::uint64_t drawn = is_drawn(features.map) ? s.in[3]->end()[-2] : 0;
  const std::uint64_t r = drawn == 0 ? q.back()
                                     : drawn * (features.map == FeatureMap::fourier ? 2 : 1),
                      dv = s.in[2]->back() + (features.divides ? 1 : 0);
  const std::uint64_t rows = q.end()[-2], keys = k.end()[-2];
  const std::uint64_t near =
      features.causal ? rows * std::min<std::uint64_t>(rows, causal_chunk) : 0;
  return cost_of_features(s, features,
                          times * batch_of(q) * ((rows + keys) * r * dv + near * (r + dv)));
}

Cost forward_cost(const Sizes& s) { return cost_of(s, 1); }
// The sums again, their gradients, and those of queries, keys and values.
Cost backward_cost(const Sizes& s) { return cost_of(s, 3); }

constexpr Form form{.name = "feature_attention",
                    .gradient_name = "feature_attention_gradient",
                    .in_latex = "\\operatorname{Features}",
                    .shape = shape,
                    .forward = forward,
                    .backward = backward,
                    .cost = forward_cost,
                    .backward_cost = backward_cost};

}  // namespace

const Primitive feature_attention = record_of<form>();

}  // namespace attend::fused
