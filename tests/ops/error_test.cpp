// SPDX-License-Identifier: Apache-2.0
#include "ops/error.h"

#include <doctest/doctest.h>

namespace attend {
namespace {

TEST_CASE("an error without a path is of the innermost part that is worked on") {
  CHECK(Error("bare").path.empty());
  const ErrorScope outer("/mechanism", "attention");
  {
    const ErrorScope inner("/mechanism/score", "dot");
    const Error error("too wide");
    CHECK(error.path == "/mechanism/score");
    CHECK(std::string(error.what()) == "[dot] too wide");
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

TEST_CASE("whoever listens is told of each error once, whole") {
  static int told = 0;
  static std::string path;
  on_error([](const Error& error) {
    ++told;
    path = error.path;
  });
  (void)Error("/inputs", "empty");
  on_error(nullptr);
  (void)Error("/seed", "unheard");
  CHECK(told == 1);
  CHECK(path == "/inputs");
}

}  // namespace
}  // namespace attend
