// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace attend::fuzz {

// The fuzzer's input as a row of decisions. When it is used up every decision is the first one, so
// that a shorter input makes a simpler document.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> data) : data_(data) {}

  // A number below `bound`.
  std::size_t below(std::size_t bound) {
    std::size_t number = next();
    if (bound > 256) number = number * 256 + next();
    return bound == 0 ? 0 : number % bound;
  }

  template <class List>
  auto& one_of(List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint8_t next() { return at_ < data_.size() ? data_[at_++] : std::uint8_t{0}; }

  std::span<const std::uint8_t> data_;
  std::size_t at_ = 0;
};

}  // namespace attend::fuzz
