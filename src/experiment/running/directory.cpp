// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/directory.h"

#include "experiment/running/sources.h"

namespace attend {
namespace {

Json describe_axis(const NamedAxis& axis) {
  Json json{{"role", std::string(role_name(axis.role))}};
  if (axis.role == AxisRole::time || axis.time) json["time"] = true;
  if (!axis.labels.empty()) json["labels"] = axis.labels;
  return json;
}

}  // namespace

Json describe_tensor(const Compiled& compiled, const ResultTensor& tensor) {
  const TensorRecord& record = *tensor.record;
  const Node& node = compiled.graph()[record.recorded];
  Json symbols = Json::array(), dimensions = Json::array();
  for (const NamedAxis& axis : record.axes) {
    symbols.push_back(axis.symbol);
    dimensions.push_back(describe_axis(axis));
  }
  return {{"group", std::string(group_name(record.group))},
          {"name", record.name},
          {"module", compiled.module_name(node.module)},
          {"within", record.module ? compiled.module_name(*record.module) : ""},
          {"step", record.recorded},
          {"role", std::string(role_name(record.role))},
          {"kind", std::string(kind_name(record.numbers))},
          {"shape", tensor.shape},
          {"axes", std::move(symbols)},
          {"dimensions", std::move(dimensions)},
          {"formula", tensor.formula}};
}

Json describe_modules(const Compiled& compiled) {
  Json list = Json::array();
  const Directory& directory = compiled.directory();
  for (std::size_t i = 0; i < directory.modules().size(); ++i) {
    const ModuleNode& module = directory.modules()[i];
    Json inputs = Json::object();
    for (const auto& [port, source] : module.inputs) inputs[port] = source;
    list.push_back({{"name", module.name},
                    {"type", module.type},
                    {"parent", module.parent},
                    {"path", module.path},
                    {"inputs", std::move(inputs)}});
    if (const KnownTensor* result = directory.main_result(i, Directory::wired_alone))
      list.back()["result"] = result->record->name;
  }
  return list;
}

Json describe_result(const Compiled& compiled, const Result& result) {
  std::vector<const ResultTensor*> all;
  for (const ResultTensor& tensor : result.tensors) all.push_back(&tensor);
  const std::vector<std::vector<std::size_t>> sources = sources_of(compiled, all);
  Json tensors = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    tensors.push_back(describe_tensor(compiled, *all[i]));
    if (!sources[i].empty()) tensors.back()["from"] = sources[i];
  }
  return {{"tensors", std::move(tensors)},
          {"modules", describe_modules(compiled)},
          {"labels", compiled.recording().labels},
          {"tokens", compiled.recording().tokens}};
}

}  // namespace attend
