// SPDX-License-Identifier: Apache-2.0
// A compiled program of many small nodes, for what a node costs besides its numbers.
#include "ops/program.h"

#include <memory>

#include "bench/kernels.h"
#include "ops/primitives.h"

namespace {

using namespace attend;

struct Compiled {
  Program program;
  Workspace work;

  explicit Compiled(Program made) : program(std::move(made)), work(workspace_for(program)) {}
};

std::unique_ptr<Compiled> compiled;

}  // namespace

extern "C" {

// Products, sums, functions and softmax of 4 x 4 numbers, one after the other.
void bench_compile(unsigned nodes) {
  const auto graph = std::make_shared<Graph>();
  const Var start = graph->leaf({4, 4}, "x"), w = graph->leaf({4, 4}, "W"),
            b = graph->leaf({4}, "b");
  Var x = start;
  while (graph->size() < nodes) x = softmax(tanh(matmul(x, w) + b) * start);
  compiled = std::make_unique<Compiled>(Program(graph,
                                                {{"x", start.id(), LeafKind::input},
                                                 {"W", w.id(), LeafKind::weight},
                                                 {"b", b.id(), LeafKind::weight}},
                                                {{"y", x.id()}}));
}

// Evaluates all of it `repeats` times; returns how many nodes were computed in all.
double bench_evaluate(unsigned repeats) {
  double count = 0;
  const NodeId start = compiled->program.leaf("x"), w = compiled->program.leaf("W");
  for (unsigned i = 0; i < repeats; ++i) {
    compiled->work.write(start)[0] = static_cast<real>(i % 7) / 8;
    compiled->work.write(w)[0] = real(0.5);
    compiled->work.evaluate();
    count += static_cast<double>(compiled->work.computed());
  }
  return count;
}
}
