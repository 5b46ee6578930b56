// SPDX-License-Identifier: Apache-2.0
#include "ops/memo.h"

#include <algorithm>

#include "ops/compose.h"
#include "ops/evaluate.h"
#include "tests/ops/run.h"

namespace attend {
namespace {

using testing::Data;

std::string describe(const Data& data, NodeId leaf) {
  std::string text;
  for (const real value : data.at(leaf)) text += std::to_string(value) + " ";
  return text;
}

// scores = x w / t, weights of them, and a context: one number decides how much is new.
struct Module {
  Graph graph;
  Data data;
  Var product, weights, context;

  explicit Module(double temperature, real first = 1) {
    sweep::Numbers numbers(7);
    auto rows = numbers.list(12, -1, 1);
    rows[0] = first;
    const Var x = testing::leaf(graph, data, {4, 3}, rows);
    const Var w = testing::leaf(graph, data, {3, 4}, numbers.list(12, -1, 1));
    product = matmul(x, w);
    weights = softmax(product * temperature);
    context = matmul(weights, x);
  }

  Values compute(Memo& memo, std::vector<NodeId>* read = nullptr) {
    memo.look_at(graph, [&](NodeId id) { return describe(data, id); });
    Values values = evaluate(
        graph, plan(graph, {product, weights, context}, &memo),
        [&](NodeId id) {
          if (read != nullptr) read->push_back(id);
          return data.at(id);
        },
        &memo);
    memo.settle();
    return values;
  }
};

TEST_CASE("a memo gives back what did not change, and the same numbers as without it") {
  Memo memo;
  Module(.5).compute(memo);
  Module next(.7);
  std::vector<NodeId> read;
  const Values values = next.compute(memo, &read);
  const Values fresh =
      testing::run(next.graph, {next.product, next.weights, next.context}, next.data);
  CHECK(values[next.product.id()] == fresh[next.product.id()]);
  CHECK(values[next.weights.id()] == fresh[next.weights.id()]);
  CHECK(values[next.context.id()] == fresh[next.context.id()]);
  // The product is known, so w is not read any more; x still goes into the context.
  CHECK(read.size() == 1);
  CHECK(memo.remembered() == 3);
}

TEST_CASE("a memo sees another number in a leaf, another attribute, and nothing in a repeat") {
  Memo memo;
  Module(.5).compute(memo);
  const auto known = [&](const Module& next) {
    memo.look_at(next.graph, [&](NodeId id) { return describe(next.data, id); });
    const std::vector<Var> all{next.product, next.weights, next.context};
    return std::count_if(all.begin(), all.end(),
                         [&](Var v) { return memo.find(v.id()) != nullptr; });
  };
  CHECK(known(Module(.5)) == 3);
  CHECK(known(Module(.25)) == 1);
  CHECK(known(Module(.5, 2)) == 0);
  CHECK(memo.remembered() == 0);  // what the last graph has no part in is forgotten
}

TEST_CASE("a memo hands forgotten memory out again, cleared, and never what somebody holds") {
  Memo memo;
  Module first(.5);
  const Values held = first.compute(memo);
  const std::vector<std::vector<real>> before{held[first.product.id()], held[first.weights.id()],
                                              held[first.context.id()]};
  const Values values = Module(.25, 3).compute(memo);
  CHECK(before == std::vector<std::vector<real>>{held[first.product.id()], held[first.weights.id()],
                                                 held[first.context.id()]});
  CHECK(values[first.product.id()] != before[0]);

  Numbers mine = std::make_shared<std::vector<real>>(5, real(8));
  const real* const place = mine->data();
  memo.recycle(std::move(mine));
  const Numbers again = memo.room(5);
  CHECK(again->data() == place);
  CHECK(*again == std::vector<real>(5, 0));
}

TEST_CASE("a memo does not hold on to results beyond its size") {
  Memo memo;
  Graph graph;
  Data data;
  const Var x = testing::leaf(graph, data, {1}, {2});
  const Var large = broadcast_to(x, {Memo::max_bytes / sizeof(real) + 1});
  memo.look_at(graph, [](NodeId) { return std::string("x"); });
  const Values values = evaluate(
      graph, plan(graph, {large}, &memo), [&](NodeId id) { return data.at(id); }, &memo);
  CHECK(memo.remembered() == 1);
  memo.settle();
  CHECK(memo.remembered() == 0);
  CHECK(values[large.id()].back() == 2);
}

}  // namespace
}  // namespace attend
