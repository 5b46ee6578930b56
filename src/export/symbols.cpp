// SPDX-License-Identifier: Apache-2.0
#include "export/symbols.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "export/needed.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "ops/text.h"

namespace attend {
namespace {

// Walks over what has a symbol twice, in the order of the listing: counts it, then marks it.
class Marker {
 public:
  explicit Marker(const Listing& program) : program_(program), uses_(uses_of(program)) {
    walk();
    marking_ = true;
    walk();
  }

  NodeMarks marks;

 private:
  void walk() {
    const Graph& graph = program_.graph;
    for (const Listing::Leaf& leaf : program_.leaves)
      if (uses_[leaf.node] >= 0 && !(leaf.input && marking_)) visit(graph[leaf.node]);
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph[id];
      if (uses_[id] < 0 || node.primitive == nullptr) continue;
      if (node.primitive == &primitives::scan) walk_step(graph, node);
      // The slice of a scan's result is called as in the step.
      const auto step = step_behind(graph, id);
      const Node* inner = step ? &(*step->body->graph)[step->inner] : nullptr;
      if (inner != nullptr && inner->name == node.name)
        mark_as(node, *inner);
      else
        visit(node);
    }
  }

  void walk_step(const Graph& around, const Node& scan) {
    const ScanBody& body = *scan.attributes.body;
    const Graph& inner = *body.graph;
    for (NodeId id = 0; id < inner.size(); ++id) {
      const Node& node = inner[id];
      if (node.primitive == &primitives::scan) walk_step(inner, node);
      const auto outer =
          node.primitive == nullptr ? captured_by(scan, id) : std::optional<NodeId>{};
      if (outer)
        mark_as(node, around[*outer]);
      else
        visit(node);
    }
    // The state before a step, h_{t-1}, goes with the state after it.
    for (std::size_t k = 0; k < body.states.size(); ++k)
      mark_as(inner[body.states[k]], inner[body.next[k]]);
  }

  void mark_as(const Node& node, const Node& other) {
    const auto known = marks.find(&other);
    if (known != marks.end()) marks.try_emplace(&node, std::string(known->second));
  }

  void visit(const Node& node) {
    if (node.name.empty()) return;
    static const std::string none;  // of a node that no module recorded
    const bool known = node.module < program_.modules.size();
    const std::string& module = known ? program_.modules[node.module] : none;
    const std::string here = node.name + '\n' + module;
    if (!marking_) {
      if (++counts_[here] == 1) ++counts_[node.name];
      return;
    }
    std::string mark;
    if (counts_[node.name] > 1 && !module.empty()) mark = "\\text{" + latex_escaped(module) + "}";
    if (counts_[here] > 1)
      mark += (mark.empty() ? "" : ",") + std::to_string(++counts_[here + '\n']);
    if (!mark.empty()) marks[&node] = "(" + mark + ")";
  }

  const Listing& program_;
  std::vector<long> uses_;
  bool marking_ = false;
  // Symbols by the modules that have them, and by module.
  std::map<std::string, std::size_t, std::less<>> counts_;
};

}  // namespace

NodeMarks distinct_symbols(const Listing& program) {
  return program.modules.empty() ? NodeMarks{} : Marker(program).marks;
}

}  // namespace attend
