// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/explain.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "catalogue/dimensions.h"
#include "experiment/recording/blame.h"
#include "experiment/recording/map_row.h"
#include "experiment/running/run.h"
#include "fused/fuse.h"
#include "fused/row_blocks.h"
#include "ops/explain.h"

namespace attend {
namespace {

// What nodes are called in the result: an output before a step, for the page shows outputs.
class Names {
 public:
  explicit Names(const Directory& directory) {
    for (const TensorGroup group :
         {TensorGroup::outputs, TensorGroup::inputs, TensorGroup::parameters, TensorGroup::steps}) {
      for (const KnownTensor& one : directory.of(group))
        by_node_.try_emplace(one.node, one.record.get());
    }
  }

  // Null where a node has no name.
  [[nodiscard]] const TensorRecord* of(NodeId node) const {
    const auto found = by_node_.find(node);
    return found == by_node_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<NodeId, const TensorRecord*> by_node_;
};

std::size_t checked_cell(const std::vector<std::size_t>& index, const Shape& shape,
                         const std::string& name) {
  bool inside = index.size() == shape.size();
  for (std::size_t i = 0; inside && i < index.size(); ++i) inside = index[i] < shape[i];
  if (!inside)
    refuse(name + " has shape " + to_text(shape) + ", which has no cell " + to_text(index));
  return ravel(index, shape);
}

// The key of a term of a softmax.
std::string label_of(const Compiled& compiled, const std::string& tokens, std::size_t cell) {
  const auto& labels = compiled.recording().tokens;
  const auto found = labels.find(tokens);
  return found != labels.end() && cell < found->second.size() ? found->second[cell]
                                                              : std::to_string(cell);
}

bool is_large(const Graph& graph, NodeId node) {
  return element_count(graph[node].shape) > max_unasked_numbers;
}

// A cell to be explained, and its place in a row that was recorded to avoid a large map.
struct Asked {
  std::shared_ptr<const Graph> graph;
  NodeId node;
  std::vector<std::size_t> index;
  MadeRows made;

