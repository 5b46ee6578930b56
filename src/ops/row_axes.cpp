// SPDX-License-Identifier: Apache-2.0
#include "ops/row_axes.h"

#include <algorithm>
#include <numeric>

#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {

std::optional<double> beyond_of(const Shape& shape, Numbers numbers, std::size_t row_from_end,
                                std::size_t key_from_end, std::size_t lead) {
  const auto extent = [&](std::size_t from_end) {
    return from_end <= shape.size() ? shape[shape.size() - from_end] : 1;
  };
  const std::size_t rows = extent(row_from_end), keys = extent(key_from_end);
  if (numbers.empty()) return std::nullopt;
  const bool pairs = rows > 1 && keys > 1;
  std::optional<double> all;
  const Strides strides = strides_of(shape);
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    if (pairs) {
      const std::size_t i = at / strides[shape.size() - row_from_end] % rows;
      const std::size_t j = at / strides[shape.size() - key_from_end] % keys;
      if (j <= i + lead) continue;
    }
    const auto number = static_cast<double>(numbers[at]);
    if (all && *all != number) return std::nullopt;
    all = number;
  }
  return all;
}

std::optional<double> beyond_of(const Node& node, const std::vector<std::optional<double>>& in) {
  namespace p = primitives;
  if (node.primitive == &p::where) return !in[0] ? std::nullopt : *in[0] != 0 ? in[1] : in[2];
  const bool product = node.primitive == &p::multiply;
  if ((product || node.primitive == &p::divide) && in[0] == 0.0) return 0.0;
  if (product && in[1] == 0.0) return 0.0;
  if (std::any_of(in.begin(), in.end(), [](const auto& one) { return !one; })) return std::nullopt;
  std::vector<real> numbers(in.size());
  const Shape none;
  Node one = node;
  one.shape.clear();
  real out = 0;
  Forward forward{one, {}, {}, &out};
  for (std::size_t k = 0; k < in.size(); ++k) {
    numbers[k] = static_cast<real>(*in[k]);
    forward.in.push_back(&numbers[k]);
    forward.in_shapes.push_back(&none);
  }
  node.primitive->forward(forward);
  return static_cast<double>(out);
}

std::optional<std::size_t> axis_after_reshape(const Shape& from, std::size_t axis,
                                              const Shape& to) {
  const auto before = [](const Shape& shape, std::size_t at) {
    return std::accumulate(shape.begin(), shape.begin() + static_cast<long>(at), std::size_t{1},
                           std::multiplies<>());
  };
  for (std::size_t at = 0; at < to.size(); ++at) {
    if (to[at] == from[axis] && before(to, at) == before(from, axis)) return at;
  }
  return std::nullopt;
}

}  // namespace attend
