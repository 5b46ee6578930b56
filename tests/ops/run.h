// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <vector>

#include "ops/evaluate.h"
#include "ops/primitive.h"
#include "ops/primitives.h"
#include "tests/kernels/sweep.h"

// What the graph's tests share: leaves with numbers, and a recorded primitive on one of its
// samples.
namespace attend::testing {

using Data = std::map<NodeId, std::vector<real>>;

inline Values run(const Graph& graph, const std::vector<Var>& wanted, const Data& data) {
  return evaluate(graph, wanted, [&](NodeId id) { return data.at(id); });
}

inline std::vector<real> list(Numbers numbers) { return {numbers.begin(), numbers.end()}; }

inline std::vector<real> value(Var var, const Data& data) {
  const Values values = run(var.graph(), {var}, data);
  return list(values[var.id()]);
}

// All nodes, as `explain` wants them.
inline Values run_all(Graph& graph, const Data& data) {
  std::vector<Var> all;
  for (NodeId id = 0; id < graph.size(); ++id) all.push_back(graph.var(id));
  return run(graph, all, data);
}

inline Var leaf(Graph& graph, Data& data, Shape shape, std::vector<real> values,
                std::string name = "x") {
  const Var var = graph.leaf(std::move(shape), std::move(name));
  data[var.id()] = std::move(values);
  return var;
}

// A primitive recorded on fresh leaves that hold a sample's numbers; other ones for each `draw`.
struct Trial {
  Graph graph;
  Data data;
  std::vector<Var> in;
  Var out;

  Trial(const Primitive& primitive, const Sample& sample, std::uint64_t draw = 0) {
    sweep::Numbers numbers(primitive.name.size() +
                           17 * static_cast<unsigned char>(primitive.name[0]) + 1009 * draw);
    const std::vector<Shape> shapes(sample.shapes.begin(), sample.shapes.end());
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      auto values = numbers.list(element_count(shapes[k]), sample.low, sample.high);
      const bool index = sample.integers && k + 1 == shapes.size();
      for (real& x : values) {
        if (static_cast<int>(k) == sample.condition) x = x > 0 ? 1 : 0;
        if (index) x = std::round(x);
      }
      in.push_back(leaf(graph, data, shapes[k], values, "x_" + std::to_string(k)));
    }
    out = graph.record(primitive, in, {sample.attributes.integers, sample.attributes.number});
  }
};

// Whether an operand has a slope at all.
inline bool is_continuous(const Sample& sample, std::size_t k) {
  return static_cast<int>(k) != sample.condition &&
         !(sample.integers && k + 1 == sample.shapes.size());
}

}  // namespace attend::testing
