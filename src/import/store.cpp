// SPDX-License-Identifier: Apache-2.0
#include "import/store.h"

#include <algorithm>
#include <cmath>

#include "experiment/files/append_bytes.h"
#include "experiment/recording/compile.h"
#include "import/layout.h"
#include "ops/error.h"
#include "ops/json_pointer.h"
#include "ops/text.h"

namespace attend {
namespace {

// What is wrong with a tensor's layout is said with its name.
Shape shape_of(const TensorSource& source) {
  try {
    Shape shape = shape_after(source.tensor->shape, source.layout);
    if (source.times != nullptr && source.times->shape != Shape{shape.empty() ? 0 : shape.back()})
      refuse("", "the tensor \"" + source.times->name + "\" of shape " +
                     to_text(source.times->shape) +
                     " does not have one factor for each column of the shape " + to_text(shape));
    return shape;
  } catch (const Error& error) {
    refuse_file(*source.tensor->file,
                "the tensor \"" + source.tensor->name +
                    "\" does not have the shape of this family: " + error.what());
  }
}

std::vector<StorePart> parts_of(const TensorSource& source, StoreNumbers numbers) {
  // A product is rounded to half precision only where that is asked for.
  const bool product = source.times != nullptr || multiplies(source.layout);
  const NumberType type = product ? NumberType::f32 : source.tensor->type;
  return attend::parts_of(source.parameter, shape_of(source), type, numbers);
}

// Multiplies each number by that of its column.
FloatTensor multiplied(FloatTensor tensor, const StoredTensor* times) {
  if (times == nullptr) return tensor;
  const FloatTensor factors = read_stored(*times);
  const std::size_t width = factors.data.size();
  for (std::size_t i = 0; i < tensor.data.size(); ++i) tensor.data[i] *= factors.data[i % width];
  return tensor;
}

// Half precision would make the largest number that it has of every larger one.
void check_half(const StoredTensor& tensor, std::span<const float> numbers) {
  constexpr float most = 65504;
  const auto found = std::ranges::find_if(numbers, [](float x) { return std::abs(x) > most; });
  if (found == numbers.end()) return;
  refuse_file(*tensor.file, "the tensor \"" + tensor.name + "\" has the number " +
                                number_exact(static_cast<double>(*found)) + " at position " +
                                std::to_string(found - numbers.begin()) +
                                ", but half precision ends at 65504; import it without --half");
}

// Whole numbers are positions, masks or codes of a method that the tensors do not name.
void check_weights(const ImportPlan& plan) {
  for (const TensorSource& source : plan.parameters) {
    const StoredTensor& tensor = *source.tensor;
    using enum NumberType;
    for (const NumberType type : {i8, u8, i16, i32, i64}) {
      if (tensor.type != type) continue;
      refuse_file(*tensor.file,
                  "the tensor \"" + tensor.name + "\" has whole numbers of the type " +
                      tensor.type_name + ", which cannot be weights for " + source.parameter +
                      "; expected F64, F32, F16 or BF16. If a method such as "
                      "bitsandbytes or GPTQ quantized it, use the release without quantization");
    }
  }
}

// The settings of a model are in its config.json, or in the file of its tensors.
std::string settings_file(const ImportPlan& plan) {
  std::string name;
  for (const Json& file : plan.report["files"]) {
    const auto& one = file.get_ref<const std::string&>();
    if (name.empty() || (one.ends_with("config.json") && !one.ends_with("_config.json")))
      name = one;
  }
  return name;
}

// The size of the family that a field of the document is named after.
std::string size_of_field(const std::string& path) {
  if (path.ends_with("/heads/count")) return "heads";
  if (path.ends_with("/position/0/base")) return "theta";
  return path.substr(path.find_last_of('/') + 1);
}

// The keys that give this size in a config of such a format: "eps" is "layer_norm_epsilon". Those of GGUF have dots.
std::string keys_of(const ImportPlan& plan, const std::string& name, bool dots) {
  for (const Json& family : all_architectures()) {
    if (family["id"] != plan.report["architecture"]) continue;
    for (const Json& size : family["sizes"]) {
      if (size["name"] != name || !size.contains("config")) continue;
      std::string keys;
      for (const Json& one : size["config"]) {
        const auto& key = one.get_ref<const std::string&>();
        if ((key.find('.') != std::string::npos) == dots)
          keys += (keys.empty() ? "\"" : " or \"") + key + "\"";
      }
      return keys.empty() ? "" : keys + ", the " + size["says"].get<std::string>();
    }
  }
  return "";
}

// A setting that no model can have is an error of the document's field; its reader knows the file that says it.
[[noreturn]] void refuse_setting(const ImportPlan& plan, const Error& error) {
  const std::string file = settings_file(plan);
  const std::string keys = keys_of(plan, size_of_field(error.path), !file.ends_with(".json"));
  refuse("", "\"" + file + "\": " +
                 (keys.empty() ? "a model with its settings and these tensors cannot be built"
                               : "its " + keys + ", does not fit") +
                 " (" + error.path + "): " + error.what());
}

// Numbers that stay as and where they are go through without being held: half a gigabyte is copied once, not four
// times.
bool passes(const TensorSource& source, StoreNumbers numbers) {
  return numbers == StoreNumbers::as_they_are && source.layout.empty() && source.times == nullptr &&
         is_plain(*source.tensor);
}

std::vector<const TensorSource*> sorted(const ImportPlan& plan) {
  std::vector<const TensorSource*> list;
  for (const TensorSource& source : plan.parameters) list.push_back(&source);
  std::ranges::sort(list, {}, [](const TensorSource* source) { return source->parameter; });
  return list;
}

}  // namespace

void check_plan(const ImportPlan& plan) {
  check_weights(plan);
  try {
    Document document = read_document(plan.document);
    for (const TensorSource& source : plan.parameters)
      document.parameters[source.parameter] = {shape_of(source), {}};
    (void)compile(std::move(document));
  } catch (const Error& error) {
    for (const TensorSource& source : plan.parameters) {
      if (error.path != "/parameters/" + as_pointer_part(source.parameter)) continue;
      refuse_file(*source.tensor->file, "the tensor \"" + source.tensor->name + "\" of shape " +
                                            to_text(source.tensor->shape) + " does not fit as " +
                                            source.parameter + ": " + error.what());
    }
    if (error.path.starts_with("/model")) refuse_setting(plan, error);
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
  return found == metadata.end()
             ? Json()
             : parse_foreign_json(found->second,
                                  "the \"" + std::string(name) + "\" in the file of the weights");
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
    if (step.parts.back().type == "F16" && tensor.type != NumberType::f16)
      check_half(tensor, read_.data);
    of_ = &tensor;
  }
  take(bytes_of(multiplied(laid_out(read_, step.source->layout), step.source->times), step.parts));
}

}  // namespace attend
