// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/requests.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "experiment/recording/compile.h"
#include "experiment/recording/map_row.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/text.h"

namespace attend {

// What a document writes among its outputs to have a leaf: "parameters.score.W1", "inputs.x".
std::string asked_as(const Leaf& leaf) {
  return leaf.kind == Leaf::Kind::input ? leaf.key : tensor_key(TensorGroup::parameters, leaf.key);
}

namespace {

class Requests {
 public:
  Requests(Graph& graph, const Directory& directory, const Recording& recording)
      : graph_(graph), directory_(directory) {
    for (const KnownTensor& output : directory.outputs())
      by_name_.emplace(output.record->name, &output);
    for (const Leaf& leaf : recording.leaves)
      if (leaf.kind != Leaf::Kind::constant) leaves_.insert(asked_as(leaf));
  }

  [[nodiscard]] std::vector<KnownTensor> of(const std::optional<std::vector<std::string>>& names) {
    std::vector<KnownTensor> list;
    if (!names) {
      for (const KnownTensor& one : directory_.outputs()) {
        if (!one.record->when_asked && element_count(graph_[one.node].shape) <= max_unasked_numbers)
          list.push_back(one);
      }
      return list;
    }
    std::set<std::string> asked;
    for (std::size_t i = 0; i < names->size(); ++i) {
      const std::string path = "/outputs/" + std::to_string(i);
      const ErrorScope scope(path, "");
      const std::string& name = (*names)[i];
      if (leaves_.contains(name) || !asked.insert(name).second) continue;  // twice is once
      list.push_back(named(name));
    }
    return list;
  }

 private:
  // "weights", or "weights[3]" for one row.
  [[nodiscard]] KnownTensor named(const std::string& name) {
    const std::size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string::npos;
    const std::string whole = name.substr(0, bracket);
    const std::string row =
        bracket == std::string::npos ? "" : name.substr(bracket + 1, name.size() - bracket - 2);
    const bool counts =
        !row.empty() && row.size() < 10 &&
        std::all_of(row.begin(), row.end(), [](char c) { return c >= '0' && c <= '9'; });
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return *found->second;
    const auto of = by_name_.find(whole);
    if (of == by_name_.end() || !counts)
      refuse("there is no output \"" + name + "\"; " + directory_.outputs_for(name));
    return row_of(*of->second, name, whole_number(row));
  }

  [[nodiscard]] KnownTensor row_of(const KnownTensor& output, const std::string& name,
                                   std::size_t at) {
    // Rows are queries, behind which a map may have keys and features.
    const auto& axes = output.record->axes;
    const auto m = std::ranges::find(axes, AxisRole::query, &NamedAxis::role);
    const auto from_end = static_cast<std::size_t>(axes.end() - m);
    const Var whole = graph_.var(output.node);
    Var row;
    if (m == axes.end() || from_end <= 2) {
      row = attend::row_of(whole, at);
    } else {
      const long axis = -static_cast<long>(from_end);
      if (at >= whole.extent(axis)) refuse_row(at, whole.shape(), whole.extent(axis));
      row = slice(whole, axis, at, at + 1);
    }
    TensorRecord record = *output.record;
    record.name = name;
    record.row = true;
    record.recorded = row.id();
    return {as_record(std::move(record)), row.id()};
  }

  Graph& graph_;
  const Directory& directory_;
  std::unordered_map<std::string_view, const KnownTensor*> by_name_;
  std::set<std::string> leaves_;
};

}  // namespace

std::vector<KnownTensor> requested_outputs(Graph& graph, const Directory& directory,
                                           const Recording& recording,
                                           const std::optional<std::vector<std::string>>& names) {
  return Requests(graph, directory, recording).of(names);
}

}  // namespace attend
