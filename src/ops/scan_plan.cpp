// SPDX-License-Identifier: Apache-2.0
// How the step of a scan is evaluated, and where its results go: settled once.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "ops/cost.h"
#include "ops/scan.h"
#include "ops/views.h"

namespace attend {
namespace {

std::vector<bool> needed_nodes(const ScanBody& body) {
  std::vector<bool> needed(body.graph->size(), false);
  for (const NodeId id : body.next) needed[id] = true;
  for (const NodeId id : body.outputs) needed[id] = true;
  for (NodeId id = static_cast<NodeId>(needed.size()); id-- > 0;) {
    if (!needed[id]) continue;
    for (const NodeId input : (*body.graph)[id].inputs) needed[input] = true;
  }
  return needed;
}

// What changes from step to step.
std::vector<bool> changing_nodes(const ScanBody& body) {
  std::vector<bool> changing(body.graph->size(), false);
  for (const NodeId id : body.states) changing[id] = true;
  for (const NodeId id : body.rows) changing[id] = true;
  for (NodeId id = 0; id < changing.size(); ++id) {
    for (const NodeId input : (*body.graph)[id].inputs) {
      if (changing[input]) changing[id] = true;
    }
  }
  return changing;
}

// What 32 bits cannot count is the most that they can, which is refused where it would be allocated.
std::size_t capped(std::uint64_t count) {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(count, std::numeric_limits<std::size_t>::max()));
}

// Hands out room for numbers, and takes it back for others of the same size.
class StepRoom {
 public:
  std::size_t take(std::size_t size) {
    const auto spare = spare_.find(size);
    if (spare == spare_.end()) {
      const auto at = static_cast<std::size_t>(total_);
      total_ += size;
      return at;
    }
    const std::size_t at = spare->second;
    spare_.erase(spare);
    return at;
  }
  void give_back(std::size_t size, std::size_t at) { spare_.emplace(size, at); }
  [[nodiscard]] std::size_t total() const { return capped(total_); }

 private:
  std::multimap<std::size_t, std::size_t> spare_;
  std::uint64_t total_ = 0;
};

ScanPlan plan_of(const ScanBody& body) {
  const Graph& graph = *body.graph;
  const std::vector<bool> needed = needed_nodes(body), changing = changing_nodes(body);
  ScanPlan plan;
  plan.place.assign(graph.size(), 0);
  plan.view.assign(graph.size(), std::nullopt);
  std::vector<NodeId> last_use(graph.size(), 0), home(graph.size(), 0);
  for (NodeId id = 0; id < graph.size(); ++id) {
    home[id] = id;
    if (!needed[id] || graph[id].primitive == nullptr) continue;
    (changing[id] ? plan.each : plan.once).push_back(id);
    for (const NodeId input : graph[id].inputs) last_use[home[input]] = id;
    plan.view[id] = view_of(graph, id);
    if (plan.view[id]) home[id] = home[graph[id].inputs[0]];
  }
  // Results of the body stay to the end of the step.
  for (const NodeId id : body.next) last_use[home[id]] = static_cast<NodeId>(graph.size());
  for (const NodeId id : body.outputs) last_use[home[id]] = static_cast<NodeId>(graph.size());
  std::vector<bool> direct(graph.size(), false);
  const auto add_result = [&](NodeId id) {
    const bool here =
        changing[id] && graph[id].primitive != nullptr && !plan.view[id] && !direct[id];
    if (here) direct[id] = true;
    plan.results.push_back({id, plan.results.size(), here});
  };
  for (const NodeId id : body.next) add_result(id);
  for (const NodeId id : body.outputs) add_result(id);
  const auto size_of = [&](NodeId id) { return element_count(graph[id].shape); };
  StepRoom room;
  for (const NodeId id : plan.once) {
    if (!plan.view[id]) plan.place[id] = room.take(size_of(id));
  }
  for (const NodeId id : plan.each) {
    if (!direct[id] && !plan.view[id]) plan.place[id] = room.take(size_of(id));
    std::vector<NodeId> inputs = graph[id].inputs;
    for (NodeId& input : inputs) input = home[input];
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    for (const NodeId input : inputs) {
      const bool own = graph[input].primitive != nullptr && changing[input] && !direct[input];
      if (own && last_use[input] == id) room.give_back(size_of(input), plan.place[input]);
    }
  }
  plan.workspace = room.total();
  return plan;
}

}  // namespace

namespace {

// What each part computes once is little beside its steps.
std::size_t steps_in_part(const ScanBody& body) {
  constexpr std::uint64_t most = std::uint64_t{1} << 25U;
  if (body.count < 2) return 1;
  const auto operations = [&](const std::vector<NodeId>& nodes) {
    Cost sum;
    for (const NodeId id : nodes) sum += cost_of(*body.graph, id);
    return sum.multiply_adds + 20 * sum.exponentials + 1;
  };
  const std::uint64_t once = operations(body.plan.once), each = operations(body.plan.each);
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(std::max(most, 8 * once) / each, 1, body.count));
}

}  // namespace

std::shared_ptr<const ScanBody> finished(ScanBody body) {
  const auto add_part = [&](NodeId id, bool timed, std::size_t times) {
    Shape shape = (*body.graph)[id].shape;
    if (timed) shape.insert(shape.begin(), times);
    body.parts.push_back({body.size, shape});
    body.size = capped(std::uint64_t{body.size} + element_count(shape));
  };
  body.parts.clear();
  body.size = 0;
  for (const NodeId id : body.states) add_part(id, body.keeps, body.count + 1);
  for (const NodeId id : body.outputs) add_part(id, true, body.count);
  body.plan = plan_of(body);
  body.plan.steps_in_part = steps_in_part(body);
  return std::make_shared<const ScanBody>(std::move(body));
}

}  // namespace attend
