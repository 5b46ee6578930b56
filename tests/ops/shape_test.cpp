// SPDX-License-Identifier: Apache-2.0
#include "ops/shape.h"

#include <array>
#include <doctest/doctest.h>

#include "ops/broadcast_loop.h"
#include "ops/error.h"

namespace attend::shape_test {
namespace {

TEST_CASE("shapes broadcast right-aligned") {
  CHECK(broadcast_shapes({3, 1}, {4}) == Shape{3, 4});
  CHECK(broadcast_shapes({}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast_shapes({2, 1, 5}, {7, 1}) == Shape{2, 7, 5});
  CHECK_THROWS_AS(broadcast_shapes({3, 2}, {3}), Error);
  CHECK(broadcast_strides(Shape{3, 1}, Shape{2, 3, 4}) == Strides{0, 1, 0});
}

TEST_CASE("a flat position and its index are each other's inverse") {
  const Shape shape{2, 3, 4};
  for (std::size_t flat = 0; flat < 24; ++flat) CHECK(ravel(unravel(flat, shape), shape) == flat);
  CHECK(unravel(23, shape) == std::vector<std::size_t>{1, 2, 3});
  CHECK(strides_of(shape) == Strides{12, 4, 1});
}

TEST_CASE("axes count from the end too, and an axis outside is an error") {
  CHECK(axis_index(-1, 3) == 2);
  CHECK(axis_index(0, 3) == 0);
  CHECK_THROWS_AS(axis_index(3, 3), Error);
  CHECK_THROWS_AS(axis_index(-4, 3), Error);
  const AxisView view = view_axis(Shape{2, 3, 4}, 1);
  CHECK(view.outer == 2);
  CHECK(view.length == 3);
  CHECK(view.inner == 4);
}

TEST_CASE("a tensor beyond the limit is refused, without overflow") {
  CHECK(element_count({max_elements}) == max_elements);
  CHECK(element_count({max_elements, 8}) == max_elements * 8);  // recorded, and never held
  CHECK_THROWS_AS(element_count({max_elements, 9}), Error);
  constexpr std::size_t huge = ~std::size_t{0} / 2;
  CHECK_THROWS_AS(element_count({huge, huge}), Error);
}

// Where an operand's cell lies, from the definition: an axis of extent 1 or a missing one is read
// at 0.
std::size_t by_definition(const std::vector<std::size_t>& index, const Shape& operand) {
  std::vector<std::size_t> own;
  const std::size_t missing = index.size() - operand.size();
  for (std::size_t i = 0; i < operand.size(); ++i)
    own.push_back(operand[i] == 1 ? 0 : index[i + missing]);
  return ravel(own, operand);
}

TEST_CASE(
    "the broadcasting loop visits every cell once, with the operands' cells of the definition") {
  const std::vector<std::array<Shape, 2>> pairs{
      {{{3, 4}, {3, 4}}},       {{{2, 3, 1}, {4}}},
      {{{}, {2, 3}}},           {{{}, {}}},
      {{{1, 1}, {1}}},          {{{5, 1, 3}, {2, 1}}},
      {{{2, 1, 4}, {1, 3, 1}}}, {{{2, 3, 4, 5}, {3, 1, 5}}},
      {{{1, 6, 1}, {4, 1, 2}}}, {{{7}, {2, 1, 7}}}};
  for (const auto& [a, b] : pairs) {
    CAPTURE(to_text(a));
    CAPTURE(to_text(b));
    const Shape out = broadcast_shapes(a, b);
    std::vector<int> visits(element_count(out), 0);
    bool right = true;
    for_each_run<2>(out, {a, b},
                    [&](std::size_t at, const auto& offset, std::size_t count, const auto& step) {
                      for (std::size_t i = 0; i < count; ++i) {
                        const auto index = unravel(at + i, out);
                        ++visits.at(at + i);
                        right = right && offset[0] + i * step[0] == by_definition(index, a) &&
                                offset[1] + i * step[1] == by_definition(index, b);
                      }
                    });
    CHECK(right);
    for (std::size_t flat = 0; flat < visits.size(); ++flat) {
      CHECK(visits[flat] == 1);
      CHECK(broadcast_position(flat, a, out) == by_definition(unravel(flat, out), a));
    }
  }
}

}  // namespace
}  // namespace attend::shape_test
