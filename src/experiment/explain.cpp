// SPDX-License-Identifier: Apache-2.0
#include "experiment/explain.h"

#include <algorithm>
#include <utility>

#include "mechanisms/dimensions.h"
#include "ops/explain.h"

namespace attend {
namespace {

struct Name {
  std::string group, name, last_axis;
};

// What a node is called in the result: an output before a step, for the page shows outputs.
Name name_of(const Recording& recording, NodeId node) {
  for (const Output& output : recording.builder().outputs) {
    if (output.var.id() != node) continue;
    const auto words = words_of(output.axes);
    return {"outputs", output.name, words.empty() ? "" : std::string(words.back())};
  }
  for (const Leaf& leaf : recording.builder().leaves) {
    if (leaf.var.id() != node) continue;
    const bool input = leaf.kind == Leaf::Kind::input;
    return {input ? "inputs" : "parameters", input ? leaf.key.substr(7) : leaf.key, ""};
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
    refuse("", name + " has shape " + to_text(shape) + ", which has no cell " + to_text(index));
  return ravel(index, shape);
}

// The key that a term of a softmax stands for.
std::string label_of(const Recording& recording, const std::string& axis, std::size_t cell) {
  const auto& labels = recording.builder().labels;
  const auto found = labels.find(axis.empty() ? "n" : axis);
  return found != labels.end() && cell < found->second.size() ? found->second[cell]
                                                              : std::to_string(cell);
}

}  // namespace

Json explain_cell(const Recording& recording, const std::string& name,
                  const std::vector<std::size_t>& index, Memo* memo) {
  const Var var = recording.find(name);
  const std::size_t flat = checked_cell(index, var.shape(), name);
  std::vector<Var> wanted;
  for (const NodeId node : explained_from(recording.graph(), var.id()))
    wanted.push_back(recording.graph().var(node));
  const Values values = recording.compute(wanted, memo);
  const Explanation explanation = explain(recording.graph(), values, var.id(), flat);

  Json json{{"tensor", name},
            {"index", index},
            {"value", explanation.value},
            {"formula", explanation.formula},
            {"numbers", explanation.numbers},
            {"feeds", Json::array()}};
  for (const Feed& feed : explanation.feeds) {
    const Name tensor = name_of(recording, feed.node);
    if (tensor.name.empty()) continue;
    Json cells = Json::array();
    for (const std::size_t cell : feed.cells)
      cells.push_back(unravel(cell, recording.graph()[feed.node].shape));
    json["feeds"].push_back(
        {{"tensor", tensor.name}, {"group", tensor.group}, {"cells", std::move(cells)}});
  }
  const auto listed = [&](const std::vector<Term>& terms) {
    Json list = Json::array();
    for (const Term& term : terms) {
      list.push_back(
          {{"label", label_of(recording, name_of(recording, var.id()).last_axis, term.cell)},
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
