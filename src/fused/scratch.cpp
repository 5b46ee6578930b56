// SPDX-License-Identifier: Apache-2.0
#include "fused/scratch.h"

#include <cstdlib>

#include "fused/no_room.h"

namespace attend::fused {
namespace {

// More than this is given back after the call.
constexpr std::size_t kept = 1024 * 1024 / sizeof(real);

struct KeptRoom {
  real* data = nullptr;
  std::size_t size = 0;
  ~KeptRoom() { std::free(data); }
};
thread_local KeptRoom room;

}  // namespace

Scratch::Scratch(std::size_t most) {
  if (most > room.size) {
    std::free(room.data);
    room.size = 0;
    room.data = static_cast<real*>(std::aligned_alloc(64, rounded(most) * sizeof(real)));
    if (room.data == nullptr) no_room();
    room.size = rounded(most);
  }
  next_ = room.data;
}

Scratch::~Scratch() {
  if (room.size <= kept) return;
  std::free(room.data);
  room.data = nullptr;
  room.size = 0;
}

}  // namespace attend::fused
