// SPDX-License-Identifier: Apache-2.0
#include "ops/error.h"

#include <doctest/doctest.h>

namespace attend::error_test {
namespace {

TEST_CASE("an error without a path is of the innermost part that is worked on") {
  CHECK(Error("bare").path.empty());
  const ErrorScope outer("/mechanism", "attention");
  {
    const ErrorScope inner("/mechanism/score", "dot");
    const Error error("too wide");
    CHECK(error.path == "/mechanism/score");
    CHECK(std::string(error.what()) == "\"dot\": too wide");
    const Error placed("/seed", "not a number");
    CHECK(placed.path == "/seed");
    CHECK(std::string(placed.what()) == "not a number");
  }
  const ErrorScope nameless("/outputs/0", "");
  CHECK(Error("unknown").path == "/outputs/0");
  CHECK(std::string(Error("unknown").what()) == "unknown");
}

TEST_CASE("a part is left when an error passes through it") {
  const ErrorScope outer("/mechanism", "attention");
  try {
    const ErrorScope inner("/mechanism/mask", "mask-causal");
    throw Error("gone");
  } catch (const Error& error) {
    CHECK(error.path == "/mechanism/mask");
  }
  CHECK(Error("after").path == "/mechanism");
}

TEST_CASE("what is refused is thrown as an error") {
  CHECK_THROWS_AS(refuse("/seed", "not a number"), Error);
  const ErrorScope scope("/mechanism", "attention");
  CHECK_THROWS_WITH(refuse("too wide"), "\"attention\": too wide");
}

}  // namespace
}  // namespace attend::error_test
