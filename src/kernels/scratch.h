// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace attend::kernels {

// Room for one call, kept for the next: a kernel that was called before allocates nothing.
// Calls may nest. The contents are whatever the last call left.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t size) {
    if (!spare().empty()) {
      room_ = std::move(spare().back());
      spare().pop_back();
    }
    room_.resize(size);
  }
  ~Scratch() {
    // More is given back; so would be the list itself if it had to grow without memory.
    if (room_.capacity() * sizeof(T) <= most_kept && spare().size() < spare().capacity())
      spare().push_back(std::move(room_));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] std::vector<T>& operator*() { return room_; }
  [[nodiscard]] T* data() { return room_.data(); }

 private:
  static constexpr std::size_t most_kept = std::size_t{4} << 20U;
  static std::vector<std::vector<T>>& spare() {
    thread_local std::vector<std::vector<T>> rooms = [] {
      std::vector<std::vector<T>> list;
      list.reserve(8);  // as deep as calls nest
      return list;
    }();
    return rooms;
  }

  std::vector<T> room_;
};

}  // namespace attend::kernels
