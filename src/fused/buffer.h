// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "fused/no_room.h"

namespace attend::fused {

// So many rows are worked on together: their room stays in the caches.
inline constexpr std::size_t block_rows = 128;

// Room for so many plain numbers, on a cache line, as long as it lives. A std::vector would bring exceptions into the
// small modules (fused/no_room.h).
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size = 0) { fit(size); }
  ~Buffer() { std::free(data_); }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // At least so many; what was in it is lost where it grows.
  void fit(std::size_t size) {
    if (size <= size_) return;
    std::free(data_);
    size_ = 0;
    const std::size_t bytes = (size * sizeof(T) + 63) / 64 * 64;
    data_ = static_cast<T*>(std::aligned_alloc(64, bytes));
    if (data_ == nullptr) no_room();
    size_ = size;
  }
  T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace attend::fused
