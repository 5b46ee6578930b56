// SPDX-License-Identifier: Apache-2.0
// attend_bench_fuse TOKENS HEADS KIND ROUNDS MILLISECONDS
// Times one recorded attention of width 64 as the graph computes it and with the fused node in its
// place, and prints the milliseconds of both, a line a round, and last their largest difference.
// KIND: all, causal, window, blocks, mask (any mask, here blocks given as numbers).
#include "fused/fuse.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "ops/compose.h"
#include "ops/evaluate.h"
#include "ops/primitives.h"

namespace attend::bench {
namespace {

constexpr std::size_t width = 64;
constexpr double reach = 64;  // of the window, and the size of the blocks

std::vector<real> numbers(std::size_t count, unsigned state) {
  std::vector<real> x(count);
  for (real& v : x) {
    state = state * 1664525U + 1013904223U;
    v = static_cast<real>(state >> 8) / static_cast<real>(1U << 24) - real(0.5);
  }
  return x;
}

struct Work {
  Graph graph;
  std::map<NodeId, std::vector<real>> data;
  Var context;

  Work(std::size_t n, std::size_t heads, const std::string& kind) {
    unsigned seed = 1;
    const auto leaf = [&](const char* name) {
      const Var var = graph.leaf({heads, n, width}, name);
      data[var.id()] = numbers(heads * n * width, seed++);
      return var;
    };
    const Var q = leaf("q"), k = leaf("k"), v = leaf("v");
    const Var scores = matmul(q, k, false, true) * (1 / std::sqrt(static_cast<double>(width)));
    context = matmul(softmax(scores, mask(n, kind)), v);
  }

  Var mask(std::size_t n, const std::string& kind) {
    const Var row = iota(graph, n, 2), column = iota(graph, n);
    const Var blocks = equal(floor(row / reach), floor(column / reach));
    if (kind == "all") return {};
    if (kind == "causal") return greater(row + 1, column);
    if (kind == "window") return greater(scalar(row, reach), absolute(row - column));
    if (kind == "blocks") return blocks;
    if (kind != "mask") throw std::runtime_error("no kind of mask is called " + kind);
    const Var given = graph.leaf({n, n}, "mask");
    const Values values = evaluate(graph, {blocks}, {});
    data[given.id()].assign(values[blocks.id()].begin(), values[blocks.id()].end());
    return given;
  }

  std::vector<real> run(double& milliseconds) {
    const auto start = std::chrono::steady_clock::now();
    const Values values =
        evaluate(graph, {context}, [&](NodeId id) -> std::vector<real> { return data.at(id); });
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    milliseconds = std::min(milliseconds, taken.count());
    return {values[context.id()].begin(), values[context.id()].end()};
  }
};

int measure(const std::vector<std::string>& words) {
  if (words.size() != 5) throw std::runtime_error("five arguments, see bench/fuse.cpp");
  Work plain(std::stoul(words[0]), std::stoul(words[1]), words[2]);
  Work fused(std::stoul(words[0]), std::stoul(words[1]), words[2]);
  if (fused::fuse(fused.graph, {fused.context}, 0) != 1) throw std::runtime_error("nothing fused");
  std::vector<real> expected, found;
  for (unsigned long round = 0; round < std::stoul(words[3]); ++round) {
    double graph = 1e30, node = 1e30;
    const auto until = std::chrono::steady_clock::now() +
                       std::chrono::duration<double, std::milli>(std::stod(words[4]));
    do {
      expected = plain.run(graph);
      found = fused.run(node);
    } while (std::chrono::steady_clock::now() < until);
    std::printf("%.6f %.6f\n", graph, node);
  }
  double apart = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    apart = std::max(apart, std::abs(static_cast<double>(found[i]) - expected[i]));
  }
  std::printf("%g\n", apart);
  return 0;
}

}  // namespace
}  // namespace attend::bench

int main(int count, char** words) {
  try {
    return attend::bench::measure({words + 1, words + count});
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
