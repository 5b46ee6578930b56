// SPDX-License-Identifier: Apache-2.0
#include "export/views.h"

#include <algorithm>
#include <array>
#include <vector>

#include "export/changeable.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

namespace p = primitives;

// One row along an axis, counted from the end: "x[..., 3, :]".
Text row_text(const Expression& e) {
  const long axis = e.integer(0);
  std::string text = e.in[0].at(Text::atom) + "[";
  if (-axis != static_cast<long>(e.in_shapes[0]->size())) text += "..., ";
  text += std::to_string(e.integer(1));
  if (text.find("..., ") != std::string::npos)
    for (long behind = axis; behind < -1; ++behind) text += ", :";
  return {text + "]"};
}

const Primitive one_row{.name = "row", .python = row_text, .noun = "row", .view = true};

bool is_part_of_scan(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  return node.primitive == &p::slice && graph[node.inputs[0]].primitive == &p::scan;
}

// A reshape whose operand is a part of a scan's flat result is that part in its shape, which the loop makes.
bool is_reshape(const Graph& graph, NodeId id) {
  return graph[id].primitive == &p::reshape && !is_part_of_scan(graph, graph[id].inputs[0]);
}

bool is_elementwise(const Node& node) {
  const std::array kinds{&p::add, &p::subtract, &p::multiply, &p::divide};
  return std::find(kinds.begin(), kinds.end(), node.primitive) != kinds.end();
}

// Whether a shape is another one behind axes of extent 1.
bool leads_with_ones(const Shape& shape, const Shape& behind) {
  if (shape.size() <= behind.size()) return false;
  const auto first = shape.end() - static_cast<long>(behind.size());
  return std::equal(first, shape.end(), behind.begin()) &&
         std::all_of(shape.begin(), first, [](std::size_t extent) { return extent == 1; });
}

// An operand gets leading axes of extent 1 by itself where the other one has as many axes.
void drop_leading_axes(Graph& graph, NodeId id) {
  Node& node = changeable(graph, id);
  if (!is_elementwise(node)) return;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const NodeId operand = node.inputs[k], other = node.inputs[1 - k];
    if (!is_reshape(graph, operand) || !graph[operand].name.empty()) continue;
    const NodeId source = graph[operand].inputs[0];
    if (graph[other].shape.size() != node.shape.size()) continue;
    if (leads_with_ones(graph[operand].shape, graph[source].shape)) node.inputs[k] = source;
  }
}

// Views from the words up to this node, the one nearest to the words first; empty where there is anything else. They
// leave the last axis, of the words, alone.
std::vector<NodeId> views_behind(const Graph& graph, NodeId id, const std::set<NodeId>& words) {
  std::vector<NodeId> chain;
  for (; !words.contains(id); id = graph[id].inputs[0]) {
    const Node& node = graph[id];
    const bool moved = node.primitive == &p::permute &&
                       node.attributes.integers.back() + 1 == static_cast<long>(node.shape.size());
    if ((!moved && !is_reshape(graph, id)) || !node.name.empty() || node.shape.empty()) return {};
    if (node.shape.back() != graph[node.inputs[0]].shape.back()) return {};
    chain.push_back(id);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace

void join_views(Graph& graph) {
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!is_reshape(graph, id)) continue;
    Node& node = changeable(graph, id);
    while (is_reshape(graph, node.inputs[0])) node.inputs[0] = graph[node.inputs[0]].inputs[0];
    const Node& sliced = graph[node.inputs[0]];
    if (sliced.primitive != &p::slice || sliced.attributes[2] != sliced.attributes[1] + 1) continue;
    Shape rest = sliced.shape;
    rest.erase(rest.end() + sliced.attributes[0]);
    if (rest != node.shape) continue;
    node.primitive = &one_row;
    node.attributes = {{sliced.attributes[0], sliced.attributes[1]}};
    node.inputs = sliced.inputs;
  }
  for (NodeId id = 0; id < graph.size(); ++id) drop_leading_axes(graph, id);
}

void embed_words(Graph& graph, const std::set<NodeId>& words) {
  std::vector<std::size_t> reads(graph.size(), 0);
  for (NodeId id = 0; id < graph.size(); ++id)
    for (const NodeId input : graph[id].inputs) ++reads[input];
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& product = graph[id];
    if (product.primitive != &p::matmul || product.attributes.integers != std::vector<long>{0, 0})
      continue;
    const NodeId table = product.inputs[1];
    if (graph[table].primitive != nullptr || graph[table].shape.size() != 2) continue;
    std::vector<NodeId> chain = views_behind(graph, product.inputs[0], words);
    const bool alone =
        std::all_of(chain.begin(), chain.end(), [&](NodeId view) { return reads[view] == 1; });
    if (chain.empty() || !alone) continue;
    // The product moves to the front of the chain, and each view one place further.
    const NodeId source = graph[chain.front()].inputs[0];
    chain.push_back(id);
    for (std::size_t k = chain.size() - 1; k > 0; --k) {
      Node &node = changeable(graph, chain[k]), &view = changeable(graph, chain[k - 1]);
      node.primitive = view.primitive;
      node.attributes = view.attributes;
      node.shape = view.shape;
      node.shape.back() = graph[table].shape.back();
      if (view.primitive == &p::reshape)
        node.attributes.integers.back() = static_cast<long>(node.shape.back());
      node.inputs = {chain[k - 1]};
    }
    Node& first = changeable(graph, chain.front());
    first.primitive = &p::matmul;
    first.attributes = {{0, 0}};
    first.shape = graph[source].shape;
    first.shape.back() = graph[table].shape.back();
    first.inputs = {source, table};
  }
}

}  // namespace attend
