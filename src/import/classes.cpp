// SPDX-License-Identifier: Apache-2.0
#include "import/classes.h"

#include <algorithm>

#include "experiment/recording/compile.h"
#include "experiment/running/run.h"
#include "import/sampling.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::size_t most_listed = 10;

// The classes have numbers from 0 on, each of them once.
Json in_order(const Json& labels, std::size_t classes) {
  if (labels.size() != classes) return nullptr;
  if (labels.is_array()) return labels;
  Json list = Json::array();
  for (std::size_t i = 0; i < classes; ++i) {
    const auto found = labels.find(std::to_string(i));
    if (found == labels.end()) return nullptr;
    list.push_back(*found);
  }
  return list;
}

[[noreturn]] void refuse_picture(const Checkpoint& checkpoint, const std::string& what) {
  const std::string& name =
      checkpoint.preprocessor_name.empty() ? checkpoint.config_name : checkpoint.preprocessor_name;
  refuse("", "\"" + name + "\": " + what);
}

void check_numbers(const Json& values, const char* what, const Json& channels, bool above,
                   const Checkpoint& checkpoint) {
  const Json list = values.is_array() ? values : Json::array({values});
  const bool fits = std::ranges::all_of(list, [&](const Json& value) {
    return value.is_number() && (!above || value.get<double>() > 0);
  });
  if (!fits)
    refuse_picture(checkpoint, std::string("its ") + what + " should be " +
                                   (above ? "numbers above 0" : "numbers") + ", found " +
                                   values.dump());
  if (values.is_array() && channels.is_number() && list.size() != channels.get<std::size_t>())
    refuse_picture(checkpoint, std::string("its ") + what + " has " + std::to_string(list.size()) +
                                   " numbers, but the model reads " + channels.dump() +
                                   " channels");
}

}  // namespace

Json class_labels(const Json& labels, const Json& classes, const Checkpoint& checkpoint,
                  const std::string& key) {
  if (!labels.is_structured() || !classes.is_number()) return nullptr;
  Json list = in_order(labels, classes.get<std::size_t>());
  const bool texts = list.is_array() &&
                     std::ranges::all_of(list, [](const Json& label) { return label.is_string(); });
  if (!texts)
    refuse("", "\"" + checkpoint.config_name + "\" contradicts the tensors: its \"" + key +
                   "\" should have a label for each of the " + classes.dump() +
                   " classes, numbered from 0; it has " + std::to_string(labels.size()) +
                   " entries");
  return list;
}

void check_picture(const Json& writes, const Json& channels, const Checkpoint& checkpoint) {
  if (!writes.is_object() || !writes.contains("picture")) return;
  const Json& picture = writes["picture"];
  if (picture.contains("mean"))
    check_numbers(picture["mean"], "mean of the colours", channels, false, checkpoint);
  if (picture.contains("std"))
    check_numbers(picture["std"], "deviation of the colours", channels, true, checkpoint);
}

std::string tell_classes(Json document, const Metadata& metadata) {
  const Json writes = metadata_json(metadata, "writes");
  const std::string logits = writes.at("predicts").get<std::string>() + ".logits";
  document.erase("gradient");
  document["outputs"] = {logits};
  Compiled compiled = compile(read_document(std::move(document)));
  const Result result = run(compiled, Detail::outputs);
  Json list = Json::array();
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group() != TensorGroup::outputs) continue;
    const std::vector<NextWord> all = next_words(result.data(tensor), Sampling{});
    for (std::size_t i = 0; i < std::min(all.size(), most_listed); ++i) {
      Json one{{"class", all[i].id}, {"probability", all[i].probability}};
      if (writes.contains("labels")) one["label"] = writes["labels"].at(all[i].id);
      list.push_back(std::move(one));
    }
  }
  return Json{{"input", writes.at("input")}, {"classes", std::move(list)}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace attend
