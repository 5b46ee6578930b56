// SPDX-License-Identifier: Apache-2.0
#include "import/layout.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "ops/error.h"

namespace attend {
namespace {

using Axes = std::vector<std::size_t>;

// One step as a gather: the shape that it makes, and for each axis of it how far the source moves. All steps are of
// this kind, but the reordering of pairs and the factor.
struct Gather {
  Shape shape;
  Axes strides;
  std::size_t offset = 0;
};

[[noreturn]] void refuse_step(const Shape& shape, const Json& step) {
  refuse("", "the step " + step.dump() + " of its layout does not fit the shape " + to_text(shape));
}

Axes row_major(const Shape& shape) {
  const Strides strides = strides_of(shape);
  return {strides.begin(), strides.begin() + static_cast<long>(shape.size())};
}

Gather permuted(const Shape& shape, const Axes& order, const Json& step) {
  Axes sorted = order, usual(shape.size());
  std::ranges::sort(sorted);
  std::iota(usual.begin(), usual.end(), std::size_t{0});
  if (sorted != usual) refuse_step(shape, step);
  const Axes strides = row_major(shape);
  Gather result;
  for (const std::size_t axis : order) {
    result.shape.push_back(shape[axis]);
    result.strides.push_back(strides[axis]);
  }
  return result;
}

Gather cut(const Shape& shape, std::size_t axis, std::size_t first, std::size_t count) {
  Gather result{shape, row_major(shape)};
  result.offset = first * result.strides[axis];
  result.shape[axis] = count;
  return result;
}

std::size_t whole(const Json& json, const Json& step, const Shape& shape) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 0) refuse_step(shape, step);
  return json.get<std::size_t>();
}

Axes list(const Json& json, const Json& step, const Shape& shape) {
  Axes numbers;
  if (!json.is_array()) refuse_step(shape, step);
  for (const Json& one : json) numbers.push_back(whole(one, step, shape));
  return numbers;
}

Gather gather_of(const Shape& shape, const Json& step) {
  const std::size_t rank = shape.size();
  if (rank == 0) refuse_step(shape, step);
  const auto at = [&](const char* name) { return whole(step[name], step, shape); };
  if (step == "transpose") {
    if (rank != 2) refuse_step(shape, step);
    return permuted(shape, {1, 0}, step);
  }
  if (!step.is_object()) refuse_step(shape, step);
  if (step.contains("heads")) {
    const std::size_t heads = at("heads");
    if (rank > 2 || heads == 0 || shape.back() % heads != 0) refuse_step(shape, step);
    const std::size_t width = shape.back() / heads;
    if (rank == 1) return {{heads, width}, {width, 1}};
    return {{heads, shape[0], width}, {width, shape[1], 1}};
  }
  if (step.contains("part")) {
    const std::size_t axis = step.contains("axis") ? at("axis") : rank - 1, n = at("of");
    if (axis >= rank || n == 0 || shape[axis] % n != 0 || at("part") >= n) refuse_step(shape, step);
    const std::size_t count = shape[axis] / n;
    return cut(shape, axis, at("part") * count, count);
  }
  if (step.contains("rows")) {
    const Axes rows = list(step["rows"], step, shape);
    if (rows.size() != 2 || rows[0] >= rows[1] || rows[1] > shape[0]) refuse_step(shape, step);
    return cut(shape, 0, rows[0], rows[1] - rows[0]);
  }
  if (step.contains("permute")) return permuted(shape, list(step["permute"], step, shape), step);
  if (step.contains("reshape")) {
    const Shape to = list(step["reshape"], step, shape);
    if (element_count(to) != element_count(shape)) refuse_step(shape, step);
    return {to, row_major(to)};
  }
  if (step.contains("pairs")) {  // features 2t and 2t+1 of a head become t and t + p/2
    const std::size_t p = at("pairs");
    if (p == 0 || p % 2 != 0 || shape.back() % p != 0) refuse_step(shape, step);
    Gather result;
    result.shape.assign(shape.begin(), shape.end() - 1);
    const Axes strides = row_major(shape);
    result.strides.assign(strides.begin(), strides.end() - 1);
    for (const std::size_t extent : {shape.back() / p, std::size_t{2}, p / 2})
      result.shape.push_back(extent);
    for (const std::size_t stride : {p, std::size_t{1}, std::size_t{2}})
      result.strides.push_back(stride);
    return result;
  }
  refuse_step(shape, step);
}

// The pairs' axes are walked apart and belong together again.
Shape joined(const Shape& before, Shape after, const Json& step) {
  return step.is_object() && step.contains("pairs") ? before : after;
}

std::vector<float> gathered(const std::vector<float>& data, const Gather& gather) {
  std::vector<float> result(element_count(gather.shape));
  if (gather.shape.empty()) return {data[gather.offset]};
  const std::size_t width = gather.shape.back(), stride = gather.strides.back();
  Axes index(gather.shape.size() - 1, 0);
  std::size_t place = gather.offset;
  for (std::size_t row = 0; row < result.size(); row += width) {
    for (std::size_t c = 0; c < width; ++c) result[row + c] = data[place + c * stride];
    for (std::size_t a = index.size(); a-- > 0;) {
      place += gather.strides[a];
      if (++index[a] < gather.shape[a]) break;
      place -= index[a] * gather.strides[a];
      index[a] = 0;
    }
  }
  return result;
}

// The factor of a step that multiplies all numbers; none for a step that moves them.
std::optional<double> factor_of(const Json& step, const Shape& shape) {
  if (!step.is_object() || !step.contains("scale")) return std::nullopt;
  if (!step["scale"].is_number()) refuse_step(shape, step);
  return step["scale"].get<double>();
}

std::vector<float> scaled(std::vector<float> data, double factor) {
  for (float& x : data) x = static_cast<float>(x * factor);
  return data;
}

template <class Each>
void each_step(const Json& steps, Each each) {
  if (steps.is_null()) return;
  if (!steps.is_array()) return each(steps);
  for (const Json& step : steps) each(step);
}

}  // namespace

FloatTensor laid_out(const FloatTensor& tensor, const Json& steps) {
  FloatTensor result;
  const FloatTensor* from = &tensor;
  each_step(steps, [&](const Json& step) {
    if (const auto factor = factor_of(step, from->shape)) {
      result = {from->shape, scaled(from->data, *factor)};
      from = &result;
      return;
    }
    const Gather gather = gather_of(from->shape, step);
    result = {joined(from->shape, gather.shape, step), gathered(from->data, gather)};
    from = &result;
  });
  return from == &tensor ? tensor : result;
}

Shape shape_after(Shape shape, const Json& steps) {
  each_step(steps, [&](const Json& step) {
    if (!factor_of(step, shape)) shape = joined(shape, gather_of(shape, step).shape, step);
  });
  return shape;
}

bool multiplies(const Json& steps) {
  bool found = false;
  each_step(steps, [&](const Json& step) {
    if (step.is_object() && step.contains("scale")) found = true;
  });
  return found;
}

}  // namespace attend
