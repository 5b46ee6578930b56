// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include "catalogue/slots.h"
#include "experiment/draw.h"
#include "experiment/map_row.h"
#include "ops/primitive.h"
#include "ops/text.h"

namespace attend {

Recording::Recording(Document source)
    : document_(std::make_unique<Document>(std::move(source))),
      builder_(
          std::make_unique<Builder>(document_->inputs, document_->parameters, document_->ties)) {
  for (const ModuleUse& module : document_->modules)
    builder_->record(module.choice, module.name, module.wires, module.wires_path);
  if (!document_->modules.front().name.empty()) builder_->finish();
  builder_->check_all_used();
  requested_ = read_requested();
}

std::vector<Output> Recording::read_requested() const {
  std::vector<Output> list;
  if (!document_->outputs) {
    std::copy_if(
        builder_->outputs.begin(), builder_->outputs.end(), std::back_inserter(list),
        [](const Output& o) { return element_count(o.var.shape()) <= max_unasked_numbers; });
    return list;
  }
  std::set<std::string> asked;
  for (std::size_t i = 0; i < document_->outputs->size(); ++i) {
    const std::string path = "/outputs/" + std::to_string(i);
    const ErrorScope scope(path, "");
    const std::string& name = (*document_->outputs)[i];
    if (asked.insert(name).second) list.push_back(output_named(name));  // twice is once
  }
  return list;
}

// "weights", or "weights[3]" for one row.
Output Recording::output_named(const std::string& name) const {
  const std::size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string::npos;
  const std::string whole = name.substr(0, bracket);
  const std::string row =
      bracket == std::string::npos ? "" : name.substr(bracket + 1, name.size() - bracket - 2);
  const bool counts =
      !row.empty() && row.size() < 10 &&
      std::all_of(row.begin(), row.end(), [](char c) { return c >= '0' && c <= '9'; });
  for (const Output& output : builder_->outputs) {
    if (output.name == name) return output;
    if (output.name != whole || !counts) continue;
    // Rows are queries, behind which a map may have keys and features.
    const auto m = std::find_if(output.axes.begin(), output.axes.end(),
                                [](const NamedAxis& axis) { return axis.role == AxisRole::query; });
    const auto from_end = static_cast<std::size_t>(output.axes.end() - m);
    const std::size_t at = whole_number(row);
    Output one = output;
    one.name = name;
    one.row = true;
    if (m == output.axes.end() || from_end <= 2) {
      one.var = row_of(output.var, at);
      return one;
    }
    const long axis = -static_cast<long>(from_end);
    if (at >= output.var.extent(axis))
      refuse("there is no row " + row + " in shape " + to_text(output.var.shape()));
    one.var = slice(output.var, axis, at, at + 1);
    return one;
  }
  refuse("there is no output \"" + name + "\"; there are " + output_names());
}

std::vector<Step> Recording::steps() const {
  std::vector<Step> list;
  std::map<std::string, int> times;
  for (NodeId id = 0; id < graph().size(); ++id) {
    const Node& node = graph()[id];
    if (node.primitive == nullptr || node.name.empty()) continue;
    const int count = ++times[node.name];
    list.push_back({count == 1 ? node.name : node.name + "\\;(" + std::to_string(count) + ")", id});
  }
  return list;
}

std::string Recording::output_names() const {
  std::string names;
  for (const Output& output : builder_->outputs) names += (names.empty() ? "" : ", ") + output.name;
  return names;
}

Var Recording::find(const std::string& name) const {
  for (const Output& output : builder_->outputs) {
    if (output.name == name) return output.var;
  }
  for (const Leaf& leaf : builder_->leaves) {
    if (leaf.key == name) return leaf.var;
  }
  for (const Step& step : steps()) {
    if (step.name == name) return graph().var(step.node);
  }
  refuse("there is no tensor \"" + name + "\"; the outputs are " + output_names());
}

const Leaf& Recording::leaf_of(NodeId node) const {
  return *std::find_if(builder_->leaves.begin(), builder_->leaves.end(),
                       [&](const Leaf& leaf) { return leaf.var.id() == node; });
}

std::vector<real> Recording::leaf_data(NodeId node) const {
  const Leaf& leaf = leaf_of(node);
  if (leaf.given == nullptr)
    return draw(leaf.distribution, graph()[node].shape, document_->seed, leaf.key);
  return {leaf.given->data.begin(), leaf.given->data.end()};
}

std::string Recording::leaf_description(NodeId node) const {
  const Leaf& leaf = leaf_of(node);
  if (leaf.given == nullptr) {
    return "d" + std::to_string(static_cast<int>(leaf.distribution)) + " " +
           std::to_string(document_->seed) + " " + leaf.key;
  }
  std::string bytes(1 + leaf.given->data.size() * sizeof(double), 'g');
  if (!leaf.given->data.empty()) std::memcpy(&bytes[1], leaf.given->data.data(), bytes.size() - 1);
  return bytes;
}

Values Recording::compute(const std::vector<Var>& wanted, Memo* memo) const {
  if (memo != nullptr)
    memo->look_at(graph(), [this](NodeId node) { return leaf_description(node); });
  const Plan plan = attend::plan(graph(), wanted, memo);
  if (plan.peak_bytes > max_memory_bytes) {
    refuse("/inputs",
           "this experiment would take " + std::to_string(plan.peak_bytes >> 20U) +
               " MiB of numbers, more than the " + std::to_string(max_memory_bytes >> 20U) +
               " MiB allowed; use fewer tokens, heads or smaller widths, or ask for fewer outputs");
  }
  Values values = within(document_->mechanism(), [&] {
    return evaluate(
        graph(), plan, [this](NodeId node) { return leaf_data(node); }, memo);
  });
  if (memo != nullptr) memo->settle();
  return values;
}

}  // namespace attend
