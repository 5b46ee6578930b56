// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/work_limit.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "experiment/running/run.h"
#include "ops/cost.h"
#include "ops/module_places.h"
#include "ops/scan.h"

namespace attend {
namespace {

// How often a primitive is called: a scan calls those of its step for every row.
double calls_of(const Node& node) {
  const auto& body = node.attributes.body;
  if (body == nullptr) return 1;
  return static_cast<double>(body->count) * static_cast<double>(body->plan.each.size());
}

// Bytes in a second: what the steps of a scan write stays in the cache if they always write to the same small memory.
double bytes_a_second(const Node& node) {
  constexpr std::size_t cache = std::size_t{16} << 20U;
  const auto& body = node.attributes.body;
  const bool stays = body != nullptr && body->plan.workspace * sizeof(real) <= cache;
  return stays ? 4e10 : 1e10;
}

// An estimate for one thread: 5 thousand million operations a second, a multiplication and an
// addition being two, an exponential some ten; meanwhile the numbers come from memory; and half a
// microsecond for every call, which is what small steps take.
double seconds_for(const Node& node, const Cost& cost) {
  const double arithmetic =
      static_cast<double>(cost.multiply_adds - cost.rare_multiply_adds) / 2.5e9 +
      static_cast<double>(cost.exponentials - cost.rare_exponentials) / 5e8;
  return std::max(arithmetic, static_cast<double>(cost.bytes) / bytes_a_second(node)) +
         calls_of(node) * 0.5e-6;
}

}  // namespace

std::vector<double> seconds_by_node(const Graph& graph, const std::vector<bool>& needed) {
  std::vector<double> seconds(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (needed[id] && !graph[id].leaf) seconds[id] = seconds_for(graph[id], cost_of(graph, id));
  }
  return seconds;
}

namespace {

// A node of the module that most of the time goes to.
const Node& slowest(const Graph& graph, const std::vector<double>& by_node) {
  std::map<std::uint32_t, std::pair<double, const Node*>> by_module;
  const auto add = [&](const Node& node, double seconds) {
    auto& [sum, one] = by_module[node.module];
    sum += seconds;
    one = &node;
  };
  for (NodeId id = 0; id < by_node.size(); ++id) {
    const auto& body = graph[id].attributes.body;
    // What a step of a scan computes is most often that of another module than the scan's own.
    const std::size_t parts = body == nullptr ? 0 : body->plan.each.size();
    if (parts == 0) add(graph[id], by_node[id]);
    for (std::size_t k = 0; k < parts; ++k)
      add((*body->graph)[body->plan.each[k]], by_node[id] / static_cast<double>(parts));
  }
  return *std::max_element(by_module.begin(), by_module.end(), [](auto& a, auto& b) {
            return a.second.first < b.second.first;
          })->second.second;
}

}  // namespace

void check_work(const Program& program, const Plan& plan) {
  const std::vector<double> by_node = seconds_by_node(program.graph(), plan.needed);
  const double seconds = std::accumulate(by_node.begin(), by_node.end(), 0.0);
  if (seconds <= max_seconds) return;
  refuse_numbers(slowest(program.graph(), by_node),
                 "this experiment would compute for about " +
                     std::to_string(static_cast<std::uint64_t>(std::min(seconds, 1e9))) +
                     " seconds, more than the " + std::to_string(static_cast<int>(max_seconds)) +
                     " allowed; use fewer tokens, iterations, steps or heads, or smaller widths");
}

}  // namespace attend
