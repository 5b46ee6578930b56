// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "import/stored_tensor.h"

namespace attend {

// How weights are written: half precision and bfloat16 as the checkpoint has them and all else as float32; all in half
// precision; or large matrices as bytes with a scale for each column, and the rest as float32.
enum class StoreNumbers { as_they_are, half, bytes };

// A tensor of the file that is written.
struct StorePart {
  std::string name, type;  // the type as safetensors calls it
  Shape shape;

  [[nodiscard]] std::uint64_t bytes() const;
};

// What a tensor of that shape becomes, in the order of the file: itself, or its scales and then itself. `type`: how the
// checkpoint has it.
std::vector<StorePart> parts_of(const std::string& name, const Shape& shape, NumberType type,
                                StoreNumbers numbers);
// The bytes of these parts, one after the other.
std::string bytes_of(const FloatTensor& tensor, const std::vector<StorePart>& parts);

}  // namespace attend
