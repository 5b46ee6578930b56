// SPDX-License-Identifier: Apache-2.0
#include "experiment/packed.h"

#include <map>

#include "evaluation/measures.h"
#include "experiment/coordinates.h"
#include "experiment/directory.h"
#include "experiment/normalise.h"
#include "experiment/run.h"
#include "experiment/service.h"

namespace attend {
namespace {

Json measures_of(const Result& result, const ResultTensor& tensor) {
  const WeightMeasures m = measure_weights(result.data(tensor), tensor.shape);
  const std::size_t at = m.largest;
  return {{"rowSums", m.row_sums},
          {"entropy", m.entropy},
          {"support", m.support},
          {"largest", {{"index", unravel(at, tensor.shape)}, {"value", result.data(tensor)[at]}}}};
}

bool is_weight_map(const ResultTensor& tensor) {
  return tensor.group == "outputs" && tensor.role == TensorRole::weights &&
         tensor.shape.size() >= 2 && !is_by_feature(tensor);
}

Packed pack(const Recording& recording, const Result& result) {
  Packed packed;
  Json directory{{"ok", true},
                 {"tensors", Json::array()},
                 {"labels", recording.builder().labels},
                 {"tokens", recording.builder().tokens},
                 {"modules", describe_modules(recording)},
                 {"warnings", Json::array()},
                 {"measures", Json::object()},
                 {"cost", to_json(result.cost)},
                 {"taxonomy", coordinates_of(recording.document().mechanism())},
                 {"document", normalise(recording)}};
  std::map<NodeId, std::size_t> offsets;  // two names of one node share its numbers
  for (const ResultTensor& tensor : result.tensors) {
    const auto [place, fresh] = offsets.emplace(tensor.node, packed.data.size());
    if (fresh)
      packed.data.insert(packed.data.end(), result.data(tensor).begin(), result.data(tensor).end());
    Json entry = describe_tensor(recording, tensor);
    entry["offset"] = place->second;
    directory["tensors"].push_back(std::move(entry));
    if (is_weight_map(tensor)) directory["measures"][tensor.name] = measures_of(result, tensor);
  }
  for (const ResultTensor& tensor : result.left)
    directory["left"].push_back(describe_tensor(recording, tensor));
  if (result.fused > 0) directory["fused"] = result.fused;
  for (const Warning& warning : result.warnings)
    directory["warnings"].push_back({{"path", warning.path}, {"message", warning.message}});
  packed.directory = directory.dump(-1, ' ', false, Json::error_handler_t::replace);
  return packed;
}

}  // namespace

Packed run_packed(std::string_view document, Memo* memo) {
  const Recording recording(read_document(document));
  return pack(recording, run(recording, Detail::everything, memo));
}

Packed answer_packed(std::string_view document, Memo* memo) {
  Packed packed;
  const auto refused = refusal_of([&] { packed = run_packed(document, memo); });
  if (!refused) return packed;
  return {R"({"ok":false,)" + error_text(*refused).substr(1), {}};
}

}  // namespace attend
