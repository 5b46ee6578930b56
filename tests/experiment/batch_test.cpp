// SPDX-License-Identifier: Apache-2.0
// A batch of three examples is three runs, for every mechanism: outputs and gradients.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/recording/draw.h"
#include "ops/backward.h"
#include "ops/batching.h"
#include "ops/evaluate.h"
#include "ops/random.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::batch_test {
namespace {

constexpr std::size_t size = 3;
#ifdef ATTEND_DOUBLE
constexpr double allowed = 1e-9;
#else
constexpr double allowed = 1e-4;
#endif

// A recorded document with gradients, and the numbers of its leaves for every example.
struct Examples {
  Compiled compiled;
  std::shared_ptr<Graph> graph;  // with the gradients
  Var root, cotangent;
  std::vector<Var> outputs, by, slopes;
  std::vector<bool> own;                                  // by node: the leaves that differ
  std::map<NodeId, std::vector<std::vector<real>>> data;  // of each leaf, one list an example

  explicit Examples(const Json& document)
      : compiled(compile(read_document(document))), graph(compiled.graph().copy()) {
    for (const KnownTensor& output : compiled.requested()) {
      outputs.push_back(graph->var(output.node));
      const std::string& name = output.record->name;
      if (name == "context" || name == "output" || !root) root = outputs.back();
    }
    cotangent = graph->leaf(root.shape(), "cotangent");
    for (const Leaf& leaf : compiled.leaves()) {
      const bool differs = leaf.kind == Leaf::Kind::input || is_random_data(leaf.distribution);
      add(graph->var(leaf.node), compiled.leaf_data(leaf), differs);
      if (leaf.kind != Leaf::Kind::constant && !is_random_data(leaf.distribution))
        by.push_back(graph->var(leaf.node));
    }
    const RandomStream stream(5, "cotangent");
    std::vector<real> numbers(element_count(root.shape()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<real>(stream.normal(i));
    add(cotangent, numbers, true);
    slopes = gradients(root, cotangent, by);
    own.resize(graph->size(), false);
  }

  // Examples differ by where the numbers stand, so that indices and masks stay what they are.
  void add(Var leaf, std::vector<real> numbers, bool differs) {
    own.resize(leaf.id() + 1, false);
    own[leaf.id()] = differs;
    for (std::size_t i = 0; i < size; ++i) {
      data[leaf.id()].push_back(numbers);
      if (differs && !numbers.empty())
        std::rotate(numbers.begin(), numbers.begin() + 1, numbers.end());
    }
  }

  [[nodiscard]] std::vector<NodeId> wanted() const {
    std::vector<NodeId> ids;
    for (const Var var : outputs) ids.push_back(var.id());
    for (const Var var : slopes) ids.push_back(var.id());
    return ids;
  }
};

Values run_one(const Examples& examples, std::size_t i) {
  const Graph& graph = *examples.graph;
  std::vector<Var> wanted;
  for (const NodeId id : examples.wanted()) wanted.push_back(graph.var(id));
  return evaluate(graph, wanted, [&](NodeId id) { return examples.data.at(id)[i]; });
}

// The leaves of the batch, by their ids there.
std::map<NodeId, std::vector<real>> leaves_of(const Examples& examples, const Batched& batch) {
  std::map<NodeId, std::vector<real>> leaves;
  for (const auto& [id, lists] : examples.data) {
    std::vector<real>& numbers = leaves[batch.vars[id].id()];
    for (std::size_t i = 0; i < (examples.own[id] ? size : 1); ++i)
      numbers.insert(numbers.end(), lists[i].begin(), lists[i].end());
  }
  return leaves;
}

double distance(std::span<const real> a, std::span<const real> b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    if (std::isnan(x) && std::isnan(y)) continue;
    const double gap = std::abs(x - y) / (1 + std::abs(y));
    largest = gap <= largest ? largest : gap;
  }
  return largest;
}

void check(const std::string& name, const Json& document) {
  const Examples examples(document);
  std::vector<Values> runs;
  for (std::size_t i = 0; i < size; ++i) runs.push_back(run_one(examples, i));

  Graph graph;
  const std::vector<NodeId> ids = examples.wanted();
  const Batched batch = batched(graph, *examples.graph, ids, size, examples.own);
  std::vector<Var> wanted;
  for (const NodeId id : ids) wanted.push_back(batch.vars[id]);
  // The other order: gradients of the batch. By what all examples share they are sums.
  std::vector<Var> by;
  for (const Var var : examples.by) by.push_back(batch.vars[var.id()]);
  Var root = batch.vars[examples.root.id()];
  if (!batch.led[examples.root.id()]) root = root + batch.vars[examples.cotangent.id()] * 0;
  const std::vector<Var> slopes = gradients(root, batch.vars[examples.cotangent.id()], by);
  wanted.insert(wanted.end(), slopes.begin(), slopes.end());
  const auto leaves = leaves_of(examples, batch);
  const Values all = evaluate(graph, wanted, [&](NodeId id) { return leaves.at(id); });

  for (std::size_t k = 0; k < ids.size(); ++k) {
    const std::span<const real> found = all[batch.vars[ids[k]].id()];
    for (std::size_t i = 0; i < size; ++i) {
      const std::span<const real> expected = runs[i][ids[k]];
      const std::size_t at = batch.led[ids[k]] ? i * expected.size() : 0;
      const double gap = distance(found.subspan(at, expected.size()), expected);
      CHECK_MESSAGE(gap <= allowed, name << ": example " << i << " of "
                                         << (k < examples.outputs.size() ? "output " : "gradient ")
                                         << k << " differs by " << gap);
    }
  }
  for (std::size_t k = 0; k < by.size(); ++k) {
    std::vector<real> expected;
    for (std::size_t i = 0; i < size; ++i) {
      const std::span<const real> one = runs[i][examples.slopes[k].id()];
      if (examples.own[examples.by[k].id()] || i == 0) {
        expected.insert(expected.end(), one.begin(), one.end());
      } else {
        std::transform(one.begin(), one.end(), expected.begin(), expected.begin(),
                       [](real x, real sum) { return x + sum; });
      }
    }
    const double gap = distance(all[slopes[k].id()], expected);
    CHECK_MESSAGE(gap <= allowed, name << ": the gradient of the batch by "
                                       << examples.by[k].node().name << " differs by " << gap);
  }
}

const Each runs("makes of a batch of three what it makes in three runs, gradients too",
                every_mechanism, [](const Mechanism& mechanism) {
                  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
                    check("seed " + std::to_string(seed),
                          with_parameters(example_document(mechanism, seed), seed));
                  }
                });

}  // namespace

}  // namespace attend::testing::batch_test
