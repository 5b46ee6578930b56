// SPDX-License-Identifier: Apache-2.0
#include "fused/softmax_attention.h"

#include <algorithm>
#include <optional>

#include "fused/buffer.h"
#include "fused/gaussian.h"
#include "fused/operands.h"
#include "fused/patterns.h"
#include "fused/record.h"
#include "fused/scores.h"
#include "fused/sink.h"
#include "fused/spans.h"
#include "kernels/scratch.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives/indexing.h"
#include "ops/work_parts.h"

namespace attend::fused {
namespace {

// Largest, sum, and the weight of the sink.
std::size_t kept_columns(const Attributes& a) { return a[13] != 0 ? 3 : 2; }

// Which operand is what; 0 stands for none, as the query is never optional.
struct Order {
  std::size_t bias = 0, mask = 0, z = 0, ramp = 0, cap = 0, sink = 0, p = 0;
  std::size_t relative_keys = 0, relative_values = 0;

  explicit Order(const Attributes& a) {
    std::size_t next = 3;
    const auto take = [&](bool is_there) { return is_there ? next++ : 0; };
    bias = take(a[0] != 0);
    mask = take(a[1] != 0);
    z = take(a[5] == Intent::spans);
    ramp = take(a[5] == Intent::spans);
    cap = take(a[12] != 0);
    sink = take(a[13] != 0);
    p = take(a[14] != 0);
    relative_keys = take(a[14] != 0);
    relative_values = take(a[15] != 0);
  }
  // Whether nobody asks for a gradient of this operand.
  [[nodiscard]] bool constant(std::size_t k) const {
    return k != 0 && (k == mask || k == ramp || k == cap);
  }
};

Attention attention_of(const Attributes& attributes, const std::vector<const real*>& in,
                       const std::vector<const Shape*>& shapes) {
  const Order order(attributes);
  Attention a;
  a.heads = batch_of(*shapes[0]);
  const auto rows = [&](std::size_t k) {
    return k == 0 ? Rows{} : rows_in(in[k], *shapes[k], a.heads);
  };
  a.m = shapes[0]->end()[-2];
  a.d = shapes[0]->back();
  a.n = shapes[1]->end()[-2];
  a.dv = shapes[2]->back();
  a.q = rows_in(in[0], *shapes[0], a.heads);
  a.k = rows(1);
  a.v = rows(2);
  a.bias = rows(order.bias);
  a.bias_by_gap = attributes[11] != 0;
  a.mask = rows(order.mask);
  a.cap = order.cap == 0 ? real(0) : *in[order.cap];
  if (order.p != 0) {
    const Shape& keys = *shapes[order.relative_keys];
    a.relative = {rows(order.p),
                  rows(order.relative_keys),
                  rows(order.relative_values),
                  keys.end()[-2],
                  keys.back(),
                  attributes[16]};
  }
  a.scale = static_cast<real>(attributes.number);
  a.before = attributes[2];
  a.after = attributes[3];
  a.block = static_cast<std::size_t>(attributes[4]);
  return a;
}

Intent pairs_in(const Attributes& a) {
  return {.kind = static_cast<Intent::Kind>(a[5]),
          .before = a[2],
          .after = a[3],
          .block = static_cast<std::size_t>(a[4]),
          .l = static_cast<std::size_t>(a[6]),
          .c = static_cast<std::size_t>(a[7]),
          .part = static_cast<Part>(a[8]),
          .global = static_cast<std::size_t>(a[9])};
}

Spans spans_in(const Attributes& attributes, const std::vector<const real*>& in,
               const std::vector<const Shape*>& shapes) {
  const Order order(attributes);
  const Rows z = rows_in(in[order.z], *shapes[order.z], batch_of(*shapes[0]));
  const Shape& ramp = *shapes[order.ramp];
  return {z.data,
          z.row,
          z.head,
          in[order.ramp],
          element_count(ramp) == 1 ? 0UL : 1UL,
          attributes[3] == 0};
}

Rows sinks_in(const Attributes& attributes, const std::vector<const real*>& in,
              const std::vector<const Shape*>& shapes) {
  const std::size_t at = Order(attributes).sink;
  return at == 0 ? Rows{} : rows_in(in[at], *shapes[at], batch_of(*shapes[0]));
}

bool is_gaussian(const Attributes& a) { return a[10] != 0; }

// The pattern's patches, as its intent and operand draw them.
class Pattern : public Patches {
 public:
  Pattern(const Intent& intent, const Attention& a, std::size_t drawn = 0)
      : intent_(intent), m_(a.m), n_(a.n), drawn_{a.mask, drawn} {}
  void each(std::size_t head, PatchVisitor& visitor) const override {
    each_patch(intent_, m_, n_, visitor, head, drawn_);
  }

