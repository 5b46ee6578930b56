// SPDX-License-Identifier: Apache-2.0
// Errors and warnings at the field that causes them (error_places.json): the path, and the sentence that says what was
// expected, what was found and what to do.
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <string>

#include "experiment/learning/learner.h"
#include "experiment/running/directory.h"
#include "experiment/sessions/open_document.h"
#include "ops/near_names.h"
#include "tests/checkout.h"
#include "tests/experiment/harness.h"

namespace attend::testing::error_places_test {
namespace {

Json cases() {
  std::ifstream file(in_checkout("/tests/experiment/error_places.json"));
  REQUIRE(file.is_open());
  return Json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
}

// The document of a case; "fill" is short for as many equal numbers as an input has.
Json document_of(const Json& one) {
  Json document = one["document"];
  if (!document.contains("inputs")) return document;
  for (Json& input : document["inputs"]) {
    if (!input.contains("fill")) continue;
    const std::size_t count =
        input["shape"][0].get<std::size_t>() * input["shape"][1].get<std::size_t>();
    input["data"] = std::vector<double>(count, input["fill"].get<double>());
    input.erase("fill");
  }
  return document;
}

std::vector<Warning> said_about(const Json& one) {
  const Json document = document_of(one);
  try {
    if (one.contains("command")) {
      const Learner learner(document);
      return {};
    }
    const std::vector<Warning> warnings = run_json(document).warnings;
    return one.contains("warning") ? warnings : std::vector<Warning>{};
  } catch (const Error& error) {
    return {{error.path, error.what()}};
  }
}

}  // namespace

TEST_CASE("errors and warnings name the field that causes them, and say what to do") {
  const Json all = cases();
  CHECK(all.size() > 30);
  for (const Json& one : all) {
    const std::string path = one["path"], says = one["says"];
    std::string found;
    bool right = false;
    for (const Warning& warning : said_about(one)) {
      found += warning.path + ": " + warning.message + "\n";
      right = right || (warning.path == path && warning.message.find(says) != std::string::npos);
    }
    CHECK_MESSAGE(right, path << ": " << says << "\nfound " << found);
  }
}

TEST_CASE("a change of the whole document needs a whole document") {
  const Json one = cases().front();
  OpenDocument open(R"({"schema": "attention-playground/1", "inputs": {"x": {"matrix": [[1, 2]]}},
    "mechanism": {"query": "self-attention"}})");
  try {
    open.change(R"({"": {"seed": 2}})");
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK(error.path.empty());
    CHECK(std::string(error.what()).find("replaces all of it") != std::string::npos);
  }
}

TEST_CASE("the loss of a model, a sum over its modules, belongs to no module") {
  const Compiled compiled = compile(read_document(Json::parse(R"({
    "schema": "attention-playground/1", "inputs": {"x": {"matrix": [[1, 2], [3, 4]]}},
    "model": [{"name": "a", "type": "attention", "query": "self-attention", "inputs": {"x": "x"}},
              {"name": "b", "type": "attention", "query": "self-attention", "inputs": {"x": "a"},
               "penalties": ["disagreement-output"], "heads": {"type": "multi-head", "count": 2}}]})")));
  const KnownTensor* const loss = compiled.directory().output("loss");
  REQUIRE(loss != nullptr);
  CHECK(compiled.graph()[loss->node].module == no_module);
  for (const KnownTensor& step : compiled.directory().of(TensorGroup::steps)) {
    if (step.node == loss->node) CHECK_FALSE(step.record->module.has_value());
  }
  const Json described =
      describe_tensor(compiled, {loss->record, loss->node, compiled.shape_of(loss->node)});
  CHECK(described["module"] == "");
  CHECK(described["within"] == "");
}

TEST_CASE("a name that does not exist gets all names if they are few, else the nearest") {
  CHECK(names_for("x", {}, "it has ") == "it has none");
  CHECK(names_for("x", {"a", "b"}, "there are ") == "there are a, b");
  const std::vector<std::string> many{"alpha", "beta", "gamma", "delta",    "eta",
                                      "theta", "iota", "kappa", "task-copy"};
  CHECK(names_for("copy", many, "there are ").starts_with("closest are task-copy, "));
}

}  // namespace attend::testing::error_places_test
