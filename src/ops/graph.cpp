// SPDX-License-Identifier: Apache-2.0
#include "ops/graph.h"

#include <utility>

#include "ops/error.h"
#include "ops/primitive.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/recording.h"
#include "ops/too_large.h"

namespace attend {

std::size_t Var::extent(long axis) const { return shape()[axis_index(axis, rank())]; }

Var Graph::add(Node node) {
  if (nodes_.size() >= max_nodes) {
    throw TooManyOperations("this experiment needs more than " + std::to_string(max_nodes) +
                            " operations; use fewer tokens, steps or iterations");
  }
  if (node.shape.size() > max_rank) {
    refuse("a tensor has " + std::to_string(node.shape.size()) + " axes; at most " +
           std::to_string(max_rank) + " are possible");
  }
  element_count(node.shape);  // refuses tensors beyond max_elements
  node.graph = this;
  node.id = static_cast<NodeId>(nodes_.size());
  return Var(nodes_.emplace_back(std::move(node)));
}

Var Graph::leaf(Shape shape, std::string name) {
  Node node;
  node.shape = std::move(shape);
  node.name = std::move(name);
  node.leaf = true;
  node.module = module;
  return heard_leaf(add(std::move(node)));
}

Var Graph::number_leaf(Shape shape, double number) {
  Node node;
  node.primitive = &primitives::fill;
  node.attributes = {{shape.begin(), shape.end()}, number};
  node.shape = std::move(shape);
  node.leaf = true;
  node.module = module;
  return add(std::move(node));
}

void Graph::lay(Var leaf, std::shared_ptr<const real> numbers) {
  nodes_[leaf.id()].numbers = numbers.get();
  held_.push_back(std::move(numbers));
}

void Graph::lay(Var leaf, std::shared_ptr<const WeightTensor> tensor, std::size_t first) {
  nodes_[leaf.id()].stored = {tensor.get(), first};
  held_.push_back(std::move(tensor));
}

std::unique_ptr<Graph> Graph::copy() const {
  auto result = std::make_unique<Graph>();
  result->hold_with(*this);
  for (const Node& node : nodes_) result->nodes_.emplace_back(node).graph = result.get();
  return result;
}

Var Graph::adopt(const Node& node, std::vector<NodeId> inputs) {
  Node own = node;
  own.inputs = std::move(inputs);
  own.intent = nullptr;
  return add(std::move(own));
}

Graph::Graph(Graph& outer)
    : step_suffix(outer.step_suffix),
      module(outer.module),
      outer_(&outer),
      depth_(outer.depth_ + 1) {}

void Graph::end() {
  inner_->outer_ = nullptr;
  inner_ = nullptr;
}

Var Graph::here(Var var) {
  if (&var.graph() == this) return stood_in(var);
  if (outer_ == nullptr) refuse("a tensor of a scan's step is read outside of the scan");
  const Var near = outer_->here(var);
  const auto known = leaf_of_.find(near.id());
  if (known != leaf_of_.end()) return this->var(known->second);
  // The leaf depends on who reads the tensor first, and not on the build: no listener hears it.
  const RecordingListener::Silence silence;
  const Var inside = leaf(near.shape(), near.node().name);
  captured_.push_back({near.id(), inside.id()});
  leaf_of_[near.id()] = inside.id();
  return inside;
}

Var Graph::record(const Primitive& primitive, const std::vector<Var>& inputs,
                  Attributes attributes) {
  Graph* innermost = inputs.empty() ? this : &inputs[0].graph();
  for (const Var& input : inputs) {
    if (input.graph().depth_ > innermost->depth_) innermost = &input.graph();
  }
  if (innermost != this) return innermost->record(primitive, inputs, std::move(attributes));
  Node node;
  std::vector<Shape> shapes;
  for (const Var& input : inputs) {
    node.inputs.push_back(here(input).id());
    shapes.push_back(input.shape());
  }
  node.primitive = &primitive;
  node.shape = primitive.shape(shapes, attributes);
  node.attributes = std::move(attributes);
  node.module = module;
  return heard(add(std::move(node)));
}

void Graph::rename(Var var, std::string name) { nodes_[var.id()].name = std::move(name); }

void Graph::state(Var var, std::shared_ptr<const Intent> intent) {
  nodes_[var.id()].intent = std::move(intent);
}

void Graph::replace(NodeId id, const Primitive& primitive, std::vector<NodeId> inputs,
                    Attributes attributes) {
  std::vector<Shape> shapes;
  for (const NodeId input : inputs) shapes.push_back(nodes_[input].shape);
  Node& node = nodes_[id];
  node.shape = primitive.shape(shapes, attributes);
  node.primitive = &primitive;
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  node.name.clear();
  node.intent = nullptr;
}

Var apply(const Primitive& primitive, const std::vector<Var>& operands, Attributes attributes) {
  return operands.front().graph().record(primitive, operands, std::move(attributes));
}

namespace {

// Where the last letter or {group} of a name begins.
std::size_t last_part(std::string_view name) {
  std::size_t at = name.size() - 1;
  for (int depth = 0; at > 0; --at) {
    if (name[at] == '}') ++depth;
    if (name[at] == '{') --depth;
    if (depth == 0) break;
  }
  return at;
}

// A name with the suffix of all names of its step. LaTeX allows one subscript and one
// superscript: S_y of step 0 is S_{y,0}.
std::string with_suffix(std::string_view name, std::string_view suffix) {
  const bool script = suffix.starts_with("_{") || suffix.starts_with("^{");
  const std::size_t last = script && !name.empty() ? last_part(name) : 0;
  if (last == 0 || name[last - 1] != suffix[0]) return std::string(name).append(suffix);
  std::string_view own = name.substr(last);
  if (own.starts_with('{')) own = own.substr(1, own.size() - 2);
  return std::string(name.substr(0, last)) + "{" + std::string(own) + "," +
         std::string(suffix.substr(2));
}

}  // namespace

Var let(std::string_view name, Var value) {
  if (!value.node().name.empty()) value = reshape(value, value.shape());
  value.graph().rename(value, with_suffix(name, value.graph().step_suffix));
  return value;
}

}  // namespace attend
