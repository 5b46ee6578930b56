// SPDX-License-Identifier: Apache-2.0
#include "ops/workspace.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ops/error.h"
#include "ops/weight_store.h"

namespace attend {
namespace {

constexpr std::size_t cache_line = 64;

// Reads an operand's numbers where they lie: no work of its own.
bool is_view(const Graph& graph, const Plan& plan, NodeId id) {
  return plan.home[id] != id && !graph[id].primitive->in_place;
}

// The first whole cache line of a block.
real* aligned(std::byte* block, std::size_t bytes) {
  void* place = block;
  std::size_t space = bytes + cache_line;
  return static_cast<real*>(std::align(cache_line, bytes, place, space));
}

}  // namespace

Workspace::Workspace(const Graph& graph, const Plan& plan)
    : graph_(graph),
      needed_(plan.needed),
      kept_(plan.kept),
      home_(plan.home),
      offset_(plan.offset),
      place_(plan.needed.size(), nullptr),
      count_(static_cast<std::size_t>(plan.numbers)),
      block_(std::make_unique_for_overwrite<std::byte[]>(bytes() + cache_line)),
      first_(aligned(block_.get(), bytes())),
      changed_(plan.needed.size(), true),
      missing_(plan.needed.size(), true),
      latest_(plan.needed.size(), 0) {
  prepare(plan);
}

Workspace::Workspace(std::shared_ptr<const Graph> graph, const Plan& plan)
    : Workspace(*graph, plan) {
  holder_ = std::move(graph);
}

void Workspace::prepare(const Plan& plan) {
  for (NodeId id = 0; id < needed_.size(); ++id) {
    if (!needed_[id]) continue;
    if (graph_[id].leaf)
      prepare_leaf(id);
    else if (is_view(graph_, plan, id))
      place_[id] = place_[home_[id]] == nullptr
                       ? nullptr
                       : place_[home_[id]] + (offset_[id] - offset_[home_[id]]);
    else
      prepare_step(id, plan.terms);
  }
  for (auto* const list : {&written_, &written_before_}) list->reserve(leaves_.size());
}

void Workspace::prepare_leaf(NodeId leaf) {
  const Node& node = graph_[leaf];
  leaves_.push_back(leaf);
  if (node.stored.tensor != nullptr) {
    if (is_read_converted(leaf)) place_[leaf] = converted(leaf);
    return;
  }
  if (node.numbers != nullptr) {
    place_[leaf] = node.numbers;
    return;
  }
  real* const place = first_ + offset_[leaf];
  place_[leaf] = place;
  const auto number = static_cast<real>(node.primitive == nullptr ? 0 : node.attributes.number);
  std::fill_n(place, element_count(node.shape), number);
}

void Workspace::prepare_step(NodeId id, kernels::Terms terms) {
  const Node& node = graph_[id];
  real* const place = first_ + offset_[id];
  place_[id] = place;
  Step& step = steps_.emplace_back(Step{id, node.primitive->forward, Forward{node, {}, {}, place}});
  step.forward.terms = terms;
  step.forward.in.reserve(node.inputs.size());
  step.forward.in_shapes.reserve(node.inputs.size());
  for (const NodeId input : node.inputs) {
    step.forward.in.push_back(place_[input]);
    step.forward.in_shapes.push_back(&graph_[input].shape);
    if (place_[input] == nullptr) step.forward.stored = stored(input);
  }
  if (node.primitive->parts != nullptr)
    step.parts = node.primitive->parts({node, step.forward.in_shapes});
}

// Whether some step cannot read a leaf, or a view of it, as its file has it.
bool Workspace::is_read_converted(NodeId leaf) const {
  for (NodeId id = leaf + 1; id < needed_.size(); ++id) {
    const Node& node = graph_[id];
    if (!needed_[id] || node.leaf || (home_[id] != id && !node.primitive->in_place)) continue;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const NodeId input = node.inputs[k];
      if (home_[input] != leaf) continue;
      if (k != 1 || node.primitive->reads_stored == nullptr ||
          !node.primitive->reads_stored(graph_[input].shape, stored(input)))
        return true;
    }
  }
  return false;
}

const real* Workspace::converted(NodeId leaf) const {
  std::shared_ptr<const real>& numbers = converted_[leaf];
  const StoredNumbers& stored = graph_[leaf].stored;
  if (numbers == nullptr) numbers = stored.tensor->numbers();
  return numbers.get() + stored.first;
}

StoredNumbers Workspace::stored(NodeId node) const {
  if (node >= needed_.size() || !needed_[node] || place_[node] != nullptr) return {};
  const StoredNumbers& whole = graph_[home_[node]].stored;
  return {whole.tensor, whole.first + offset_[node] - offset_[home_[node]]};
}

// Whoever reads the leaf, by itself or by a view of it, reads the copy from now on.
void Workspace::move_here(NodeId leaf) {
  const std::size_t count = element_count(graph_[leaf].shape);
  std::unique_ptr<real[]>& room = moved_[leaf];
  room = std::make_unique_for_overwrite<real[]>(count);
  if (place_[leaf] == nullptr)
    graph_[leaf].stored.tensor->read(graph_[leaf].stored.first, {room.get(), count});
  else
    std::copy_n(place_[leaf], count, room.get());
  for (NodeId id = 0; id < needed_.size(); ++id) {
    if (needed_[id] && home_[id] == leaf) place_[id] = room.get() + (offset_[id] - offset_[leaf]);
  }
  for (Step& step : steps_) {
    const std::vector<NodeId>& inputs = graph_[step.node].inputs;
    for (std::size_t k = 0; k < inputs.size(); ++k) step.forward.in[k] = place_[inputs[k]];
  }
}

