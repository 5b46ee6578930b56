// SPDX-License-Identifier: Apache-2.0
#include "export/symbols.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "export/needed.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "ops/text.h"

namespace attend {
namespace {

// "\text{decoder.attention}".
std::string module_text(const std::string& module) {
  return module.empty() ? "" : "\\text{" + latex_escaped(module) + "}";
}

// Collects what has a symbol, in the order of the listing.
class Collector {
 public:
  explicit Collector(const Listing& program) : program_(program) {
    const std::vector<long> uses = uses_of(program);
    const Graph& graph = program.graph;
    for (const Listing::Leaf& leaf : program.leaves) {
      if (uses[leaf.node] < 0) continue;
      const std::size_t dot = leaf.name.find('.');
      if (leaf.input) inputs_.insert(&graph[leaf.node]);
      // A parameter belongs to the module that it is named after, not to the one that reads it first.
      std::string module = module_of(graph[leaf.node]);
      if (!leaf.name.starts_with(module) && dot != std::string::npos)
        module = leaf.name.substr(0, dot);
      add(graph[leaf.node], module);
    }
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph[id];
      if (uses[id] < 0 || node.primitive == nullptr) continue;
      if (node.primitive == &primitives::scan) add_body(graph, node);
      const auto step = step_behind(graph, id);
      if (step && (*step->body->graph)[step->inner].name == node.name)
        marked_as_.emplace_back(&node, &(*step->body->graph)[step->inner]);
      else
        add(node, module_of(node));
    }
  }

  NodeNames names() const {
    std::map<const Node*, std::string> marks;
    for (const auto& [symbol, named] : by_symbol_) {
      if (named.size() < 2) continue;
      std::map<std::string, std::size_t> of_module, met;
      for (const Named& one : named) ++of_module[one.module];
      for (const Named& one : named) {
        if (inputs_.contains(one.node)) continue;
        std::string mark = of_module.size() > 1 ? module_text(one.module) : "";
        if (of_module[one.module] > 1)
          mark += (mark.empty() ? "" : ",") + std::to_string(++met[one.module]);
        marks[one.node] = mark;
      }
    }
    for (const auto& [node, original] : marked_as_) {
      const auto known = marks.find(original);
      if (known != marks.end()) marks.try_emplace(node, std::string(known->second));
    }
    NodeNames names;
    for (const auto& [node, mark] : marks) names[node] = marked_symbol(node->name, mark);
    return names;
  }

 private:
  struct Named {
    const Node* node;
    std::string module;
  };

  std::string module_of(const Node& node) const {
    return node.module < program_.modules.size() ? program_.modules[node.module] : "";
  }

  void add(const Node& node, const std::string& module) {
    if (!node.name.empty()) by_symbol_[node.name].push_back({&node, module});
  }

  void add_body(const Graph& around, const Node& scan) {
    const ScanBody& body = *scan.attributes.body;
    const Graph& inner = *body.graph;
    const std::size_t first = body.states.size() + body.rows.size();
    for (std::size_t k = 0; k < body.captured.size(); ++k)
      marked_as_.emplace_back(&inner[body.captured[k]], &around[scan.inputs[first + k]]);
    // The state before a step, h_{t-1}, goes with the state after it.
    for (std::size_t k = 0; k < body.states.size(); ++k)
      marked_as_.emplace_back(&inner[body.states[k]], &inner[body.next[k]]);
    for (NodeId id = 0; id < inner.size(); ++id) {
      const Node& node = inner[id];
      if (node.primitive == &primitives::scan) add_body(inner, node);
      const bool captured = node.primitive == nullptr && captured_by(scan, id).has_value();
      if (!captured) add(node, module_of(node));
    }
  }

  const Listing& program_;
  std::map<std::string, std::vector<Named>> by_symbol_;
  std::set<const Node*> inputs_;
  // What stands for another: the slice of a scan's result, the leaf that brings a tensor into a step. The outer ones come first.
  std::vector<std::pair<const Node*, const Node*>> marked_as_;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Behind one letter, \command or {group} at `at`; nothing where none of them begins there.
std::optional<std::size_t> part_end(const std::string& text, std::size_t at) {
  if (at >= text.size()) return std::nullopt;
  if (text[at] == '\\') {
    std::size_t end = at + 1;
    while (end < text.size() && is_letter(text[end])) ++end;
    return end > at + 1 ? std::optional(end) : std::nullopt;
  }
  if (text[at] != '{') return at + 1;
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return std::nullopt;
}

// "W_{Q}^{2}" around its superscript. Nothing where a name is more than one letter or command with scripts.
struct Symbol {
  std::string before, superscript, after;
};

std::optional<Symbol> symbol_of(const std::string& name) {
  if (name.empty() || (!is_letter(name[0]) && name[0] != '\\')) return std::nullopt;
  std::size_t at = *part_end(name, 0);
  if (name[0] == '\\') {
    // An accent stands on one letter, \mathrm before a group.
    if (at < name.size() && name[at] == ' ' && at + 1 < name.size() && is_letter(name[at + 1]))
      at += 2;
    else if (at < name.size() && name[at] == '{')
      at = part_end(name, at).value_or(at);
  }
  Symbol symbol{name, "", ""};
  while (at < name.size()) {
    if (name[at] != '_' && name[at] != '^') return std::nullopt;
    const auto end = part_end(name, at + 1);
    if (!end) return std::nullopt;
    if (name[at] == '^') {
      std::string inside = name.substr(at + 1, *end - at - 1);
      if (inside.starts_with('{')) inside = inside.substr(1, inside.size() - 2);
      symbol = {name.substr(0, at), inside, name.substr(*end)};
    }
    at = *end;
  }
  return symbol;
}

}  // namespace

std::string marked_symbol(const std::string& name, const std::string& mark) {
  // What says in words which one it is, "E\;(\text{word})", says it of another thing in the same way.
  if (name.ends_with(')') && name.find("\\;(") != std::string::npos)
    return name + "\\;(" + mark + ")";
  const auto symbol = symbol_of(name);
  if (!symbol) return "(" + name + ")^{(" + mark + ")}";
  const std::string inside = symbol->superscript.empty() ? "" : symbol->superscript + ",";
  return symbol->before + "^{" + inside + "(" + mark + ")}" + symbol->after;
}

NodeNames distinct_symbols(const Listing& program) { return Collector(program).names(); }

}  // namespace attend
