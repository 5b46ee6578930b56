// SPDX-License-Identifier: Apache-2.0
// The test binary's own `new` and `delete`: each block carries its size in front, so that memory
// can be counted.
#include "tests/ops/counted_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t held = 0, peak = 0, calls = 0;

}  // namespace

// The address sanitizer brings its own, which must not be mixed with these.
#if defined(__SANITIZE_ADDRESS__)
#define ATTEND_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATTEND_SANITIZED
#endif
#endif

#ifndef ATTEND_SANITIZED
constexpr std::size_t front = alignof(std::max_align_t) > sizeof(std::size_t)
                                  ? alignof(std::max_align_t)
                                  : sizeof(std::size_t);

void* operator new(std::size_t size) {
  void* block = std::malloc(size + front);
  if (block == nullptr) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = size;
  held += size;
  ++calls;
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
#endif

namespace attend::testing {

std::size_t memory_held() { return held; }
std::size_t memory_peak() { return peak; }
void restart_memory_peak() { peak = held; }
std::size_t memory_calls() { return calls; }

}  // namespace attend::testing
