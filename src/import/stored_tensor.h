// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "import/byte_source.h"
#include "ops/shape.h"

namespace attend {

// How a file writes the numbers of a tensor. `blocks_of_32` is GGUF's Q8_0: a half-precision scale and 32 bytes.
enum class NumberType { f64, f32, f16, bf16, i8, u8, i16, i32, i64, blocks_of_32, unknown };

// Bytes of so many numbers; 0 for a type that is not known.
std::uint64_t bytes_of(NumberType type, std::uint64_t count);

// A tensor of a checkpoint: what it is and where its numbers are. None of them has been read.
struct StoredTensor {
  std::string name;
  NumberType type = NumberType::unknown;
  std::string type_name;  // as the file calls it
  Shape shape;
  SharedSource file;
  std::uint64_t first = 0;               // the byte of its first number
  std::vector<std::uint64_t> strides{};  // in numbers, one per axis; empty: row-major
  std::string advice{};                  // what to do where its type cannot be read
  std::vector<StoredTensor>
      parts{};  // one behind the other they are this one, whose first axis counts them
};

// A tensor in memory.
struct FloatTensor {
  Shape shape;
  std::vector<float> data;
};

// A count that a file claims for a shape. Throws Error, naming file and tensor, where it passes what can be held.
std::uint64_t count_of(const StoredTensor& tensor);
// Checks that the numbers lie inside the file. Throws Error as above.
void check_inside(const StoredTensor& tensor);
// How many bytes of the file they lie in, from the first on. Throws Error as above.
std::uint64_t bytes_spanned(const StoredTensor& tensor);
// Reads them. Throws Error where the type is not known, the file ends, or a number is not finite.
FloatTensor read_stored(const StoredTensor& tensor);

// Whether the file has them row by row, as float32, float16 or bfloat16.
bool is_plain(const StoredTensor& tensor);
// Checks that such numbers are finite; these bytes begin at one number of the tensor. Throws Error as above.
void check_finite(const StoredTensor& tensor, std::uint64_t from, std::string_view bytes);
// Hands over the bytes of such a tensor as the file has them, some at a time. Throws Error as above.
void pass_on(const StoredTensor& tensor, const std::function<void(std::string_view)>& take);

}  // namespace attend
