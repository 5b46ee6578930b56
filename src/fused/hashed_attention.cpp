// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "fused/feature_attention.h"
#include "fused/feature_operands.h"
#include "fused/hashing.h"
#include "ops/cost_rules.h"

namespace attend::fused {
namespace {

constexpr std::size_t kept_columns = 2;  // largest, sum

// The planes of each head in one block of rows.
Shape block_of(const Shape& planes) {
  Shape block(planes.begin(), planes.end() - 2);
  block.back() *= planes.end()[-2];
  block.push_back(planes.back());
  return block;
}

class Call {
 public:
  explicit Call(const Forward& f) : q_(f, 0), v_(f, 1), planes_(f, 2, block_of(*f.in_shapes[2])) {
    const Attributes& attributes = f.node.attributes;
    const Rows& planes = planes_.rows();
    a.heads = batch_of(*f.in_shapes[0]);
    a.n = f.in_shapes[0]->end()[-2];
    a.d = f.in_shapes[0]->back();
    a.dv = f.in_shapes[1]->back();
    a.q = q_.rows();
    a.v = v_.rows();
    a.planes = planes.data;
    a.planes_head = planes.head;
    a.rounds = static_cast<std::size_t>(attributes[0]);
    a.buckets = static_cast<std::size_t>(attributes[1]);
    a.chunk = static_cast<std::size_t>(attributes[2]);
    a.causal = attributes[3] != 0;
    a.scale = 1 / std::sqrt(static_cast<real>(a.d));
  }
  [[nodiscard]] std::size_t width() const { return a.dv + kept_columns; }

  HashAttention a;

 private:
  HeadRows q_, v_, planes_;
};

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  Shape out = in[0];
  out.back() = in[1].back() + kept_columns;
  return out;
}

void forward(const Forward& f) {
  const Call call(f);
  const HashAttention& a = call.a;
  const std::size_t rows = a.heads * a.n, width = call.width();
  kernels::Scratch<real> largest(rows), sum(rows);
  attend_by_hashing(a, {f.out, width, a.n * width}, {largest.data(), sum.data()});
  for (std::size_t i = 0; i < rows; ++i) {
    f.out[i * width + a.dv] = largest.data()[i];
    f.out[i * width + a.dv + 1] = sum.data()[i];
  }
}

void backward(const Forward& f) {
  const Call call(f);
  const HashAttention& a = call.a;
  const std::size_t rows = a.heads * a.n, width = call.width(), operands = f.in.size() - 2;
  const real* const result = f.in[operands];
  kernels::Scratch<real> largest(rows), sum(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    largest.data()[i] = result[i * width + a.dv];
    sum.data()[i] = result[i * width + a.dv + 1];
  }
  GradientPlaces places(f);
  HeadSlopes q(f, places, 0, a.n), v(f, places, 1, a.n);
  attend_by_hashing_backward(a, {result, width, a.n * width}, {largest.data(), sum.data()},
                             {f.in[operands + 1], width, a.n * width}, q.place(), v.place());
  q.add_up();
  v.add_up();
}

// At most: pairs of another bucket are skipped.
Cost cost_of(const Sizes& s, std::uint64_t products) {
  const Shape& q = *s.in[0];
  const Attributes& attributes = s.node.attributes;
  const auto rounds = static_cast<std::uint64_t>(attributes[0]),
             chunk = static_cast<std::uint64_t>(attributes[2]);
  const std::uint64_t rows = batch_of(q) * q.end()[-2], planes = s.in[2]->back();
  Cost cost = cost::moved(s);
  const std::uint64_t pairs = rounds * rows * 2 * std::min<std::uint64_t>(chunk, q.end()[-2]);
  cost.multiply_adds = pairs * (products + 4) + rounds * rows * planes * q.back();
  cost.exponentials = pairs;
  cost.exact = false;
  return cost;
}

Cost forward_cost(const Sizes& s) { return cost_of(s, s.in[0]->back() + s.in[1]->back()); }
Cost backward_cost(const Sizes& s) { return cost_of(s, 3 * s.in[0]->back() + 2 * s.in[1]->back()); }

bool is_constant(const Attributes&, std::size_t operand) { return operand == 2; }

constexpr Form form{.name = "hashed_attention",
                    .gradient_name = "hashed_attention_gradient",
                    .in_latex = "\\operatorname{Hashed}",
                    .shape = shape,
                    .forward = forward,
                    .backward = backward,
                    .cost = forward_cost,
                    .backward_cost = backward_cost,
                    .constant = is_constant};

}  // namespace

const Primitive hashed_attention = record_of<form>();

}  // namespace attend::fused
