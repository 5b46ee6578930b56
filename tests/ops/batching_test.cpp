// SPDX-License-Identifier: Apache-2.0
#include "ops/batching.h"

#include <algorithm>
#include <span>

#include "ops/backward.h"
#include "tests/each.h"
#include "tests/ops/run.h"

namespace attend::batching_test {
namespace {

using testing::Data;
using testing::Trial;

constexpr std::size_t size = 3;

#ifdef ATTEND_DOUBLE
constexpr double tolerance = 1e-12;
#else
constexpr double tolerance = 2e-6;
#endif

void check_equal(const std::vector<real>& found, const std::vector<real>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto x = static_cast<double>(found[i]), y = static_cast<double>(expected[i]);
    CAPTURE(i);
    CAPTURE(x);
    CAPTURE(y);
    CHECK(std::abs(x - y) <= tolerance * (1 + std::abs(y)));
  }
}

void append(std::vector<real>& list, std::span<const real> more) {
  list.insert(list.end(), more.begin(), more.end());
}

// A primitive with its vjp: leaves are its operands and the cotangent.
struct Slopes : Trial {
  Var cotangent;
  std::vector<Var> wanted;  // the result and the gradients that there are

  Slopes(const Primitive& primitive, const Sample& sample, std::uint64_t draw)
      : Trial(primitive, sample, draw) {
    sweep::Numbers numbers(31 + draw);
    cotangent = testing::leaf(graph, data, out.shape(),
                              numbers.list(element_count(out.shape()), -1, 1), "g");
    wanted.push_back(out);
    std::vector<Var> by;
    for (std::size_t k = 0; k < in.size(); ++k) {
      if (testing::is_continuous(sample, k)) by.push_back(in[k]);
    }
    if (primitive.vjp == nullptr) return;
    for (const Var slope : gradients(out, cotangent, by)) wanted.push_back(slope);
  }
};

// The operands in `led` differ from example to example, the others are those of the first.
void check_batch(const Primitive& primitive, const Sample& sample, std::size_t led) {
  Slopes first(primitive, sample, 0);
  std::vector<bool> examples(first.graph.size(), false);
  for (std::size_t k = 0; k < first.in.size(); ++k)
    examples[first.in[k].id()] = ((led >> k) & 1U) != 0;
  examples[first.cotangent.id()] = true;

  std::vector<std::vector<real>> expected(first.wanted.size());
  std::map<NodeId, std::vector<real>> leaves;
  for (std::size_t i = 0; i < size; ++i) {
    const Slopes one(primitive, sample, i);
    Data data = first.data;
    for (auto& [id, numbers] : data) {
      if (examples[id]) numbers = one.data.at(id);
      if (examples[id] || i == 0) append(leaves[id], numbers);
    }
    const Values values = testing::run(first.graph, first.wanted, data);
    for (std::size_t w = 0; w < expected.size(); ++w)
      append(expected[w], values[first.wanted[w].id()]);
  }

  Graph graph;
  std::vector<NodeId> wanted;
  for (const Var var : first.wanted) wanted.push_back(var.id());
  const Batched all = batched(graph, first.graph, wanted, size, examples);
  Data data;
  for (const auto& [id, numbers] : leaves) data[all.vars[id].id()] = numbers;
  for (std::size_t w = 0; w < expected.size(); ++w) {
    CAPTURE(w);
    const Var var = all.vars[wanted[w]];
    std::vector<real> found = testing::value(var, data);
    if (!all.led[wanted[w]]) {
      // The same for every example: the result of operands that do not differ.
      CHECK(var.shape() == first.wanted[w].shape());
      const std::vector<real> one = found;
      for (std::size_t i = 1; i < size; ++i) append(found, one);
    } else {
      CHECK(var.rank() == first.wanted[w].rank() + 1);
      CHECK(var.shape()[0] == size);
    }
    check_equal(found, expected[w]);
  }
}

const testing::Each batches("makes of a batch its examples one by one, gradients too",
                            testing::every_primitive, [](const Primitive& p) {
                              for (const Sample& sample : p.samples) {
                                const std::size_t ways = std::size_t{1} << sample.shapes.size();
                                for (std::size_t led = 0; led < ways; ++led) {
                                  CAPTURE(led);
                                  check_batch(p, sample, led);
                                }
                              }
                            });

testing::Primitives with_slopes() {
  testing::Primitives list = testing::every_primitive();
  std::erase_if(list, [](const Primitive* p) { return p->vjp == nullptr; });
  return list;
}

const testing::Each summed(
    "has a gradient by what all examples share that is the sum over them", with_slopes,
    [](const Primitive& p) {
      for (const Sample& sample : p.samples) {
        for (std::size_t led = 1; led + 1 < (std::size_t{1} << sample.shapes.size()); ++led) {
          CAPTURE(led);
          Trial one(p, sample);
          std::vector<bool> examples(one.graph.size(), false);
          for (std::size_t k = 0; k < one.in.size(); ++k)
            examples[one.in[k].id()] = ((led >> k) & 1U) != 0;
          Graph graph;
          const Batched all = batched(graph, one.graph, {one.out.id()}, size, examples);
          // The numbers of each example are the same here, and so the sum is `size` times one's.
          Data data;
          for (const auto& [id, numbers] : one.data) {
            for (std::size_t i = 0; i < (examples[id] ? size : 1); ++i)
              append(data[all.vars[id].id()], numbers);
          }
          const Var out = all.vars[one.out.id()];
          for (std::size_t k = 0; k < one.in.size(); ++k) {
            if (!testing::is_continuous(sample, k) || examples[one.in[k].id()]) continue;
            const Var slope =
                gradients(out, fill(graph, out.shape(), 1), {all.vars[one.in[k].id()]})[0];
            const Var single =
                gradients(one.out, fill(one.graph, one.out.shape(), 1), {one.in[k]})[0];
            check_equal(testing::value(slope, data),
                        testing::value(single * static_cast<double>(size), one.data));
          }
        }
      }
    });

const testing::Each unruled("has a node of its own for every example, without a rule",
                            testing::every_primitive, [](const Primitive& p) {
                              Primitive plain = p;
                              plain.batch = nullptr;
                              for (const Sample& sample : plain.samples) {
                                if (sample.shapes.size() > 0) check_batch(plain, sample, 1);
                              }
                            });

TEST_CASE("a batch keeps names, records what all share once, and needs an example") {
  Graph one;
  const Var x = one.leaf({2, 3}, "x"), w = one.leaf({3, 3}, "W");
  const Var shared = let("S", w * w), out = let("y", matmul(x, shared));
  const Var unwanted = let("z", out + 1);
  std::vector<bool> examples(one.size(), false);
  examples[x.id()] = true;
  Graph graph;
  const Batched all = batched(graph, one, {out.id()}, 5, examples);
  CHECK(all.vars[x.id()].shape() == Shape{5, 2, 3});
  CHECK(all.vars[shared.id()].shape() == Shape{3, 3});
  CHECK(all.vars[shared.id()].node().name == "S");
  CHECK(all.vars[out.id()].shape() == Shape{5, 2, 3});
  CHECK(all.vars[out.id()].node().name == "y");
  CHECK(!all.vars[unwanted.id()]);
  CHECK(graph.size() == 4);
  Graph none;
  CHECK_THROWS(batched(none, one, {out.id()}, 0, examples));
}

}  // namespace
}  // namespace attend::batching_test
