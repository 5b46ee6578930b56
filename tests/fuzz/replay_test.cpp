// SPDX-License-Identifier: Apache-2.0
// The fuzzers' corpus once more, and what hostile hands wrote: every document keeps every law.
#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "experiment/text/json_parse.h"
#include "tests/checkout.h"
#include "tests/fuzz/laws.h"
#include "tests/fuzz/made_document.h"

namespace attend::fuzz::replay_test {
namespace {

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::in_checkout("/tests/fuzz/corpus")))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("every document of the fuzzers' corpus keeps every law") {
  REQUIRE(corpus().size() > 20);
  for (const auto& file : corpus()) {
    CAPTURE(file.filename().string());
    for (std::size_t check = 0; check < slow_checks; ++check)
      CHECK(broken_law(content(file), check) == "");
  }
}

TEST_CASE("the same decisions make the same document, and other ones another") {
  const std::array<std::uint8_t, 10> some{9, 3, 5, 1, 1, 2, 5, 2, 7, 1};
  Bytes none({}), one(some), again(some);
  const Json document = made_document(one);
  CHECK(document == made_document(again));
  CHECK(document != made_document(none));
}

}  // namespace attend::fuzz::replay_test