 private:
  Intent intent_;
  std::size_t m_, n_;
  Drawn drawn_;
};

// Keys that an operand lists are given, but an intervention may change them.
void check_listed(const Forward& f, std::size_t mask, std::size_t keys) {
  const std::size_t count = element_count(*f.in_shapes[mask]);
  for (std::size_t t = 0; t < count; ++t) indexing::checked(f.in[mask][t], keys, f.node);
}

// Calls `use` with the patches. A mask that the pattern does not read says which keys are kept.
template <class Use>
void with_patches(const Forward& f, const Intent& intent, const Attention& a, Use use) {
  const std::size_t mask = Order(f.node.attributes).mask;
  if (mask == 0) return use(Pattern(intent, a));
  if (intent.lists_keys()) check_listed(f, mask, a.n);
  if (draws_by_operand(intent)) return use(Pattern(intent, a, f.in_shapes[mask]->back()));
  use(KeptKeys(Pattern(intent, a), a.mask));
}

Shape shape(const std::vector<Shape>& in, const Attributes& attributes) {
  Shape out = in[0];
  out.back() = in[2].back() + kept_columns(attributes);
  return out;
}

bool is_plain_band(const Attributes& a) { return a[5] == Intent::band && !is_gaussian(a); }

// Of a band: rows in whole blocks of the kernel.
WorkParts parts_of_band(const std::vector<const Shape*>& in) {
  const Shape &q = *in[0], &k = *in[1], &v = *in[2];
  return {batch_of(q), q.end()[-2], k.end()[-2] * (q.back() + v.back()), block_rows};
}

// Everything else is computed at once.
std::size_t parts(const Sizes& s) {
  return is_plain_band(s.node.attributes) ? parts_of_band(s.in).count() : 1;
}

void forward(const Forward& f) {
  Attention a = attention_of(f.node.attributes, f.in, f.in_shapes);
  const std::size_t rows = a.heads * a.m, width = a.dv + kept_columns(f.node.attributes);
  const WorkPart part = is_plain_band(f.node.attributes) ? parts_of_band(f.in_shapes)[f.part]
                                                         : WorkPart{0, a.heads, 0, a.m};
  const bool gaussian = is_gaussian(f.node.attributes);
  std::optional<Centred> centred;
  if (gaussian) centred.emplace(a);
  kernels::Scratch<real> largest(rows), sum(rows), biases(gaussian ? biases_of(a) : 0);
  if (gaussian) bias_by_keys(a, biases.data());
  const Intent pairs = pairs_in(f.node.attributes);
  const Place out{f.out, width, a.m * width};
  const Statistics kept{largest.data(), sum.data()};
  const Range range{part.first_item, part.last_item, part.first_row, part.last_row};
  if (pairs.kind == Intent::band) {
    attend(a, out, kept, range);
  } else if (pairs.kind == Intent::spans) {
    attend_spans(a, spans_in(f.node.attributes, f.in, f.in_shapes), out, kept);
  } else {
    with_patches(f, pairs, a,
                 [&](const Patches& patches) { attend_patches(a, patches, out, kept); });
  }
  const Rows sinks = sinks_in(f.node.attributes, f.in, f.in_shapes);
  if (sinks.data != nullptr)
    join_sinks(a, sinks, out, kept, {f.out + a.dv + 2, out.row, out.head}, range);
  for (std::size_t h = part.first_item; h < part.last_item; ++h) {
    for (std::size_t i = h * a.m + part.first_row; i < h * a.m + part.last_row; ++i) {
      f.out[i * width + a.dv] = largest.data()[i];
      f.out[i * width + a.dv + 1] = sum.data()[i];
    }
  }
}

// Of all operands that are not constant.
void backward(const Forward& f) {
  const std::size_t operands = f.in.size() - 2;
  Attention a = attention_of(f.node.attributes, f.in, f.in_shapes);
  const std::size_t rows = a.heads * a.m, width = a.dv + kept_columns(f.node.attributes);
  const real *result = f.in[operands], *slope = f.in[operands + 1];
  const Rows sinks = sinks_in(f.node.attributes, f.in, f.in_shapes);
  kernels::Scratch<real> largest(rows), sum(rows), means(sinks.data == nullptr ? 0 : rows);
  for (std::size_t i = 0; i < rows; ++i) {
    largest.data()[i] = result[i * width + a.dv];
    sum.data()[i] = result[i * width + a.dv + 1];
  }
  GradientPlaces places(f);
  Gradients gradients{places.take(0, a.q), places.take(1, a.k), places.take(2, a.v), {}};
  if (a.bias.data != nullptr) gradients.bias = places.take(3, a.bias);
  const bool gaussian = is_gaussian(f.node.attributes);
  std::optional<Centred> centred;
  if (gaussian) centred.emplace(a);
  kernels::Scratch<real> biases(gaussian ? 2 * biases_of(a) : 0);
  real* const bias_slopes = biases.data() + (gaussian ? biases_of(a) : 0);
  if (gaussian) {
    bias_by_keys(a, biases.data());
    gradients.bias = {bias_slopes, a.bias.row, a.bias.head};
  }
  const Rows out{result, width, a.m * width}, out_slope{slope, width, a.m * width};
  Statistics kept{largest.data(), sum.data()};
  if (sinks.data != nullptr) {
    const std::size_t at = a.dv + 2;
    sink_slopes(a, out, {result + at, out.row, out.head}, out_slope,
                {slope + at, out.row, out.head}, places.take(Order(f.node.attributes).sink, sinks),
                means.data());
    kept.mean = means.data();
  }
  if (a.relative.keys.data != nullptr) {
    const Order order(f.node.attributes);
    gradients.p = places.take(order.p, a.relative.p);
    gradients.relative_keys = places.take(order.relative_keys, a.relative.keys);
    if (order.relative_values != 0)
      gradients.relative_values = places.take(order.relative_values, a.relative.values);
  }
  const Intent pairs = pairs_in(f.node.attributes);
  if (pairs.kind == Intent::spans) {
    attend_spans_backward(a, spans_in(f.node.attributes, f.in, f.in_shapes), out, kept, out_slope,
                          gradients, places.rest());
  } else if (pairs.kind == Intent::band) {
    attend_backward(a, out, kept, out_slope, gradients);
  } else {
    with_patches(f, pairs, a, [&](const Patches& patches) {
      attend_patches_backward(a, patches, out, kept, out_slope, gradients);
    });
  }
  if (gaussian) add_bias_slopes(a, bias_slopes, gradients.k);
}

// The pairs of a row and a key that band and pattern leave: the same for each of the heads.
std::uint64_t pairs_of(const Sizes& s) {
  const Shape &q = *s.in[0], &k = *s.in[1];
  const Attributes& attributes = s.node.attributes;
  Attention a;
  a.m = q.end()[-2];
  a.n = k.end()[-2];
  a.before = attributes[2];
  a.after = attributes[3];
  a.block = static_cast<std::size_t>(attributes[4]);
  const Intent pairs = pairs_in(attributes);
  const std::size_t mask = Order(attributes).mask;
  if (pairs.lists_keys()) {
    // Rows that are computed together meet every key that one of them lists, and these may all be others.
    const std::uint64_t listed = std::min(a.m, BigBird::rows_together) * s.in[mask]->back();
    return batch_of(q) *
           std::min<std::uint64_t>(fused::pairs_of(Pattern(pairs, a)) + a.m * listed, a.m * a.n);
  }
  const bool drawn = draws_by_operand(pairs) || pairs.kind == Intent::spans;
  if (pairs.kind != Intent::band && !drawn) return batch_of(q) * fused::pairs_of(Pattern(pairs, a));
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.m; ++i) {
    const Keys keys = keys_of(a, i);
    count += keys.last - keys.first;
  }
  return batch_of(q) * count;
}

// The products of queries with relative keys: one for each distance that occurs.
std::uint64_t relative_products(const Sizes& s) {
  const Order order(s.node.attributes);
  if (order.p == 0) return 0;
  const std::uint64_t m = s.in[0]->end()[-2], count = s.in[order.relative_keys]->end()[-2];
  return std::min(pairs_of(s), batch_of(*s.in[0]) * m * count);
}

// For each pair `products` multiply-adds and the steps of a softmax. What a given mask excludes or lies beyond a span
// is skipped too, which nobody knows before.
Cost cost_of_pairs(const Sizes& s, std::uint64_t products) {
  Cost cost = cost::moved(s);
  const std::uint64_t pairs = pairs_of(s);
  const std::uint64_t scaled = s.node.attributes.number != 1 ? 1 : 0;
  const bool gaussian = is_gaussian(s.node.attributes);
  const std::uint64_t biased = s.node.attributes[0] != 0 || gaussian ? 1 : 0;
  const std::uint64_t capped = s.node.attributes[12] != 0 ? 1 : 0;
  cost.multiply_adds = pairs * (products + 4 + scaled + biased + 2 * capped);
  if (gaussian)  // the mean of the keys, the rows' distances from it, and half their squares
    cost.multiply_adds += element_count(*s.in[0]) + 3 * element_count(*s.in[1]) +
                          batch_of(*s.in[1]) * s.in[1]->back() + s.in[1]->end()[-2];
  cost.exponentials = pairs * (1 + capped);
  const bool relative = s.node.attributes[14] != 0, values = s.node.attributes[15] != 0;
  cost.multiply_adds += pairs * (relative ? 1 : 0) + pairs * (values ? 1 : 0);
  // How many distances the kernel computes at once depends on its vectors.
  cost.exact =
      s.node.attributes[1] == 0 && !relative && pairs_in(s.node.attributes).kind != Intent::spans;
  return cost;
}

Cost cost_of(const Sizes& s, std::uint64_t of_keys, std::uint64_t of_values) {
  const Order order(s.node.attributes);
  Cost cost = cost_of_pairs(s, of_keys * s.in[0]->back() + of_values * s.in[2]->back());
  if (order.p != 0)
    cost.multiply_adds +=
        relative_products(s) * (of_keys * s.in[order.p]->back() +
                                (order.relative_values != 0 ? of_values * s.in[2]->back() : 0));
  return cost;
}

Cost forward_cost(const Sizes& s) { return cost_of(s, 1, 1); }

// Scores once more; then the gradients of weights, values, queries and keys.
Cost backward_cost(const Sizes& s) { return cost_of(s, 3, 2); }

bool is_constant(const Attributes& a, std::size_t operand) { return Order(a).constant(operand); }

constexpr Form form{.name = "softmax_attention",
                    .gradient_name = "softmax_attention_gradient",
                    .in_latex = "\\operatorname{Attention}",
                    .shape = shape,
                    .forward = forward,
                    .backward = backward,
                    .cost = forward_cost,
                    .backward_cost = backward_cost,
                    .constant = is_constant,
                    .parts = parts};

}  // namespace

const Primitive softmax_attention = record_of<form>();

Attributes attributes_of(const Parts& parts) {
  const auto bound = [](std::ptrdiff_t reach) {
    return static_cast<long>(std::clamp(reach, -unbounded, unbounded));
  };
  const Intent& pairs = parts.pairs;
  return {
      {parts.bias ? 1L : 0L, parts.mask ? 1L : 0L, bound(pairs.before), bound(pairs.after),
       static_cast<long>(pairs.block), pairs.kind, static_cast<long>(pairs.l),
       static_cast<long>(pairs.c), static_cast<long>(pairs.part), static_cast<long>(pairs.global),
       parts.gaussian ? 1L : 0L, parts.gaps ? 1L : 0L, parts.capped ? 1L : 0L, parts.sink ? 1L : 0L,
       parts.relative ? 1L : 0L, parts.relative_values ? 1L : 0L, bound(parts.shift)},
      parts.scale};
}

}  // namespace attend::fused
