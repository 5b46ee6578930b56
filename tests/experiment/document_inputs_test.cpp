// SPDX-License-Identifier: Apache-2.0
// What a measurement reads of a document by name.
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/describing/describe.h"
#include "ops/error.h"
#include "tests/evaluation/measuring.h"

namespace attend::testing::document_inputs_test {
namespace {

Json broken(const std::string& name) {
  return document_file("/tests/experiment/broken/" + name + ".json");
}

}  // namespace

TEST_CASE("a text that is to be read from a map is refused, as a map says no words") {
  try {
    (void)answer_measurement(broken("measure-references-name-a-map"));
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK(error.path == "/references");
    CHECK(std::string(error.what()).find("\"weights\" is a map over keys") != std::string::npos);
  }
}

TEST_CASE("a reference may be the words of an input") {
  Json measurement = broken("measure-references-name-a-map");
  measurement["references"] = "x";
  measurement["measure"] = "bleu";
  measurement["tokens"] = {"a", "b"};
  CHECK_NOTHROW((void)answer_measurement(measurement));
}

TEST_CASE("what the catalogue says of a measure's range holds for what it gives") {
  const Json answer = answer_measurement(broken("measure-beyond-its-range"));
  const double value = answer["value"].get<double>();
  CHECK(value > 1);  // a context is no chance, and changes by as much as its values differ
  for (const Json& measure : describe_measures()) {
    if (measure["id"] != "permutation-test") continue;
    CHECK(measure["lowest"] == 0);
    CHECK((measure["highest"].is_null() || measure["highest"].get<double>() >= value));
  }
}

}  // namespace attend::testing::document_inputs_test
