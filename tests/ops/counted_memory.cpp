// SPDX-License-Identifier: Apache-2.0
// The test binary's own `new` and `delete`: each block carries its size in front, so that memory
// can be counted.
#include "tests/ops/counted_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t front = alignof(std::max_align_t) > sizeof(std::size_t)
                                  ? alignof(std::max_align_t)
                                  : sizeof(std::size_t);
std::size_t held = 0, peak = 0;

}  // namespace

void* operator new(std::size_t size) {
  void* block = std::malloc(size + front);
  if (block == nullptr) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = size;
  held += size;
  peak = std::max(peak, held);
  return static_cast<char*>(block) + front;
}

void operator delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  void* block = static_cast<char*>(pointer) - front;
  held -= *static_cast<std::size_t*>(block);
  std::free(block);
}

void operator delete(void* pointer, std::size_t) noexcept { operator delete(pointer); }

namespace attend::testing {

std::size_t memory_held() { return held; }
std::size_t memory_peak() { return peak; }
void restart_memory_peak() { peak = held; }

}  // namespace attend::testing
