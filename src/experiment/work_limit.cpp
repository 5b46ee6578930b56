// SPDX-License-Identifier: Apache-2.0
#include "experiment/work_limit.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "experiment/run.h"
#include "ops/cost.h"
#include "ops/scan.h"

namespace attend {
namespace {

// How often a primitive is called: a scan calls those of its step for every row.
double calls_of(const Node& node) {
  const auto& body = node.attributes.body;
  if (body == nullptr) return 1;
  return static_cast<double>(body->count) * static_cast<double>(body->plan.each.size());
}

// An estimate for one thread: 5 thousand million operations a second, a multiplication and an
// addition being two, an exponential some twenty, and 10 GB a second from memory; and half a
// microsecond for every call, which is what small steps take.
double seconds_for(const Cost& cost, double calls) {
  return static_cast<double>(cost.multiply_adds) / 2.5e9 +
         static_cast<double>(cost.exponentials) / 2.5e8 + static_cast<double>(cost.bytes) / 1e10 +
         calls * 0.5e-6;
}

}  // namespace

std::vector<double> seconds_by_node(const Graph& graph, const std::vector<bool>& needed) {
  std::vector<double> seconds(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (needed[id] && !graph[id].leaf)
      seconds[id] = seconds_for(cost_of(graph, id), calls_of(graph[id]));
  }
  return seconds;
}

void check_work(const Program& program, const Plan& plan) {
  const std::vector<double> by_node = seconds_by_node(program.graph(), plan.needed);
  const double seconds = std::accumulate(by_node.begin(), by_node.end(), 0.0);
  if (seconds <= max_seconds) return;
  refuse("/mechanism",
         "this experiment would compute for about " +
             std::to_string(static_cast<std::uint64_t>(std::min(seconds, 1e9))) +
             " seconds, more than the " + std::to_string(static_cast<int>(max_seconds)) +
             " allowed; use fewer tokens, iterations, steps or heads, or smaller widths");
}

}  // namespace attend
