// SPDX-License-Identifier: Apache-2.0
#include "experiment/explain.h"

#include <algorithm>
#include <utility>

#include "catalogue/dimensions.h"
#include "experiment/map_row.h"
#include "fused/fuse.h"
#include "ops/explain.h"

namespace attend {
namespace {

struct Name {
  std::string group, name, labels;  // labels: whose tokens stand along its last axis
};

// What a node is called in the result: an output before a step, for the page shows outputs.
Name name_of(const Recording& recording, NodeId node) {
  for (const Output& output : recording.builder().outputs) {
    if (output.var.id() != node) continue;
    return {"outputs", output.name, output.axes.empty() ? "" : output.axes.back().labels};
  }
  for (const Leaf& leaf : recording.builder().leaves) {
    if (leaf.var.id() != node) continue;
    const bool input = leaf.kind == Leaf::Kind::input;
    return {input ? "inputs" : "parameters", leaf.name(), ""};
  }
  for (const Step& step : recording.steps()) {
    if (step.node == node) return {"steps", step.name, ""};
  }
  return {"steps", "", ""};
}

std::size_t checked_cell(const std::vector<std::size_t>& index, const Shape& shape,
                         const std::string& name) {
  bool inside = index.size() == shape.size();
  for (std::size_t i = 0; inside && i < index.size(); ++i) inside = index[i] < shape[i];
  if (!inside)
    refuse(name + " has shape " + to_text(shape) + ", which has no cell " + to_text(index));
  return ravel(index, shape);
}

// The key that a term of a softmax stands for.
std::string label_of(const Recording& recording, const std::string& tokens, std::size_t cell) {
  const auto& labels = recording.builder().tokens;
  const auto found = labels.find(tokens);
  return found != labels.end() && cell < found->second.size() ? found->second[cell]
                                                              : std::to_string(cell);
}

bool is_large(const Graph& graph, NodeId node) {
  return element_count(graph[node].shape) > max_unasked_numbers;
}

// A cell to be explained, and where it stands in a row that was recorded to spare a large map.
struct Asked {
  Var var;
  std::vector<std::size_t> index;
  MadeRows made;
};

Asked without_large_maps(Var var, const std::vector<std::size_t>& index) {
  Asked asked{var, index, {}};
  const std::vector<NodeId> read = explained_from(var.graph(), var.id());
  const bool large = std::any_of(read.begin(), read.end(),
                                 [&](NodeId node) { return is_large(var.graph(), node); });
  if (!large || index.size() < 2) return asked;
  asked.var = row_of(var, index.end()[-2], &asked.made);
  asked.index.end()[-2] = 0;
  return asked;
}

// The numbers that an explanation reads; attention in tiles where they need no map of it.
Values values_for(const Recording& recording, Var var, Memo* memo) {
  Graph& graph = recording.graph();
  std::vector<Var> wanted;
  for (const NodeId node : explained_from(graph, var.id())) wanted.push_back(graph.var(node));
  const Plan plan = attend::plan(graph, wanted, memo);
  bool large = false;
  for (NodeId node = 0; node < graph.size() && !large; ++node)
    large = plan.needed[node] && is_large(graph, node);
  if (large) fused::fuse(graph, wanted);
  return recording.compute(wanted, memo);
}

}  // namespace

Json explain_cell(const Recording& recording, const std::string& name,
                  const std::vector<std::size_t>& index, Memo* memo) {
  const Var var = recording.find(name);
  (void)checked_cell(index, var.shape(), name);
  const Asked asked = without_large_maps(var, index);
  const Values values = values_for(recording, asked.var, memo);
  const Explanation explanation =
      explain(recording.graph(), values, asked.var.id(), ravel(asked.index, asked.var.shape()));

  Json json{{"tensor", name},
            {"index", index},
            {"value", explanation.value},
            {"formula", explanation.formula},
            {"numbers", explanation.numbers},
            {"feeds", Json::array()}};
  for (const Feed& feed : explanation.feeds) {
    const auto made = asked.made.find(feed.node);
    const bool row = made != asked.made.end();
    const Name tensor = name_of(recording, row ? made->second : feed.node);
    if (tensor.name.empty()) continue;
    Json cells = Json::array();
    for (const std::size_t cell : feed.cells) {
      std::vector<std::size_t> place = unravel(cell, recording.graph()[feed.node].shape);
      if (row) place.end()[-2] = index.end()[-2];
      cells.push_back(std::move(place));
    }
    json["feeds"].push_back(
        {{"tensor", tensor.name}, {"group", tensor.group}, {"cells", std::move(cells)}});
  }
  const auto listed = [&](const std::vector<Term>& terms) {
    Json list = Json::array();
    for (const Term& term : terms) {
      list.push_back(
          {{"label", label_of(recording, name_of(recording, var.id()).labels, term.cell)},
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
