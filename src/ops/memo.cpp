// SPDX-License-Identifier: Apache-2.0
#include "ops/memo.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ops/scan.h"

namespace attend {
namespace {

template <class Plain>
void append(std::string& text, const Plain& value) {
  const std::size_t at = text.size();
  text.resize(at + sizeof value);
  std::memcpy(&text[at], &value, sizeof value);
}

// Every list is preceded by its length, so that no two descriptions run into each other.
void append_list(std::string& text, const auto& list) {
  append(text, list.size());
  for (const auto& item : list) append(text, item);
}

}  // namespace

void Memo::look_at(const Graph& graph, const Describe& describe_leaf) {
  std::map<std::string, std::uint64_t> identity;
  of_node_.clear();
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    std::string description;
    append(description, reinterpret_cast<std::uintptr_t>(node.primitive));
    append_list(description, node.shape);
    if (node.primitive == nullptr) {
      description += describe_leaf(id);
    } else {
      append_list(description, node.attributes.integers);
      append(description, node.attributes.number);
      if (node.attributes.body != nullptr) description += node.attributes.body->signature;
      for (const NodeId input : node.inputs) append(description, of_node_[input]);
    }
    const auto before = identity_.find(description);
    const std::uint64_t fresh = before != identity_.end() ? before->second : next_++;
    of_node_.push_back(identity.emplace(std::move(description), fresh).first->second);
  }
  identity_ = std::move(identity);
  forget_others();
}

Numbers Memo::find(NodeId node) const {
  const auto found = known_.find(of_node_[node]);
  return found == known_.end() ? nullptr : found->second;
}

void Memo::remember(NodeId node, const Numbers& numbers) {
  known_.insert_or_assign(of_node_[node], numbers);
}

void Memo::forget_others() {
  std::map<std::uint64_t, Numbers> kept;
  for (const std::uint64_t identity : of_node_) {
    if (auto found = known_.extract(identity)) kept.insert(std::move(found));
  }
  std::swap(known_, kept);
  for (auto& entry : kept) recycle(std::move(entry.second));
}

Numbers Memo::room(std::size_t size) {
  auto found = spare_.extract(size);
  if (!found) return std::make_shared<std::vector<real>>(size);
  std::fill(found.mapped()->begin(), found.mapped()->end(), real(0));
  return std::move(found.mapped());
}

void Memo::recycle(Numbers numbers) {
  if (numbers != nullptr && numbers.use_count() == 1)
    spare_.emplace(numbers->size(), std::move(numbers));
}

void Memo::settle() {
  spare_.clear();
  std::size_t bytes = 0;
  for (const auto& [identity, numbers] : known_) bytes += numbers->size() * sizeof(real);
  if (bytes > max_bytes) known_.clear();
}

}  // namespace attend
