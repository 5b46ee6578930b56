// SPDX-License-Identifier: Apache-2.0
#include "import/store.h"

#include <algorithm>

#include "experiment/files/append_bytes.h"
#include "experiment/recording/compile.h"
#include "import/layout.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

// What is wrong with a tensor's layout is said with its name.
Shape shape_of(const TensorSource& source) {
  try {
    return shape_after(source.tensor->shape, source.layout);
  } catch (const Error& error) {
    refuse_file(*source.tensor->file,
                "the tensor \"" + source.tensor->name +
                    "\" has another shape than this family's: " + error.what());
  }
}

std::vector<StorePart> parts_of(const TensorSource& source, StoreNumbers numbers) {
  return attend::parts_of(source.parameter, shape_of(source), source.tensor->type, numbers);
}

// Numbers that stay as and where they are go through without being held: half a gigabyte is copied once, not four
// times.
bool passes(const TensorSource& source, StoreNumbers numbers) {
  return numbers == StoreNumbers::as_they_are && source.layout.empty() && is_plain(*source.tensor);
}

std::vector<const TensorSource*> sorted(const ImportPlan& plan) {
  std::vector<const TensorSource*> list;
  for (const TensorSource& source : plan.parameters) list.push_back(&source);
  std::ranges::sort(list, {}, [](const TensorSource* source) { return source->parameter; });
  return list;
}

}  // namespace

void check_plan(const ImportPlan& plan) {
  Document document = read_document(plan.document);
  for (const TensorSource& source : plan.parameters)
    document.parameters[source.parameter] = {shape_of(source), {}};
  try {
    (void)compile(std::move(document));
  } catch (const Error& error) {
    for (const TensorSource& source : plan.parameters) {
      if (error.path != "/parameters/" + as_pointer_part(source.parameter)) continue;
      refuse_file(*source.tensor->file, "the tensor \"" + source.tensor->name + "\" of shape " +
                                            to_text(source.tensor->shape) + " does not fit as " +
                                            source.parameter + ": " + error.what());
    }
    throw;
  }
}

Metadata metadata_of(const ImportPlan& plan, const Checkpoint& checkpoint) {
  Metadata metadata;
  metadata["architecture"] = plan.report["architecture"].get<std::string>();
  if (!plan.writes.is_null()) metadata["writes"] = plan.writes.dump();
  if (!checkpoint.tokenizer_text.empty()) metadata["tokenizer"] = checkpoint.tokenizer_text;
  return metadata;
}

Json metadata_json(const Metadata& metadata, std::string_view name) {
  const auto found = metadata.find(name);
  return found == metadata.end() ? Json() : Json::parse(found->second, nullptr, false);
}

std::uint64_t store_bytes(const ImportPlan& plan, StoreNumbers numbers) {
  std::uint64_t bytes = 0;
  for (const TensorSource& source : plan.parameters) {
    for (const StorePart& part : parts_of(source, numbers)) bytes += part.bytes();
  }
  return bytes;
}

StoreSteps plan_store(const ImportPlan& plan, const Metadata& metadata, StoreNumbers numbers) {
  StoreSteps store;
  Json header = Json::object();
  header["__metadata__"] = metadata;
  std::uint64_t at = 0;
  for (const TensorSource* source : sorted(plan)) {
    store.steps.push_back({source, parts_of(*source, numbers), passes(*source, numbers)});
    for (const StorePart& part : store.steps.back().parts) {
      header[part.name] = {
          {"dtype", part.type}, {"shape", part.shape}, {"data_offsets", {at, at + part.bytes()}}};
      at += part.bytes();
    }
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  append_bytes(store.head, std::uint64_t{text.size()});
  store.head += text;
  return store;
}

void StepWriter::write(const StoreStep& step,
                       const std::function<void(std::string_view bytes)>& take) {
  const StoredTensor& tensor = *step.source->tensor;
  if (step.passes) return pass_on(tensor, take);
  if (of_ != &tensor) {
    of_ = nullptr;
    read_ = {};  // before the next one takes as much memory
    read_ = read_stored(tensor);
    of_ = &tensor;
  }
  take(bytes_of(laid_out(read_, step.source->layout), step.parts));
}

}  // namespace attend
