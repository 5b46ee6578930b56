// SPDX-License-Identifier: Apache-2.0
#include "ops/row_axes.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

std::size_t before(const Shape& shape, std::size_t at) {
  return std::accumulate(shape.begin(), shape.begin() + static_cast<long>(at), std::size_t{1},
                         std::multiplies<>());
}

}  // namespace

std::size_t first_row(const SharedReach& reach, std::size_t j) {
  return reach ? reach->first[j] : j;
}

std::size_t last_row(const SharedReach& reach, std::size_t j) { return reach ? reach->last[j] : j; }

SharedReach shared(Reach reach) {
  bool same = true;
  for (std::size_t j = 0; j < reach.first.size(); ++j)
    same = same && reach.first[j] == j && reach.last[j] == j;
  return same ? nullptr : std::make_shared<const Reach>(std::move(reach));
}

Beyond beyond_of(const Shape& shape, Numbers numbers, std::size_t row_from_end,
                 const KeyAxis& axis) {
  const auto extent = [&](std::size_t from_end) {
    return from_end <= shape.size() ? shape[shape.size() - from_end] : 1;
  };
  const std::size_t rows = extent(row_from_end), keys = extent(axis.from_end);
  if (numbers.empty()) return {};
  const bool pairs = rows > 1 && keys == axis.extent;
  std::array<std::optional<double>, 2>
      found;  // of later entries, and of those that are there in part
  std::array<bool, 2> several{};
  const Strides strides = strides_of(shape);
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    std::size_t which = 0;
    if (pairs) {
      const std::size_t i = at / strides[shape.size() - row_from_end] % rows;
      const std::size_t j = at / strides[shape.size() - axis.from_end] % keys;
      if (j < axis.lead || last_row(axis.reach, j - axis.lead) <= i) continue;
      which = first_row(axis.reach, j - axis.lead) > i ? 0 : 1;
    }
    const auto number = static_cast<double>(numbers[at]);
    if (found[which] && *found[which] != number) {
      several[which] = true;
      if (!axis.reach || several[0]) return {};
    }
    found[which] = number;
  }
  if (several[1]) found[1].reset();
  // What never happens is like the other.
  if (!found[1] && !several[1]) found[1] = found[0];
  if (!found[0]) found[0] = found[1];
  return {found[0], found[1]};
}

Beyond seen_through(const Beyond& beyond, const SharedReach& own, const SharedReach& other,
                    std::size_t extent) {
  if (own == other || (own && other && *own == *other)) return beyond;
  if (!beyond.known() || beyond.later != beyond.partly) return {};
  for (std::size_t j = 0; j < extent; ++j) {
    if (last_row(own, j) < last_row(other, j)) return {};
  }
  return beyond;
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

Beyond beyond_of(const Node& node, const std::vector<Beyond>& in) {
  std::vector<std::optional<double>> later, partly;
  for (const Beyond& one : in) {
    later.push_back(one.later);
    partly.push_back(one.partly);
  }
  return {beyond_of(node, later), beyond_of(node, partly)};
}

std::optional<std::size_t> axis_after_reshape(const Shape& from, std::size_t axis,
                                              const Shape& to) {
  for (std::size_t at = 0; at < to.size(); ++at) {
    if (to[at] == from[axis] && before(to, at) == before(from, axis)) return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> axis_split_by_reshape(const Shape& from, std::size_t axis,
                                                 const Shape& to) {
  for (std::size_t at = 0; at < to.size(); ++at) {
    if (before(to, at) == before(from, axis) && to[at] > 1) return at;
  }
  return std::nullopt;
}

SharedReach reach_after_reshape(const SharedReach& reach, std::size_t from, std::size_t to) {
  Reach out;
  for (std::size_t j = 0; j < to; ++j) {
    // Entries of the one and of the other axis lie one after the other in the same numbers.
    std::size_t first = Reach::never, last = 0;
    for (std::size_t k = j * from / to; k < ((j + 1) * from + to - 1) / to; ++k) {
      first = std::min(first, first_row(reach, k));
      last = std::max(last, last_row(reach, k));
    }
    out.add(first, last);
  }
  return shared(std::move(out));
}

}  // namespace attend
