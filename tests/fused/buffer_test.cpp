// SPDX-License-Identifier: Apache-2.0
// Kernels that find no memory are an answer, not the end of the process.
#include "fused/buffer.h"

#include <doctest/doctest.h>
#include <limits>
#include <new>

#include "fused/scratch.h"

namespace attend::fused::buffer_test {
namespace {

// More than any machine has, and few enough that its bytes can be counted. Volatile, so that no compiler sees the size
// and refuses it before the kernel can.
volatile std::size_t too_many = std::numeric_limits<std::size_t>::max() / sizeof(real) - 1024;

}  // namespace

TEST_CASE("a buffer without memory throws, and serves afterwards") {
  Buffer<real> buffer(3);
  CHECK_THROWS_AS(buffer.fit(too_many), std::bad_alloc);
  buffer.fit(3);
  REQUIRE(buffer.data() != nullptr);
  buffer.data()[2] = 1;
  CHECK(buffer.data()[2] == 1);
}

TEST_CASE("scratch without memory throws, and serves afterwards") {
  CHECK_THROWS_AS(Scratch scratch(too_many), std::bad_alloc);
  Scratch scratch(3);
  real* const part = scratch.take(3);
  REQUIRE(part != nullptr);
  part[2] = 1;
  CHECK(part[2] == 1);
}

}  // namespace attend::fused::buffer_test
