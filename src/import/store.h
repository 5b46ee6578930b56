// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "import/architecture.h"
#include "import/store_numbers.h"

namespace attend {

// Compiles the planned document with the shapes of its parameters alone. Throws Error, naming the tensor of the
// checkpoint, where a shape does not fit.
void check_plan(const ImportPlan& plan);

// The metadata of the file of weights: the tokenizer, unless it is left out, and which part of the document is read and
// written.
using Metadata = std::map<std::string, std::string, std::less<>>;
Metadata metadata_of(const ImportPlan& plan, const Checkpoint& checkpoint);
// One member of it as JSON; null where there is none.
Json metadata_json(const Metadata& metadata, std::string_view name);

// How one parameter comes into the file of weights.
struct StoreStep {
  const TensorSource* source;    // of the plan
  std::vector<StorePart> parts;  // what it is there
  bool passes = false;           // its bytes are those of the checkpoint's file
};
// The plan's weights as a safetensors file: its header, and the tensors whose numbers follow, in order.
struct StoreSteps {
  std::string head;
  std::vector<StoreStep> steps;
};
StoreSteps plan_store(const ImportPlan& plan, const Metadata& metadata, StoreNumbers numbers);
// Writes steps in their order. Several matrices may lie in one tensor, which is read once for those that follow each
// other.
class StepWriter {
 public:
  // Hands over the bytes of one step, some at a time. Throws Error where its tensor cannot be read.
  void write(const StoreStep& step, const std::function<void(std::string_view bytes)>& take);

 private:
  const StoredTensor* of_ = nullptr;
  FloatTensor read_;
};
// How many bytes of numbers a plan has, without the header.
std::uint64_t store_bytes(const ImportPlan& plan, StoreNumbers numbers);

}  // namespace attend
