// SPDX-License-Identifier: Apache-2.0
#include "ops/weight_store.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

#include "ops/compose.h"
#include "ops/listed.h"
#include "ops/plan.h"
#include "ops/primitives.h"
#include "ops/read_in_place.h"
#include "ops/workspace.h"
#include "tests/ops/run.h"

namespace attend::weight_store_test {
namespace {

constexpr WeightType own = sizeof(real) == 8 ? WeightType::f64 : WeightType::f32;

template <class T>
WeightTensor tensor_of(Shape shape, WeightType type, const std::vector<T>& numbers) {
  const auto held = std::make_shared<std::vector<T>>(numbers);
  return {std::move(shape), type, reinterpret_cast<const std::byte*>(held->data()), held};
}

std::vector<real> list_of(const WeightTensor& tensor) {
  const auto first = tensor.numbers();
  return {first.get(), first.get() + tensor.count()};
}

// A leaf [3 2] that lies in `numbers`, and what is computed from it by itself, by a slice and transposed.
struct Laid {
  Graph graph;
  std::shared_ptr<std::vector<real>> numbers =
      std::make_shared<std::vector<real>>(std::vector<real>{1, 2, 3, 4, 5, 6});
  Var w, x, doubled, row, product;

  Laid() {
    w = graph.leaf({3, 2}, "W");
    graph.lay(w, {numbers, numbers->data()});
    x = graph.leaf({1, 2}, "x");
    doubled = w + w;
    row = slice(w, 0, 1, 2) * x;
    product = matmul(x, transpose(w));
  }
  [[nodiscard]] std::vector<Var> wanted() const { return {doubled, row, product}; }
};

}  // namespace

TEST_CASE("numbers of every type of a store become those of this build") {
  CHECK(list_of(tensor_of<double>({2}, WeightType::f64, {.5, -3})) == std::vector<real>{.5, -3});
  CHECK(list_of(tensor_of<float>({2}, WeightType::f32, {.5F, -3})) == std::vector<real>{.5, -3});
  // 1, -2, the smallest and the largest half; 2^-14.
  const std::vector<std::uint16_t> halves{0x3c00, 0xc000, 0x0001, 0x7bff, 0x0400};
  CHECK(list_of(tensor_of(Shape{5}, WeightType::f16, halves)) ==
        std::vector<real>{1, -2, real(0x1p-24), 65504, real(0x1p-14)});
  const std::vector<std::uint16_t> upper{0x3f80, 0xc040};
  CHECK(list_of(tensor_of(Shape{2}, WeightType::bf16, upper)) == std::vector<real>{1, -3});
  WeightTensor bytes = tensor_of<std::int8_t>({2, 2}, WeightType::i8, {1, 2, 3, -4});
  bytes.set_scale(tensor_of<float>({1, 2}, WeightType::f32, {.5F, 2}));
  CHECK(list_of(bytes) == std::vector<real>{.5, 4, 1.5, -8});
}

TEST_CASE(
    "what this build computes with lies where it is, and what is converted is converted once") {
  const auto held = std::make_shared<std::vector<real>>(std::vector<real>{1, 2});
  const WeightTensor there({2}, own, reinterpret_cast<const std::byte*>(held->data()), held);
  CHECK(there.numbers().get() == held->data());
  const WeightTensor other = tensor_of<std::uint16_t>({1}, WeightType::f16, {0x3c00});
  CHECK(other.numbers().get() == other.numbers().get());
  // At an odd place no number can be read where it lies.
  std::vector<std::byte> shifted(1 + 2 * sizeof(real));
  std::memcpy(shifted.data() + 1, held->data(), 2 * sizeof(real));
  const WeightTensor apart({2}, own, shifted.data() + 1, nullptr);
  CHECK(list_of(apart) == *held);
}

TEST_CASE("the first number that cannot be computed with is found") {
  double found = 0;
  std::vector<float> many(10'000, 1);
  many[9'000] = std::numeric_limits<float>::quiet_NaN();
  CHECK(tensor_of(Shape{10'000}, WeightType::f32, many).first_unfit(found) == 9'000);
  CHECK(found != found);
  many[9'000] = 2;
  CHECK(tensor_of(Shape{10'000}, WeightType::f32, many).first_unfit(found) == 10'000);
  // Not a number, and infinite, among halves and upper halves.
  struct Kind {
    WeightType type;
    std::uint16_t largest;
    std::array<std::uint16_t, 2> odd;
  };
  for (const Kind& kind : {Kind{WeightType::f16, 0x7bff, {0x7e00, 0xfc00}},
                           Kind{WeightType::bf16, 0x7f7f, {0x7fc0, 0xff80}}}) {
    std::vector<std::uint16_t> halves(40, kind.largest);
    CHECK(tensor_of(Shape{40}, kind.type, halves).first_unfit(found) == 40);
    for (const std::uint16_t odd : kind.odd) {
      halves[33] = odd;
      CHECK(tensor_of(Shape{40}, kind.type, halves).first_unfit(found) == 33);
      CHECK_FALSE(std::isfinite(found));
    }
  }
  const std::size_t large = tensor_of<double>({2}, WeightType::f64, {1, 1e300}).first_unfit(found);
  CHECK(large == (sizeof(real) == 8 ? 2 : 1));
  WeightTensor bytes = tensor_of<std::int8_t>({2}, WeightType::i8, {1, 127});
  bytes.set_scale(tensor_of<float>({}, WeightType::f32, {3e38F}));
  CHECK(bytes.first_unfit(found) == (sizeof(real) == 8 ? 2 : 1));
}

TEST_CASE("a leaf whose numbers lie elsewhere takes no memory until others are given") {
  const Laid one;
  const std::vector<Var> wanted = one.wanted();
  const Plan laid = plan(one.graph, wanted);
  Workspace work(one.graph, laid);
  work.set(one.x.id(), std::vector<real>{1, 10});
  work.evaluate();
  CHECK(testing::list(work[one.doubled.id()]) == std::vector<real>{2, 4, 6, 8, 10, 12});
  CHECK(testing::list(work[one.row.id()]) == std::vector<real>{3, 40});
  CHECK(testing::list(work[one.product.id()]) == std::vector<real>{21, 43, 65});
  CHECK(work[one.w.id()].data() == one.numbers->data());

  work.set(one.w.id(), *one.numbers);  // the same numbers: nothing is copied
  CHECK(work[one.w.id()].data() == one.numbers->data());
  work.set(one.w.id(), std::vector<real>{1, 2, 30, 4, 5, 6});
  work.evaluate();
  CHECK((*one.numbers)[2] == 3);  // the store is as it was
  CHECK(testing::list(work[one.doubled.id()]) == std::vector<real>{2, 4, 60, 8, 10, 12});
  CHECK(testing::list(work[one.row.id()]) == std::vector<real>{30, 40});
  CHECK(testing::list(work[one.product.id()]) == std::vector<real>{21, 70, 65});
}

TEST_CASE("a product with the transpose of such a leaf reads it where it lies") {
  const auto graph = std::make_shared<Graph>();
  const auto numbers = std::make_shared<std::vector<real>>(std::vector<real>{1, 2, 3, 4, 5, 6});
  const Var w = graph->leaf({3, 2}, "W"), x = graph->leaf({1, 2}, "x");
  graph->lay(w, {numbers, numbers->data()});
  const Var turned = transpose(w), product = let("y", matmul(x, turned)), other = matmul(turned, w);
  const Program program(graph, {{"W", w.id(), LeafKind::weight}, {"x", x.id(), LeafKind::input}},
                        {{"y", product.id()}, {"other", other.id()}});
  const Program read = read_in_place(program);
  CHECK(read.graph()[product.id()].name == "y");
  const Plan needs = plan(read.graph(), read.wanted());
  CHECK_FALSE(needs.needed[turned.id()]);
  Workspace work(read.shared_graph(), needs);
  work.set(x.id(), std::vector<real>{1, 10});
  work.evaluate();
  CHECK(testing::list(work[read.find("y")]) == std::vector<real>{21, 43, 65});
  CHECK(testing::list(work[read.find("other")]) == std::vector<real>{35, 44, 44, 56});
}

// A leaf [2 3 2] of bytes with a scale for each column of each matrix, read by a product, in part, and transposed.
struct Packed {
  Graph graph;
  WeightTensor tensor =
      tensor_of<std::int8_t>({2, 3, 2}, WeightType::i8, {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6});
  Var w, x, y, product, first, turned;

  Packed() {
    tensor.set_scale(tensor_of<float>({2, 1, 2}, WeightType::f32, {1, 2, .5F, 4}));
    w = graph.leaf({2, 3, 2}, "W");
    graph.lay(w, std::make_shared<const WeightTensor>(tensor));
    x = graph.leaf({2, 3}, "x");
    y = graph.leaf({1, 2}, "y");
    product = matmul(x, w);                              // [2 2 2]
    first = matmul(x, squeeze(slice(w, 0, 1, 2), 0));    // by the second matrix
    turned = matmul(y, slice(w, 0, 0, 1), false, true);  // [1 1 3]
  }
};

TEST_CASE(
    "a leaf that lies as its file has it is read so by products, and by all others converted") {
  Packed one;
  const std::vector<real> x{1, 0, 2, 0, 1, 0};
  const auto run = [&](const std::vector<Var>& wanted) {
    auto work = std::make_unique<Workspace>(one.graph, plan(one.graph, wanted));
    work->set(one.x.id(), x);
    work->set(one.y.id(), std::vector<real>{1, 10});
    work->evaluate();
    return work;
  };
  const std::vector<real> product{11, 28, 3, 8, -5.5, -56, -1.5, -16};
  const auto packed = run({one.product, one.first, one.turned});
  CHECK(packed->stored(one.w.id()).tensor != nullptr);
  CHECK(testing::list((*packed)[one.product.id()]) == product);
  CHECK(testing::list((*packed)[one.first.id()]) == std::vector<real>{-5.5, -56, -1.5, -16});
  CHECK(testing::list((*packed)[one.turned.id()]) == std::vector<real>{41, 83, 125});
  // Whoever looks sees numbers.
  const std::vector<real> numbers{1, 4, 3, 8, 5, 12, -.5, -8, -1.5, -16, -2.5, -24};
  CHECK(testing::list((*packed)[one.w.id()]) == numbers);
  CHECK(testing::list(packed->values(nullptr)[one.w.id()]) == numbers);

  const Var doubled = one.w + one.w;
  const auto converted = run({one.product, doubled});
  CHECK(converted->stored(one.w.id()).tensor == nullptr);
  CHECK(testing::list((*converted)[one.product.id()]) == product);
  CHECK(testing::list((*converted)[doubled.id()])[3] == 16);
}

TEST_CASE("who writes such a leaf gets a copy, and the store is as it was") {
  Packed one;
  Workspace work(one.graph, plan(one.graph, {one.product, one.first}));
  work.set(one.x.id(), std::vector<real>{1, 0, 2, 0, 1, 0});
  work.evaluate();
  const std::vector<real> numbers = testing::list(work[one.w.id()]);
  work.set(one.w.id(), numbers);  // the same numbers: nothing is copied
  CHECK(work.stored(one.w.id()).tensor != nullptr);
  std::vector<real> others = numbers;
  others[6] = 100;
  work.set(one.w.id(), others);
  work.evaluate();
  CHECK(testing::list(work[one.first.id()]) == std::vector<real>{95, -56, -1.5, -16});
  CHECK(list_of(one.tensor) == numbers);
}

TEST_CASE("a scale that differs by row and column is multiplied before the product") {
  Graph graph;
  WeightTensor tensor = tensor_of<std::int8_t>({2, 2}, WeightType::i8, {1, 2, 3, 4});
  tensor.set_scale(tensor_of<float>({2, 2}, WeightType::f32, {1, 2, 3, 4}));
  const Var w = graph.leaf({2, 2}, "W"), x = graph.leaf({1, 2}, "x");
  graph.lay(w, std::make_shared<const WeightTensor>(tensor));
  const Var y = matmul(x, w);
  Workspace work(graph, plan(graph, {y}));
  work.set(x.id(), std::vector<real>{1, 10});
  work.evaluate();
  CHECK(testing::list(work[y.id()]) == std::vector<real>{91, 164});
}

TEST_CASE("rows that a list names are read from a table of bytes") {
  Graph graph;
  WeightTensor tensor = tensor_of<std::int8_t>({3, 2}, WeightType::i8, {1, 2, 3, 4, 5, 6});
  tensor.set_scale(tensor_of<float>({1, 2}, WeightType::f32, {1, .5F}));
  const Var table = graph.leaf({3, 2}, "E"), index = graph.leaf({2, 1}, "x");
  graph.lay(table, std::make_shared<const WeightTensor>(tensor));
  const Var rows = listed_sums(ones(graph, {2, 1}), table, index);
  Workspace work(graph, plan(graph, {rows}));
  work.set(index.id(), std::vector<real>{2, 0});
  work.evaluate();
  CHECK(work.stored(table.id()).tensor != nullptr);
  CHECK(testing::list(work[rows.id()]) == std::vector<real>{5, 3, 1, 1});
}

TEST_CASE("a large tensor of bytes counts its sums once for all copies, each matrix for itself") {
  const std::size_t rows = 160, columns = 256;
  std::vector<std::int8_t> numbers(2 * rows * columns);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<std::int8_t>(static_cast<int>(i * i % 251) - 125);
  const WeightTensor plain = tensor_of({2, rows, columns}, WeightType::i8, numbers);
  WeightTensor one = plain, other = plain;
  one.round_rows();
  other.round_rows();
  CHECK(plain.matrix(1)->row_sums == nullptr);
  const kernels::StoredMatrix second = *one.matrix(1);
  CHECK(other.matrix(1)->row_sums == second.row_sums);
  for (std::size_t i = 0; i < rows; ++i) {
    int sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += numbers[(rows + i) * columns + j];
    REQUIRE(second.row_sums[i] == sum);
  }
  for (std::size_t j = 0; j < columns; ++j) {
    int sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += numbers[(rows + i) * columns + j];
    REQUIRE(second.column_sums[j] == sum);
  }
  // A small one is converted anyhow.
  WeightTensor small = tensor_of({4, 4}, WeightType::i8, std::vector<std::int8_t>(16, 1));
  small.round_rows();
  CHECK(small.matrix(0)->row_sums == nullptr);
}

}  // namespace attend::weight_store_test
