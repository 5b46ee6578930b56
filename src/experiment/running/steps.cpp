// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/steps.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ops/needed.h"
#include "ops/plan.h"
#include "ops/scan.h"

namespace attend {
namespace {

// Whose steps are on the way to what is wanted. Those of a scan that are no results of it are
// computed apart, from a second scan with the same body (ops/scan.h).
std::set<const Graph*> needed_bodies(const Graph& graph, const Plan& plan) {
  std::set<const Graph*> bodies;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const auto& body = graph[id].attributes.body;
    if (plan.needed[id] && body != nullptr) bodies.insert(body->graph.get());
  }
  return bodies;
}

// A scan hands out its states first, whatever was computed on the way to them. A reader follows the order within one
// step; `order` has for each of the tensors the scan's body, null outside of one, and the place in it.
void in_order_of_computation(std::vector<KnownTensor>& steps,
                             const std::vector<std::pair<const Graph*, NodeId>>& order) {
  std::map<const Graph*, std::size_t> first;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (order[i].first != nullptr) first.emplace(order[i].first, i);
  }
  std::vector<std::size_t> places(steps.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    const auto [body, inner] = order[i];
    return body == nullptr ? std::pair(i, NodeId{0}) : std::pair(first.at(body), inner);
  };
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<KnownTensor> sorted;
  sorted.reserve(steps.size());
  for (const std::size_t i : places) sorted.push_back(std::move(steps[i]));
  steps = std::move(sorted);
}

}  // namespace

std::vector<KnownTensor> steps_of(const Compiled& compiled, const std::vector<Var>& wanted,
                                  Detail detail) {
  std::vector<KnownTensor> steps;
  const Plan plan = attend::plan(compiled.graph(), wanted);
  const std::set<const Graph*> bodies = needed_bodies(compiled.graph(), plan);
  std::vector<std::pair<const Graph*, NodeId>> order;
  for (const KnownTensor& step : compiled.directory().of(TensorGroup::steps)) {
    const auto inside = step_behind(compiled.graph(), step.node);
    const bool needed =
        plan.needed[step.node] || (inside && bodies.contains(inside->body->graph.get()));
    const bool large = element_count(compiled.shape_of(step.node)) > max_unasked_numbers;
    if (!needed || (detail == Detail::everything && large)) continue;
    steps.push_back(step);
    order.emplace_back(inside ? inside->body->graph.get() : nullptr, inside ? inside->inner : 0);
  }
  in_order_of_computation(steps, order);
  return steps;
}

}  // namespace attend
