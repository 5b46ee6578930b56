// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ops/shape.h"

namespace attend {

// The header of a safetensors file, read and checked before any number is: whoever reads the numbers may do so by
// slices. All of these functions throw Error, saying what is wrong with the file.

struct TensorEntry {
  std::string name, type;
  Shape shape;
  std::uint64_t first = 0, last = 0;  // its bytes, counted from the end of the header
};

struct TensorHeader {
  std::vector<TensorEntry> entries;  // in the order of their names
  std::map<std::string, std::string, std::less<>> metadata;
};

[[noreturn]] void refuse_tensor_file(const std::string& why);

// Bytes of one number of a type, 0 for a type that is not known.
std::size_t width_of_type(std::string_view type);
// Whether numbers of this type can be weights: F64, F32, F16, BF16 and I8.
bool is_weight_type(std::string_view type);

// The length of the header, which the first 8 bytes of a file of `size` bytes say.
std::uint64_t header_length(std::string_view first_bytes, std::uint64_t size);
// The header's text; `data_bytes` follow it.
TensorHeader read_tensor_header(std::string_view text, std::uint64_t data_bytes);

}  // namespace attend
