// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "export/names.h"
#include "ops/graph.h"
#include "ops/primitive.h"

namespace attend {

// The truth values behind "real(..)"; empty where the text is something else.
std::string condition_of(const std::string& text);

// The nodes of one graph as lines of Python: of the whole experiment, or of the step of a scan,
// which is the inside of a loop.
class Lines {
 public:
  // `uses`: how often each node is read, -1 where it is not needed. `names` are the script's.
  Lines(const Graph& graph, std::vector<long> uses, Identifiers& names, bool torch,
        std::string indent)
      : graph_(graph),
        uses_(std::move(uses)),
        names_(names),
        torch_(torch),
        indent_(std::move(indent)) {}

  // A node that is known by a text already: an argument, a variable of the loop.
  void know(NodeId id, Text text) { texts_[id] = std::move(text); }
  // A node that gets a line of its own, under this name unless it has one.
  void call(NodeId id, const std::string& name) { result_names_.emplace(id, name); }

  // What some nodes are written as in place of their primitive's own text; nothing for all others.
  std::function<std::optional<Text>(const Expression&)> instead = {};

  // What a node of this graph or of a loop in it is called; by its symbol or its primitive where this is empty.
  std::function<std::string(const Graph&, NodeId)> naming = {};

  // The same for the nodes of loops, too.
  std::function<std::optional<Text>(const Expression&)> everywhere = {};

  // The lines of all nodes that are needed and not known.
  std::string print();
  // The line of one node, once; its operands have been asked for before.
  std::string line(NodeId id);
  [[nodiscard]] bool knows(NodeId id) const { return texts_.contains(id); }
  [[nodiscard]] const Text& text(NodeId id) const { return texts_.at(id); }

 private:
  std::string step(NodeId id);
  std::string loop(const Node& scan);
  // Whether the node is a piece of a scan's result, which the loop has made.
  bool is_made_by_loop(const Node& node);
  [[nodiscard]] std::vector<bool> needed_parts(const Node& scan) const;

  const Graph& graph_;
  std::vector<long> uses_;
  Identifiers& names_;
  bool torch_;
  std::string indent_;
  std::map<NodeId, Text> texts_;
  std::map<NodeId, std::string> result_names_;
  std::map<NodeId, std::vector<std::string>> parts_;  // by scan: its results' names
};

}  // namespace attend
