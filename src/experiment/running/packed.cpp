// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/packed.h"

#include <map>
#include <utility>

#include "evaluation/map_summary.h"
#include "experiment/describing/coordinates.h"
#include "experiment/recording/normalise.h"
#include "experiment/running/directory.h"
#include "experiment/running/run.h"
#include "experiment/running/sources.h"
#include "experiment/text/refusal.h"

namespace attend {

Json measures_of(const Result& result, const ResultTensor& tensor) {
  const WeightMeasures m = measure_weights(result.data(tensor), tensor.shape);
  const std::size_t at = m.largest;
  return {{"rowSums", m.row_sums},
          {"entropy", m.entropy},
          {"support", m.support},
          {"largest", {{"index", unravel(at, tensor.shape)}, {"value", result.data(tensor)[at]}}}};
}

bool is_weight_map(const ResultTensor& tensor) {
  return tensor.group() == TensorGroup::outputs && tensor.record->role == TensorRole::weights &&
         tensor.shape.size() >= 2 && !is_by_feature(tensor);
}

Json describe_warnings(const Result& result) {
  Json list = Json::array();
  for (const Warning& warning : result.warnings)
    list.push_back({{"path", warning.path}, {"message", warning.message}});
  return list;
}

std::string text_of(const Json& directory) {
  return directory.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Packed pack(const Compiled& compiled, const Result& result) {
  Packing packing = packing_of(compiled, result);
  return {text_of(packing.directory), std::move(packing.data)};
}

Packing packing_of(const Compiled& compiled, const Result& result) {
  Packing packed;
  Json directory{{"ok", true},
                 {"tensors", Json::array()},
                 {"labels", compiled.recording().labels},
                 {"tokens", compiled.recording().tokens},
                 {"modules", describe_modules(compiled)},
                 {"warnings", describe_warnings(result)},
                 {"measures", Json::object()},
                 {"cost", to_json(result.cost)},
                 {"taxonomy", {{"coordinates", coordinates_of(compiled.document())}}},
                 {"document", normalise(compiled)}};
  std::vector<const ResultTensor*> all;
  for (const ResultTensor& tensor : result.tensors) all.push_back(&tensor);
  for (const ResultTensor& tensor : result.left_out) all.push_back(&tensor);
  const std::vector<std::vector<std::size_t>> sources = sources_of(compiled, all);
  std::map<NodeId, std::size_t> offsets;  // two names of one node share its numbers
  std::map<NodeId, std::size_t> counts;
  for (const ResultTensor& tensor : result.tensors)
    counts.emplace(tensor.node, result.data(tensor).size());
  std::size_t count = 0;
  for (const auto& [node, numbers] : counts) count += numbers;
  // A list that grows takes three times as much memory, which a module of WebAssembly keeps.
  packed.data.reserve(count);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ResultTensor& tensor = *all[i];
    Json entry = describe_tensor(compiled, tensor);
    if (!sources[i].empty()) entry["from"] = sources[i];
    if (i >= result.tensors.size()) {
      directory["left"].push_back(std::move(entry));
      continue;
    }
    const auto [place, fresh] = offsets.emplace(tensor.node, packed.data.size());
    if (fresh)
      packed.data.insert(packed.data.end(), result.data(tensor).begin(), result.data(tensor).end());
    entry["offset"] = place->second;
    directory["tensors"].push_back(std::move(entry));
    if (is_weight_map(tensor)) directory["measures"][tensor.name()] = measures_of(result, tensor);
  }
  if (result.fused > 0) directory["fused"] = result.fused;
  packed.directory = std::move(directory);
  return packed;
}

Packed run_packed(std::string_view document) {
  const Compiled compiled = compile(read_document(document));
  return pack(compiled, run(compiled, Detail::everything));
}

Packed refused_packed(const Error& error) {
  return {R"({"ok":false,)" + error_text(error).substr(1), {}};
}

Packed answer_packed(std::string_view document) {
  Packed packed;
  const auto refused = refusal_of([&] { packed = run_packed(document); });
  return refused ? refused_packed(*refused) : packed;
}

}  // namespace attend
