// SPDX-License-Identifier: Apache-2.0
#include "import/stored_tensor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "experiment/files/tensor_file.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::uint64_t q8_block = 32, block_bytes = 34;
constexpr std::uint64_t slice_numbers = std::uint64_t{1} << 22U;

[[noreturn]] void refuse_tensor(const StoredTensor& tensor, const std::string& why) {
  refuse_file(*tensor.file, "the tensor \"" + tensor.name + "\" " + why);
}

template <class T>
T get(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

double number_at(NumberType type, const char* bytes, std::uint64_t i) {
  switch (type) {
    case NumberType::f64:
      return get<double>(bytes + 8 * i);
    case NumberType::f32:
      return static_cast<double>(get<float>(bytes + 4 * i));
    case NumberType::f16:
      return static_cast<double>(float_of_half(get<std::uint16_t>(bytes + 2 * i)));
    case NumberType::bf16:
      return static_cast<double>(
          std::bit_cast<float>(std::uint32_t{get<std::uint16_t>(bytes + 2 * i)} << 16U));
    case NumberType::i8:
      return static_cast<double>(get<std::int8_t>(bytes + i));
    case NumberType::u8:
      return static_cast<double>(get<std::uint8_t>(bytes + i));
    case NumberType::i16:
      return static_cast<double>(get<std::int16_t>(bytes + 2 * i));
    case NumberType::i32:
      return static_cast<double>(get<std::int32_t>(bytes + 4 * i));
    case NumberType::i64:
      return static_cast<double>(get<std::int64_t>(bytes + 8 * i));
    case NumberType::blocks_of_32: {
      const char* begin = bytes + i / q8_block * block_bytes;
      return static_cast<double>(float_of_half(get<std::uint16_t>(begin))) *
             static_cast<double>(get<std::int8_t>(begin + 2 + i % q8_block));
    }
    case NumberType::unknown:
      break;
  }
  return 0;
}

// Copies or widens numbers that most files hold, many at once; false where one is not finite, or the type is another.
bool widened(NumberType type, const char* bytes, std::span<float> room) {
  const auto widen = [&](auto written, auto number) {
    using Written = decltype(written);
    for (std::size_t i = 0; i < room.size(); ++i)
      room[i] = number(get<Written>(bytes + i * sizeof(Written)));
  };
  if (type == NumberType::f32) {
    std::memcpy(room.data(), bytes, room.size_bytes());
  } else if (type == NumberType::f16) {
    widen(std::uint16_t{}, float_of_half);
  } else if (type == NumberType::bf16) {
    widen(std::uint16_t{}, float_of_upper_half);
  } else {
    return false;
  }
  std::uint32_t unfit = 0;
  for (const float x : room) {
    constexpr std::uint32_t exponent = 0x7f800000U;
    unfit |= std::uint32_t{(std::bit_cast<std::uint32_t>(x) & exponent) == exponent};
  }
  return unfit == 0;
}

template <class Bits>
bool all_finite(std::string_view bytes, Bits exponent) {
  std::uint32_t unfit = 0;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Bits))
    unfit |= std::uint32_t{(get<Bits>(bytes.data() + i) & exponent) == exponent};
  return unfit == 0;
}

bool all_finite(NumberType type, std::string_view bytes) {
  if (type == NumberType::f32) return all_finite(bytes, std::uint32_t{0x7f800000U});
  return all_finite(bytes, static_cast<std::uint16_t>(type == NumberType::f16 ? 0x7c00U : 0x7f80U));
}

// So many numbers from one place of the storage on: `use(bytes, done, count)` gets some at a time.
template <class Use>
void by_slices(const StoredTensor& tensor, std::uint64_t from, std::uint64_t all, Use use) {
  std::string bytes;
  for (std::uint64_t done = 0; done < all;) {
    const std::uint64_t count = std::min(all - done, slice_numbers);
    bytes.resize(static_cast<std::size_t>(bytes_of(tensor.type, count)));
    tensor.file->read(tensor.first + bytes_of(tensor.type, from + done), bytes);
    use(bytes, done, count);
    done += count;
  }
}

// The number at a place of `bytes`, which is this one of the storage.
float fit_number(const StoredTensor& tensor, std::string_view bytes, std::uint64_t i,
                 std::uint64_t place) {
  const double x = number_at(tensor.type, bytes.data(), i);
  constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
  if (!std::isfinite(x) || std::abs(x) > most)
    refuse_tensor(tensor, "holds " +
                              std::string(std::isnan(x)   ? "NaN"
                                          : std::isinf(x) ? "infinity"
                                                          : "a number beyond float32") +
                              " at position " + std::to_string(place));
  return static_cast<float>(x);
}

void read_run(const StoredTensor& tensor, std::uint64_t from, std::span<float> room) {
  by_slices(tensor, from, room.size(),
            [&](const std::string& bytes, std::uint64_t done, std::uint64_t count) {
              const std::span<float> part =
                  room.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(count));
              const bool ready = widened(tensor.type, bytes.data(), part);
              for (std::uint64_t i = 0; !ready && i < count; ++i)
                part[static_cast<std::size_t>(i)] = fit_number(tensor, bytes, i, from + done + i);
            });
}

// The place of the last number of the storage that the strides reach.
std::uint64_t last_place(const StoredTensor& tensor) {
  std::uint64_t last = 0;
  for (std::size_t a = 0; a < tensor.shape.size(); ++a) {
    const std::uint64_t steps = tensor.shape[a] - 1;
    if (steps != 0 && tensor.strides[a] > max_recorded / steps)
      refuse_tensor(tensor, "has strides that lead outside the file");
    last += steps * tensor.strides[a];
  }
  return last;
}

