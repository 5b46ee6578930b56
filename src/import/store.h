// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "import/architecture.h"
#include "import/store_numbers.h"

namespace attend {

// Compiles the planned document with the shapes of its parameters alone. Throws Error, naming the tensor of the
// checkpoint, where a shape does not fit.
void check_plan(const ImportPlan& plan);

// What the weights' file says beside the weights: the tokenizer, unless it has more than 5 MB, and what of the document
// is read and written.
using Metadata = std::map<std::string, std::string, std::less<>>;
Metadata metadata_of(const ImportPlan& plan, const Checkpoint& checkpoint);
// One member of it as JSON; null where there is none.
Json metadata_json(const Metadata& metadata, std::string_view name);

// Writes the plan's weights as a safetensors file, one tensor after the other: `write` gets its bytes in order, and
// `done` after each tensor how many of the numbers are through.
struct StoreWriter {
  std::function<void(std::string_view bytes)> write;
  std::function<void(std::uint64_t done, std::uint64_t all)> done = {};
  StoreNumbers numbers = StoreNumbers::as_they_are;
};
// How many bytes of numbers that is, without the header.
std::uint64_t store_bytes(const ImportPlan& plan, StoreNumbers numbers);
void write_store(const ImportPlan& plan, const Metadata& metadata, const StoreWriter& writer);

}  // namespace attend
