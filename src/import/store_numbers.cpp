// SPDX-License-Identifier: Apache-2.0
#include "import/store_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "experiment/files/append_bytes.h"
#include "experiment/files/tensor_file.h"

namespace attend {
namespace {

// Of smaller matrices, and of biases by heads, bytes would save nothing that anybody feels.
constexpr std::size_t fewest_byte_rows = 32, fewest_numbers = 16'384;

std::string type_name_of(NumberType type, StoreNumbers numbers) {
  if (numbers == StoreNumbers::half ||
      (numbers == StoreNumbers::as_they_are && type == NumberType::f16))
    return "F16";
  return numbers == StoreNumbers::as_they_are && type == NumberType::bf16 ? "BF16" : "F32";
}

// The largest number of a column becomes 127.
void put_bytes(std::string& out, const FloatTensor& tensor) {
  const std::size_t columns = tensor.shape.back(), rows = tensor.shape.end()[-2];
  const std::size_t count = rows * columns, all = tensor.data.size();
  std::vector<float> scales(count == 0 ? 0 : all / count * columns, 0);
  for (std::size_t at = 0; at < all; ++at) {
    float& most = scales[at / count * columns + at % columns];
    most = std::max(most, std::abs(tensor.data[at]));
  }
  for (float& scale : scales) {
    scale = scale == 0 ? 1 : scale / 127;
    append_bytes(out, scale);
  }
  for (std::size_t at = 0; at < all; ++at) {
    const float byte =
        std::nearbyint(tensor.data[at] / scales[at / count * columns + at % columns]);
    append_bytes(out, static_cast<std::int8_t>(std::clamp(byte, -127.0F, 127.0F)));
  }
}

}  // namespace

std::uint64_t StorePart::bytes() const {
  const std::uint64_t width = type == "F32" ? 4 : type == "I8" ? 1 : 2;
  return width * element_count(shape);
}

std::vector<StorePart> parts_of(const std::string& name, const Shape& shape, NumberType type,
                                StoreNumbers numbers) {
  if (numbers != StoreNumbers::bytes || shape.size() < 2 || shape.end()[-2] < fewest_byte_rows ||
      element_count(shape) < fewest_numbers)
    return {{name, type_name_of(type, numbers), shape}};
  Shape scale = shape;
  scale.end()[-2] = 1;
  return {{name + ".scale", "F32", scale}, {name, "I8", shape}};
}

std::string bytes_of(const FloatTensor& tensor, const std::vector<StorePart>& parts) {
  std::string out;
  const std::string& type = parts.back().type;
  if (type == "I8") {
    put_bytes(out, tensor);
  } else if (type == "F16") {
    for (const float x : tensor.data) append_bytes(out, half_of(x));
  } else if (type == "BF16") {
    for (const float x : tensor.data)
      append_bytes(out, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16U));
  } else {
    out.assign(reinterpret_cast<const char*>(tensor.data.data()),
               tensor.data.size() * sizeof(float));
  }
  return out;
}

}  // namespace attend