bool is_row_major(const StoredTensor& tensor) {
  if (tensor.strides.empty()) return true;
  const Strides usual = strides_of(tensor.shape);
  for (std::size_t a = 0; a < tensor.shape.size(); ++a) {
    if (tensor.shape[a] > 1 && tensor.strides[a] != usual[a]) return false;
  }
  return true;
}

}  // namespace

std::uint64_t bytes_of(NumberType type, std::uint64_t count) {
  switch (type) {
    case NumberType::f64:
    case NumberType::i64:
      return 8 * count;
    case NumberType::f32:
    case NumberType::i32:
      return 4 * count;
    case NumberType::f16:
    case NumberType::bf16:
    case NumberType::i16:
      return 2 * count;
    case NumberType::i8:
    case NumberType::u8:
      return count;
    case NumberType::blocks_of_32:
      return count / q8_block * block_bytes;
    case NumberType::unknown:
      break;
  }
  return 0;
}

std::uint64_t count_of(const StoredTensor& tensor) {
  std::uint64_t count = 1;
  if (tensor.shape.size() > max_rank)
    refuse_tensor(tensor, "has " + std::to_string(tensor.shape.size()) + " axes; at most " +
                              std::to_string(max_rank) + " are read");
  for (const std::size_t extent : tensor.shape) {
    if (extent != 0 && count > max_recorded / extent)
      refuse_tensor(tensor, "claims the shape " + to_text(tensor.shape) + ", more than " +
                                std::to_string(max_recorded) + " numbers");
    count *= extent;
  }
  return count;
}

void check_inside(const StoredTensor& tensor) {
  if (tensor.type == NumberType::unknown) return;
  const std::uint64_t bytes = bytes_spanned(tensor), size = tensor.file->size();
  if (bytes > size || tensor.first > size - bytes)
    refuse_tensor(tensor, "of shape " + to_text(tensor.shape) + " needs " + std::to_string(bytes) +
                              " bytes from byte " + std::to_string(tensor.first) +
                              " on, but the file has " + std::to_string(size) +
                              ": it is cut short, or its header is wrong");
}

std::uint64_t bytes_spanned(const StoredTensor& tensor) {
  const std::uint64_t count = count_of(tensor);
  if (count == 0) return 0;
  if (tensor.type == NumberType::blocks_of_32 &&
      (tensor.shape.empty() || tensor.shape.back() % q8_block != 0))
    refuse_tensor(tensor,
                  "has the type Q8_0, so its rows need a multiple of 32 numbers; its shape is " +
                      to_text(tensor.shape));
  const std::uint64_t places = tensor.strides.empty() ? count : last_place(tensor) + 1;
  // Otherwise a file of some bytes could claim any amount of memory.
  if (places < count)
    refuse_tensor(tensor, "of shape " + to_text(tensor.shape) +
                              " repeats its numbers by its strides; save it with .contiguous()");
  return bytes_of(tensor.type, places);
}

bool is_plain(const StoredTensor& tensor) {
  return tensor.parts.empty() && is_row_major(tensor) &&
         (tensor.type == NumberType::f32 || tensor.type == NumberType::f16 ||
          tensor.type == NumberType::bf16);
}

void check_finite(const StoredTensor& tensor, std::uint64_t from, std::string_view bytes) {
  if (all_finite(tensor.type, bytes)) return;
  const std::uint64_t count = bytes.size() / bytes_of(tensor.type, 1);
  for (std::uint64_t i = 0; i < count; ++i) (void)fit_number(tensor, bytes, i, from + i);
}

void pass_on(const StoredTensor& tensor, const std::function<void(std::string_view)>& take) {
  check_inside(tensor);
  by_slices(tensor, 0, count_of(tensor),
            [&](const std::string& bytes, std::uint64_t done, std::uint64_t) {
              check_finite(tensor, done, bytes);
              take(bytes);
            });
}

FloatTensor read_stored(const StoredTensor& tensor) {
  if (tensor.type == NumberType::unknown)
    refuse_tensor(tensor, "has numbers of the type " + tensor.type_name + ", which cannot be read" +
                              (tensor.advice.empty() ? "" : "; " + tensor.advice));
  if (!tensor.parts.empty()) {
    FloatTensor all{tensor.shape, {}};
    all.data.reserve(static_cast<std::size_t>(count_of(tensor)));
    for (const StoredTensor& part : tensor.parts) {
      const FloatTensor one = read_stored(part);
      all.data.insert(all.data.end(), one.data.begin(), one.data.end());
    }
    return all;
  }
  check_inside(tensor);
  const std::uint64_t count = count_of(tensor);
  FloatTensor read{tensor.shape, std::vector<float>(static_cast<std::size_t>(count))};
  if (count == 0) return read;
  if (is_row_major(tensor)) {
    read_run(tensor, 0, read.data);
    return read;
  }
  std::vector<float> storage(static_cast<std::size_t>(last_place(tensor) + 1));
  read_run(tensor, 0, storage);
  std::vector<std::size_t> index(tensor.shape.size(), 0);
  for (float& number : read.data) {
    std::uint64_t place = 0;
    for (std::size_t a = 0; a < index.size(); ++a) place += index[a] * tensor.strides[a];
    number = storage[static_cast<std::size_t>(place)];
    for (std::size_t a = index.size(); a-- > 0 && ++index[a] == tensor.shape[a];) index[a] = 0;
  }
  return read;
}

}  // namespace attend
