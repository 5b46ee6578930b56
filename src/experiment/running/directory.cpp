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
  const Builder& builder = compiled.builder();
  const Node& node = compiled.graph()[tensor.recorded];
  Json symbols = Json::array(), dimensions = Json::array();
  for (const NamedAxis& axis : tensor.axes) {
    symbols.push_back(axis.symbol);
    dimensions.push_back(describe_axis(axis));
  }
  const auto named = [&](std::size_t module) {
    return module < builder.modules.size() ? builder.modules[module].name : "";
  };
  return {{"group", std::string(group_name(tensor.group))},
          {"name", tensor.name},
          {"module", named(node.module)},
          {"within", named(tensor.within.value_or(node.module))},
          {"step", tensor.recorded},
          {"role", std::string(role_name(tensor.role))},
          {"kind", std::string(kind_name(tensor.numbers))},
          {"shape", tensor.shape},
          {"axes", std::move(symbols)},
          {"dimensions", std::move(dimensions)},
          {"formula", tensor.formula}};
}

Json describe_modules(const Compiled& compiled) {
  Json list = Json::array();
  const Builder& builder = compiled.builder();
  for (std::size_t i = 0; i < builder.modules.size(); ++i) {
    const ModuleNode& module = builder.modules[i];
    Json inputs = Json::object();
    for (const auto& [port, source] : module.inputs) inputs[port] = source;
    list.push_back({{"name", module.name},
                    {"type", module.type},
                    {"parent", module.parent},
                    {"path", builder.module_paths[i]},
                    {"inputs", std::move(inputs)}});
    if (const Output* result = builder.main_result(i, Builder::wired_alone))
      list.back()["result"] = result->name;
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
          {"labels", compiled.builder().labels},
          {"tokens", compiled.builder().tokens}};
}

}  // namespace attend
