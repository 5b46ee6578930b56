// SPDX-License-Identifier: Apache-2.0
#include "ops/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ops/scan.h"
#include "ops/views.h"

namespace attend {
namespace {

constexpr std::size_t line = 64 / sizeof(real);  // every tensor begins on a cache line

std::uint64_t rounded(std::uint64_t count) { return (count + line - 1) / line * line; }

// Memory handed out and taken back: of the gaps that are large enough the smallest is used. What no
// machine of 32 bits could hold is counted all the same, so that it is refused.
class Room {
 public:
  std::uint64_t take(std::uint64_t size) {
    const auto gap = by_size_.lower_bound({size, 0});
    if (gap == by_size_.end()) {
      end_ += size;
      return end_ - size;
    }
    const auto [length, at] = *gap;
    remove(at, length);
    if (length > size) insert(at + size, length - size);
    return at;
  }

  void give(std::uint64_t at, std::uint64_t size) {
    if (size == 0) return;
    const auto after = by_place_.find(at + size);
    if (after != by_place_.end()) {
      size += after->second;
      remove(after->first, after->second);
    }
    const auto next = by_place_.lower_bound(at);
    if (next != by_place_.begin()) {
      const auto [place, length] = *std::prev(next);
      if (place + length == at) {
        remove(place, length);
        at = place;
        size += length;
      }
    }
    insert(at, size);
  }

  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  void insert(std::uint64_t at, std::uint64_t size) {
    by_place_[at] = size;
    by_size_.emplace(size, at);
  }
  void remove(std::uint64_t at, std::uint64_t size) {
    by_place_.erase(at);
    by_size_.erase({size, at});
  }

  std::map<std::uint64_t, std::uint64_t> by_place_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
  std::uint64_t end_ = 0;
};

// Marks what is computed, and gives each view its home.
void find_needed(const Graph& graph, const std::vector<Var>& wanted, Plan& plan) {
  for (const Var& v : wanted) plan.needed[v.id()] = plan.kept[v.id()] = true;
  for (NodeId id = static_cast<NodeId>(graph.size()); id-- > 0;) {
    if (!plan.needed[id] || graph[id].leaf) continue;
    for (const NodeId input : graph[id].inputs) plan.needed[input] = true;
  }
  for (NodeId id = 0; id < graph.size(); ++id) {
    plan.home[id] = id;
    const std::optional<std::size_t> at = plan.needed[id] ? view_of(graph, id) : std::nullopt;
    if (!at) continue;
    const NodeId first = graph[id].inputs[0];
    plan.home[id] = plan.home[first];
    plan.offset[id] = plan.offset[first] + *at;  // within its home, for now
    if (plan.kept[id]) plan.kept[plan.home[id]] = true;
  }
}

// What the steps of a scan take, with those of a scan within a step.
std::uint64_t hidden_in(const ScanBody& body) {
  std::uint64_t inner = 0;
  for (NodeId id = 0; id < body.graph->size(); ++id) {
    const auto& within = (*body.graph)[id].attributes.body;
    if (within != nullptr) inner = std::max(inner, hidden_in(*within));
  }
  return body.plan.workspace + inner;
}

std::vector<NodeId> last_uses(const Graph& graph, const Plan& plan) {
  std::vector<NodeId> last(graph.size(), 0);
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!plan.needed[id]) continue;
    last[plan.home[id]] = id;
    if (graph[id].leaf) continue;
    for (const NodeId input : graph[id].inputs) last[plan.home[input]] = id;
  }
  return last;
}

}  // namespace

Plan plan(const Graph& graph, const std::vector<Var>& wanted, Keep keep) {
  const std::size_t count = graph.size();
  Plan plan{std::vector<bool>(count, false),
            std::vector<bool>(count, false),
            std::vector<NodeId>(count, 0),
            std::vector<std::size_t>(count, 0),
            0,
            0,
            0};
  find_needed(graph, wanted, plan);
  for (NodeId id = 0; id < count; ++id) {
    const bool stays = keep == Keep::all || graph[id].leaf || plan.kept[plan.home[id]];
    plan.kept[id] = plan.needed[id] && stays;
  }
  const std::vector<NodeId> last = last_uses(graph, plan);
  Room room;
  std::uint64_t held = 0;
  const auto bytes_of = [&](NodeId id) {
    return std::uint64_t{element_count(graph[id].shape)} * sizeof(real);
  };
  const auto take = [&](NodeId id) {
    plan.offset[id] = static_cast<std::size_t>(room.take(rounded(element_count(graph[id].shape))));
    held += bytes_of(id);
    plan.peak_bytes = std::max(plan.peak_bytes, held);
  };
  // Kept nodes come first and share their memory with no other node, because a recomputed value may
  // have a smaller id than its reader.
  for (NodeId id = 0; id < count; ++id) {
    if (plan.kept[id] && plan.home[id] == id && !graph[id].lies_elsewhere()) take(id);
  }
  for (NodeId id = 0; id < count; ++id) {
    if (!plan.needed[id] || graph[id].leaf) continue;
    if (plan.home[id] == id) {
      if (!plan.kept[id]) take(id);
    } else {
      plan.offset[id] += plan.offset[plan.home[id]];
    }
    std::vector<NodeId> over = graph[id].inputs;
    over.push_back(id);
    for (NodeId& node : over) node = plan.home[node];
    std::sort(over.begin(), over.end());
    over.erase(std::unique(over.begin(), over.end()), over.end());
    for (const NodeId node : over) {
      if (last[node] != id || plan.kept[node]) continue;
      room.give(plan.offset[node], rounded(element_count(graph[node].shape)));
      held -= bytes_of(node);
    }
  }
  plan.numbers = room.end();
  for (NodeId id = 0; id < count; ++id) {
    const auto& body = graph[id].attributes.body;
    if (plan.needed[id] && body != nullptr) plan.hidden = std::max(plan.hidden, hidden_in(*body));
  }
  return plan;
}

}  // namespace attend
