// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/decays.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives/matrices.h"
#include "ops/text.h"

// What the primitives of ops/decays.h share. Their last operand is the decay of each row and feature, [.. B p].
namespace attend::decaying {

// `square` operands are [.. B B], the others [.. B p].
inline void need(const std::vector<Shape>& in, std::size_t square) {
  matrices::need_same_leading(in, "decays");
  const Shape& decay = in.back();
  for (std::size_t k = 0; k + 1 < in.size(); ++k) {
    const std::size_t width = k < square ? decay.end()[-2] : decay.back();
    if (in[k].end()[-2] != decay.end()[-2] || in[k].back() != width)
      refuse("each row needs a decay for each of its features; found shapes " + to_text(in[k]) +
             " and " + to_text(decay));
  }
}

inline Shape shape_of_pairs(const Shape& decay) {
  Shape out = decay;
  out.back() = out.end()[-2];
  return out;
}

// Calls work(decays, place) for each block; place(k) is its part of operand k.
template <class Work>
void for_each_block(const Forward& f, Work work) {
  const Shape& decay = *f.in_shapes.back();
  const std::size_t rows = decay.end()[-2], width = decay.back();
  const std::size_t size = f.node.shape.end()[-2] * f.node.shape.back();
  for (std::size_t r = 0; r < matrices::count_of(decay); ++r) {
    const auto place = [&](std::size_t k) {
      return f.in[k] + r * f.in_shapes[k]->end()[-2] * f.in_shapes[k]->back();
    };
    work(kernels::Decays{place(f.in.size() - 1), rows, width}, place, f.out + r * size);
  }
}

// The factors of D_ij for one feature, the decay being operand k.
inline std::string factors_between(const CellQuery& q, std::size_t k, std::size_t block,
                                   std::size_t j, std::size_t i, std::size_t feature) {
  const Shape& decay = *q.in_shapes[k];
  std::string text;
  for (std::size_t t = j + 1; t < i; ++t)
    text += " \\cdot " +
            as_factor(q.operand(k, (block * decay.end()[-2] + t) * decay.back() + feature));
  return text;
}

// One multiply-add for each of `factors` of every pair of rows and feature.
inline Cost cost_of(const Sizes& s, std::uint64_t factors) {
  const Shape& decay = *s.in.back();
  const std::uint64_t rows = decay.end()[-2];
  Cost cost = cost::moved(s);
  cost.multiply_adds = matrices::count_of(decay) * rows * (rows - 1) / 2 * decay.back() * factors;
  cost.exact = false;
  return cost;
}

}  // namespace attend::decaying