std::span<real> Workspace::write(NodeId leaf) {
  if (leaf >= needed_.size() || !needed_[leaf]) return {};
  if (!changed_[leaf]) written_.push_back(leaf);
  changed_[leaf] = true;
  under_way_ = false;
  const std::size_t count = element_count(graph_[leaf].shape);
  if (!graph_[leaf].lies_elsewhere()) return {first_ + offset_[leaf], count};
  if (!moved_.contains(leaf)) move_here(leaf);
  return {moved_[leaf].get(), count};
}

void Workspace::set(NodeId leaf, Numbers numbers) {
  if (leaf >= needed_.size() || !needed_[leaf]) return;
  const std::size_t count = element_count(graph_[leaf].shape);
  if (numbers.size() != count) {
    refuse("a leaf of " + std::to_string(count) + " numbers was given " +
           std::to_string(numbers.size()));
  }
  if (count == 0) return;  // memcmp wants an address, which no numbers have
  const real* const now = place_[leaf] == nullptr ? converted(leaf) : place_[leaf];
  if (std::memcmp(numbers.data(), now, numbers.size_bytes()) == 0) return;
  const std::span<real> place = write(leaf);
  std::copy(numbers.begin(), numbers.end(), place.begin());
}

void Workspace::mark_what_changed() {
  for (NodeId id = 0; id < needed_.size(); ++id) {
    if (!needed_[id] || graph_[id].leaf) continue;
    const auto& inputs = graph_[id].inputs;
    changed_[id] =
        std::any_of(inputs.begin(), inputs.end(), [&](NodeId in) { return changed_[in]; });
  }
}

// From the last node back: what is kept and did not change is there; all else that something reads
// has to be computed, for its memory may have served others since.
void Workspace::mark_what_that_needs() {
  for (NodeId id = 0; id < needed_.size(); ++id)
    missing_[id] = needed_[id] && kept_[id] && changed_[id];
  for (NodeId id = static_cast<NodeId>(needed_.size()); id-- > 0;) {
    if (!missing_[id] || graph_[id].leaf) continue;
    for (const NodeId input : graph_[id].inputs) {
      if (!kept_[input] || changed_[input]) missing_[input] = true;
    }
  }
}

void Workspace::begin(Progress* progress) {
  if (!whole_) {
    missing_ = needed_;
    marked_ = false;
  } else if (!marked_ || written_ != written_before_) {
    mark_what_changed();
    mark_what_that_needs();
    marked_ = true;
  }
  if (progress != nullptr) {
    progress->begin();
    for (const Step& step : steps_) {
      if (missing_[step.node]) progress->expect(step.node);
    }
  }
  next_ = part_ = computed_ = 0;
}

void Workspace::end() {
  ++evaluations_;
  for (NodeId id = 0; id < latest_.size(); ++id) {
    if (needed_[id] && (changed_[id] || !whole_)) latest_[id] = evaluations_;
  }
  for (const NodeId leaf : leaves_) changed_[leaf] = false;
  written_.swap(written_before_);
  written_.clear();
  whole_ = true;
}

void Workspace::evaluate(Progress* progress) {
  (void)evaluate_some([] { return false; }, progress);
}

// A leaf that is written in the middle stays marked until an evaluation is done: what was computed from its last
// numbers is computed again, and what is kept and depends on no such leaf was not touched.
bool Workspace::evaluate_some(const std::function<bool()>& enough, Progress* progress) {
  if (!under_way_) begin(progress);
  under_way_ = false;  // a step may refuse its numbers
  const bool whole = std::exchange(whole_, false);
  for (bool first = true; next_ < steps_.size(); ++next_) {
    Step& step = steps_[next_];
    if (!missing_[step.node]) continue;
    step.forward.progress = progress;
    step.forward.kept = &step.kept;
    for (; part_ < step.parts; ++part_) {
      if (!first && enough()) {
        whole_ = whole;
        under_way_ = true;
        return false;
      }
      first = false;
      step.forward.part = part_;
      step.run(step.forward);
    }
    part_ = 0;
    if (progress != nullptr) progress->finish(step.node);
    ++computed_;
  }
  whole_ = whole;
  end();
  return true;
}

Numbers Workspace::operator[](NodeId node) const {
  if (!holds(node)) return {};
  const NodeId home = home_[node];
  const real* const place =
      place_[node] != nullptr ? place_[node] : converted(home) + (offset_[node] - offset_[home]);
  return {place, element_count(graph_[node].shape)};
}

Values Workspace::values(std::shared_ptr<const void> holder) const {
  std::vector<Numbers> list(needed_.size());
  for (NodeId id = 0; id < list.size(); ++id) {
    if (holds(id) && place_[id] != nullptr) list[id] = (*this)[id];
  }
  return {std::move(list), std::move(holder), [this](NodeId node) { return (*this)[node]; }};
}

}  // namespace attend
