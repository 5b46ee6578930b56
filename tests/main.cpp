// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT
// CTest reads the list of cases, which colours would garble; a WebAssembly program takes every
// output for a terminal.
#define DOCTEST_CONFIG_COLORS_NONE
#include <doctest/doctest.h>

#include "tests/each.h"

int main(int argc, char** argv) {
  attend::testing::make_all_cases();
  return doctest::Context(argc, argv).run();
}
