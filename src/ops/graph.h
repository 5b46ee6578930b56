// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/real.h"
#include "ops/shape.h"

namespace attend {

struct Intent;
struct Primitive;
struct ScanBody;
class Graph;
class WeightTensor;

using NodeId = std::uint32_t;

// The module of a node that no module recorded: a sum over all modules, or what a pass adds.
inline constexpr std::uint32_t no_module = ~std::uint32_t{0};

// What a primitive needs besides its operands: axes, extents, flags, one number, the step of a
// scan.
struct Attributes {
  std::vector<long> integers;
  double number = 0;
  std::shared_ptr<const ScanBody> body = nullptr;

  long operator[](std::size_t i) const { return integers[i]; }
  bool operator==(const Attributes&) const = default;
};

// Numbers of a tensor of a store, as its file has them, from row-major place `first` on.
struct StoredNumbers {
  const WeightTensor* tensor = nullptr;
  std::size_t first = 0;
};

// One recorded operation. A leaf (data bound before evaluation) has no primitive, or is a number
// that a knob gives: a `fill`, which shows in formulas and code as the number that was recorded.
struct Node {
  Graph* graph = nullptr;
  NodeId id = 0;
  const Primitive* primitive = nullptr;
  std::vector<NodeId> inputs;
  Attributes attributes;
  Shape shape;
  std::string name;  // the step's name, a LaTeX symbol; empty for nameless intermediates
  std::uint32_t module = no_module;  // that it was recorded in
  bool leaf = false;
  const real* numbers = nullptr;  // of a leaf whose numbers lie elsewhere already
  StoredNumbers stored = {};      // of one whose numbers lie elsewhere as a file has them
  std::shared_ptr<const Intent> intent =
      nullptr;  // what the build states that it is (ops/intent.h)

  [[nodiscard]] bool lies_elsewhere() const {
    return numbers != nullptr || stored.tensor != nullptr;
  }
};

// A handle to a node: cheap to copy, meaningless without its graph. Shapes are known at once,
// values after evaluation. One pointer: WebAssembly passes a struct of one member in a register.
class Var {
 public:
  Var() = default;
  explicit Var(const Node& node) : node_(&node) {}

  explicit operator bool() const { return node_ != nullptr; }
  [[nodiscard]] const Node& node() const { return *node_; }
  [[nodiscard]] Graph& graph() const { return *node_->graph; }
  [[nodiscard]] NodeId id() const { return node_->id; }
  [[nodiscard]] const Shape& shape() const { return node_->shape; }
  [[nodiscard]] std::size_t rank() const { return shape().size(); }
  // Extent of an axis; negative axes count from the end.
  [[nodiscard]] std::size_t extent(long axis) const;

 private:
  const Node* node_ = nullptr;
};

// The record of a computation: nodes in order of creation, which is an order of evaluation.
//
// A graph may be inside another: the step of a scan (ops/scan.h). An operation goes to the
// innermost graph that one of its operands belongs to, so what does not depend on the step is
// recorded outside, once. What the step reads from outside comes in as a captured leaf.
class Graph {
 public:
  // More nodes than this is a document that unrolls too far, refused before anything is computed.
  static constexpr std::size_t max_nodes = 200'000;

  Graph() = default;
  explicit Graph(Graph& outer);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // The same nodes with the same ids: what a pass changes.
  [[nodiscard]] std::unique_ptr<Graph> copy() const;

  Var leaf(Shape shape, std::string name);
  // The leaf's numbers lie there, in as many as its shape has, and are not copied. They are held as long as this graph.
  void lay(Var leaf, std::shared_ptr<const real> numbers);
  // As its file has them, from place `first` on: whoever can reads them so, all others read them converted.
  void lay(Var leaf, std::shared_ptr<const WeightTensor> tensor, std::size_t first = 0);
  // Holds what the leaves of another graph hold: for copies of them.
  void hold_with(const Graph& other) { held_ = other.held_; }
  // A leaf that shows as its number until others are given.
  Var number_leaf(Shape shape, double number);
  Var record(const Primitive& primitive, const std::vector<Var>& inputs, Attributes attributes);
  void rename(Var var, std::string name);
  void state(Var var, std::shared_ptr<const Intent> intent);
  // A node of another graph, its operands being nodes of this one. Its intent stays behind: carry_intent brings it.
  Var adopt(const Node& node, std::vector<NodeId> inputs);
  // Another number for a leaf that shows as one.
  void renumber(NodeId id, double number) { nodes_[id].attributes.number = number; }
  // Computes a node otherwise, from nodes before it. Its id stays, its name and its intent go.
  void replace(NodeId id, const Primitive& primitive, std::vector<NodeId> inputs,
               Attributes attributes);

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes_[id]; }
  [[nodiscard]] Var var(NodeId id) const { return Var(nodes_[id]); }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  // A tensor that an inner graph reads from the one around it.
  struct Captured {
    NodeId outer, leaf;
  };
  [[nodiscard]] const std::vector<Captured>& captured() const { return captured_; }
  // The variable as one of this graph: itself, or the leaf that brings it in.
  Var here(Var var);
  // The graph that is being recorded: of a step, while it is recorded, else this one.
  Graph& innermost() { return inner_ == nullptr ? *this : inner_->innermost(); }
  // Begins and ends the recording of a graph inside this one. What has ended reads nothing more.
  void begin(Graph& inner) { inner_ = &inner; }
  void end();

  std::string
      step_suffix;  // put behind every name that `let` gives: the row or module being recorded
  std::uint32_t module = no_module;  // the module being recorded

 private:
  Var add(Node node);

  std::deque<Node> nodes_;  // a deque: references to nodes stay valid while the graph grows
  Graph* outer_ = nullptr;
  Graph* inner_ = nullptr;  // being recorded
  int depth_ = 0;           // how many graphs are around this one
  std::vector<Captured> captured_;
  std::map<NodeId, NodeId> leaf_of_;               // captured, by the outer id
  std::vector<std::shared_ptr<const void>> held_;  // where the numbers of leaves lie
};

// Names a node: one step in the view, one line of exported code, one selectable gradient. Returns
// the same value. A node that has a name already is passed through a new nameless alias, so that
// neither name is lost.
Var let(std::string_view name, Var value);

}  // namespace attend