  [[nodiscard]] std::vector<NodeId> read() const { return explained_from(*graph, node); }
};

Asked without_large_maps(const Compiled& compiled, NodeId node,
                         const std::vector<std::size_t>& index) {
  Asked asked{compiled.program().shared_graph(), node, index, {}};
  const std::vector<NodeId> read = asked.read();
  const bool large = std::any_of(read.begin(), read.end(),
                                 [&](NodeId one) { return is_large(*asked.graph, one); });
  if (!large || index.size() < 2) return asked;
  std::shared_ptr<Graph> longer = asked.graph->copy();
  RowRecorder rows(index.end()[-2], RowRecorder::Names::same);
  asked.node = rows.of(longer->var(node)).id();
  asked.made = rows.named();
  asked.graph = std::move(longer);
  asked.index.end()[-2] = 0;
  return asked;
}

// The numbers that an explanation reads; attention in tiles where they need no map of it.
Values computed(const Compiled& compiled, const Asked& asked, std::size_t example) {
  const std::vector<NodeId> read = asked.read();
  std::vector<Program::Result> results;
  for (const NodeId node : read) results.push_back({"", node});
  const Program& whole = compiled.program();
  Program program(asked.graph, whole.leaves(), std::move(results), whole.made(),
                  whole.shared_directory());
  const std::vector<bool> needed = plan(*asked.graph, program.wanted()).needed;
  bool large = false;
  for (NodeId node = 0; node < asked.graph->size() && !large; ++node)
    large = needed[node] && is_large(*asked.graph, node);
  if (large) program = fused::fused(program);
  const auto with_kernels = program.shared_graph();
  if (large) program = fused::in_blocks(program);
  const ModulePlaces places(module_places(compiled));
  const auto work = std::make_shared<Workspace>(
      program.shared_graph(), plan_within_limits(compiled, program, Keep::wanted));
  for (const Program::Leaf& one : program.leaves()) {
    const Leaf* const leaf = compiled.recording().leaf(one.name);
    if (leaf != nullptr && !program.graph()[one.node].lies_elsewhere())
      compiled.write_leaf(*leaf, work->write(one.node), example);
  }
  work->evaluate();
  if (program.shared_graph() == with_kernels) return work->values(work);
  // The document's nodes have other ids there.
  std::vector<Numbers> by_node(asked.graph->size());
  for (std::size_t k = 0; k < read.size(); ++k)
    by_node[read[k]] = (*work)[program.results()[k].node];
  return {std::move(by_node), work};
}

Values values_for(const Compiled& compiled, const Asked& asked, std::size_t example,
                  const Workspace* at_hand) {
  const std::vector<NodeId> read = asked.read();
  const bool there =
      at_hand != nullptr && compiled.examples() == 0 && asked.made.empty() &&
      std::all_of(read.begin(), read.end(), [&](NodeId node) { return at_hand->holds(node); });
  if (!there) return computed(compiled, asked, example);
  return at_hand->values(nullptr);  // whoever asks holds them
}

}  // namespace

Json explain_cell(const Compiled& compiled, const std::string& name,
                  const std::vector<std::size_t>& whole_index, const Workspace* at_hand) {
  const NodeId node = compiled.find(name);
  // Of a batch the first index is the example, which is explained as if it were alone.
  std::vector<std::size_t> index = whole_index;
  std::size_t example = 0;
  if (compiled.examples() != 0 && index.size() == compiled.graph()[node].shape.size() + 1) {
    example = index.front();
    index.erase(index.begin());
    if (example >= compiled.examples())
      refuse("there is no example " + std::to_string(example) + " among " +
             std::to_string(compiled.examples()));
  }
  (void)checked_cell(index, compiled.graph()[node].shape, name);
  const Asked asked = without_large_maps(compiled, node, index);
  const Graph& graph = *asked.graph;
  const Values values = values_for(compiled, asked, example, at_hand);
  const Explanation explanation =
      explain(graph, values, asked.node, ravel(asked.index, graph[asked.node].shape));

  Json json{{"tensor", name},
            {"index", index},
            {"value", explanation.value},
            {"formula", explanation.formula},
            {"numbers", explanation.numbers},
            {"feeds", Json::array()}};
  const Names names(compiled.directory());
  for (const Feed& feed : explanation.feeds) {
    const auto made = asked.made.find(feed.node);
    const bool row = made != asked.made.end();
    const TensorRecord* tensor = names.of(row ? made->second : feed.node);
    if (tensor == nullptr) continue;
    Json cells = Json::array();
    for (const std::size_t cell : feed.cells) {
      std::vector<std::size_t> place = unravel(cell, graph[feed.node].shape);
      if (row) place.end()[-2] = index.end()[-2];
      cells.push_back(std::move(place));
    }
    json["feeds"].push_back({{"tensor", tensor->name},
                             {"group", std::string(group_name(tensor->group))},
                             {"cells", std::move(cells)}});
  }
  // Whose tokens stand along its last axis.
  const TensorRecord* own = names.of(node);
  const std::string labels =
      own == nullptr || own->group != TensorGroup::outputs || own->axes.empty()
          ? ""
          : own->axes.back().labels;
  const auto listed = [&](const std::vector<Term>& terms) {
    Json list = Json::array();
    for (const Term& term : terms) {
      list.push_back({{"label", label_of(compiled, labels, term.cell)},
                      {"value", term.value},
                      {"chosen", term.chosen},
                      {"cell", term.cell}});
    }
    return list;
  };
  if (!explanation.terms.empty()) json["terms"] = listed(explanation.terms);
  const Cut& cut = explanation.cut;
  if (!cut.bars.empty())
    json["cut"] = {{"level", cut.level}, {"power", cut.power}, {"bars", listed(cut.bars)}};
  return json;
}

}  // namespace attend
