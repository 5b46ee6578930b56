// SPDX-License-Identifier: Apache-2.0
#include "experiment/work_limit.h"

#include <algorithm>
#include <string>

#include "experiment/run.h"
#include "ops/cost.h"
#include "ops/scan.h"

namespace attend {
namespace {

// How often a primitive is called: a scan calls those of its step for every row.
double calls_of(const Graph& graph, const std::vector<bool>& needed) {
  double calls = 0;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!needed[id] || graph[id].leaf) continue;
    const auto& body = graph[id].attributes.body;
    calls += body == nullptr
                 ? 1
                 : static_cast<double>(body->count) * static_cast<double>(body->plan.each.size());
  }
  return calls;
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

void check_work(const Program& program, const Plan& plan) {
  const double seconds =
      seconds_for(cost_of(program.graph(), plan.needed), calls_of(program.graph(), plan.needed));
  if (seconds <= max_seconds) return;
  refuse("/mechanism",
         "this experiment would compute for about " +
             std::to_string(static_cast<std::uint64_t>(std::min(seconds, 1e9))) +
             " seconds, more than the " + std::to_string(static_cast<int>(max_seconds)) +
             " allowed; use fewer tokens, iterations, steps or heads, or smaller widths");
}

}  // namespace attend
