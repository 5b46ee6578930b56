// SPDX-License-Identifier: Apache-2.0
// Documents that once went wrong (tests/experiment/broken): each is refused in words that name the
// field and the cause, or gives the right numbers.
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

#include "experiment/service.h"
#include "tests/checkout.h"
#include "tests/experiment/harness.h"

namespace attend::testing::broken_test {
namespace {

std::string broken(const std::string& name) {
  std::ifstream file(testing::in_checkout("/tests/experiment/broken/" + name + ".json"));
  REQUIRE_MESSAGE(file.is_open(), name);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Refused {
  std::string name, path, message;
};

}  // namespace

TEST_CASE("what is refused is told by its field and its cause") {
  for (const auto& [name, path, message] : {
           Refused{"message-given-parameters-count", "/mechanism/heads/count", "sets it to 2"},
           Refused{"message-given-parameters-hidden", "/mechanism/score/base/hidden",
                   "sets it to 2"},
           Refused{"message-given-parameters-filters", "/mechanism/score/filters", "sets it to 1"},
           Refused{"message-not-settled-nested", "/mechanism/alignment/base", "no query"},
           Refused{"message-not-settled-filters", "/mechanism/alignment", "no query"},
           Refused{"message-not-settled-penalty", "/mechanism/penalties/0", "no query"},
           Refused{"crash-gated-heads-filters", "/mechanism/heads", "reads the query"},
           Refused{"nested-sinkhorn-coverage", "/mechanism/alignment/base", "needs all rows"},
           Refused{"mixed-heads-sinkhorn-adaptive", "/mechanism/heads/alignments/0", "all rows"},
           Refused{"concat-query-coverage-sinkhorn", "/mechanism/alignment", "needs all rows"},
           Refused{"message-missing-input", "/inputs", "reads an input \"x\", which is missing"},
           Refused{"message-missing-query", "/inputs", "there is no query"},
           Refused{"message-used-with-shape", "/mechanism/position/0", "equally wide"},
#ifndef ATTEND_DOUBLE
           Refused{"message-index-minus-1", "/mechanism", "become too large"},  // for a float
#endif
           Refused{"error-empty-path", "/inputs/x/shape", "has more than"},
           Refused{"message-cut-at-NUL", "/outputs/0", "\\u0000abc\"; there are query"},
           Refused{"sum-labels-path", "/inputs/x/labels", "expected 2 labels"},
           Refused{"row-of-multidim-is-a-key", "/outputs/1", "there is no row 3"},
       }) {
    try {
      run_json(Json::parse(broken(name)));
      FAIL_CHECK(name << ": nothing was refused");
    } catch (const Error& error) {
      CHECK_MESSAGE(error.path == path, name << ": " << error.path);
      CHECK_MESSAGE(std::string(error.what()).find(message) != std::string::npos,
                    name << ": " << error.what());
    }
  }
}

TEST_CASE(
    "a shape of more axes than a tensor can have is told where it stands, and by their number") {
  try {
    run_json({{"schema", "attention-playground/1"},
              {"inputs", {{"x", {{"shape", std::vector<int>(500, 1)}, {"data", {1}}}}}},
              {"mechanism", {{"query", "self-attention"}}}});
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK(error.path == "/inputs/x/shape");
    CHECK(error.what() == std::string("expected at most 16 axes, found 500"));
  }
}

TEST_CASE("a row of a map with a weight per feature is the row of one query") {
  Json document = Json::parse(broken("row-of-multidim-is-a-key"));
  document["outputs"] = {"weights", "weights[1]"};
  const Ran ran = run_json(document);
  const Array one = part(ran.outputs.at("weights"), 1), &row = ran.outputs.at("weights[1]");
  CHECK(row.shape == Shape{1, 4, 3});
  CHECK(row.data == one.data);
}

TEST_CASE("work without end is refused before it starts") {
  try {
    run_json(Json::parse(broken("endless-sinkhorn")));
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK(error.path == "/mechanism");
    CHECK(std::string(error.what()).find("would compute for about") != std::string::npos);
    CHECK(std::string(error.what()).find("iterations") != std::string::npos);
  }
}

TEST_CASE("a large parameter that was drawn stays behind, and the result says so") {
  const Json result = Json::parse(run_document(broken("large-parameters")));
  CHECK(result["outputs"].empty());
  CHECK(!result["parameters"].contains("position.0.P"));
  REQUIRE(!result["warnings"].empty());
  const std::string message = result["warnings"][0]["message"];
  CHECK(message.find("too large to return unless requested") != std::string::npos);
}

TEST_CASE("a mechanism that is an id alone is the mechanism with its defaults") {
  Json document = Json::parse(broken("mechanism-as-id"));
  const Json by_id = Json::parse(run_document(document.dump()));
  document["mechanism"] = {{"type", document["mechanism"]}};
  CHECK(by_id["outputs"] == Json::parse(run_document(document.dump()))["outputs"]);
  CHECK(!by_id["outputs"].empty());
}

TEST_CASE("a gradient that becomes too large is told as one") {
  Json document = Json::parse(broken("gradient-name"));
  CHECK(!run_json(document).gradients.empty());
#ifndef ATTEND_DOUBLE
  document["gradient"]["cotangent"] = Json::parse("[[2, 2]]");
  try {
    run_json(document);
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("the gradient by inputs.key") != std::string::npos);
  }
  // What the schema of a cotangent does not allow, the reader refuses, too.
  document["gradient"]["cotangent"] = {{"shape", {1, 2}}, {"data", {1, 1}}, {"labels", {"a"}}};
  try {
    run_json(document);
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK(error.path == "/gradient/cotangent/labels");
  }
#endif
}

TEST_CASE("a thousand hops are a thousand maps, and nothing more") {
  const Json result = Json::parse(run_document(broken("page-freeze-hops")));
  std::size_t maps = 0;
  for (const auto& [name, tensor] : result["outputs"].items()) {
    if (name.ends_with(".weights")) ++maps;
    for (const Json& number : tensor["data"]) REQUIRE(number.is_number());
  }
  CHECK(maps == 1000);
}

TEST_CASE("an output that is asked for twice is given once") {
  const Json result = Json::parse(run_document(broken("duplicate-keys-in-result")));
  CHECK(result["outputs"].size() == 1);
  std::string text = run_document(broken("duplicate-keys-in-result"));
  text.resize(text.find("\"directory\""));
  CHECK(text.find("\"weights\"") == text.rfind("\"weights\""));
}

TEST_CASE("linear attention keeps its digits where the features are small") {
  const Ran ran = run_json(Json::parse(broken("linear-elu-underflow")));
  const double expected = (1 + 3 * std::exp(.5)) / (1 + std::exp(.5));
  CHECK(std::abs(ran.outputs.at("context")(0, 0) - expected) < 10 * tolerance);
  CHECK(ran.warnings.empty());
}

TEST_CASE("linear attention keeps weights whose products of features are too small for a float") {
  for (const char* phi : {"elu+1", "exp"}) {
    for (const bool causal : {false, true}) {
      Json document = Json::parse(broken("linear-elu-underflow"));
      document["mechanism"] = {{"type", "linear"}, {"phi", phi}, {"causal", causal}};
      document["inputs"]["query"] = {{"matrix", {{-70}, {-60}}}};
      document["inputs"]["key"] = {{"matrix", {{-70}, {-69.5}}}};
      const Ran ran = run_json(document);
      const double expected = (1 + 3 * std::exp(.5)) / (1 + std::exp(.5));
      CHECK(std::abs(ran.outputs.at("context")(1, 0) - expected) < 10 * tolerance);
      CHECK(std::abs(ran.outputs.at("weights")(1, 0) - 1 / (1 + std::exp(.5))) < 10 * tolerance);
      CHECK(ran.outputs.at("context")(0, 0) - (causal ? 1 : expected) < 10 * tolerance);
    }
  }
}

TEST_CASE("normalised weights of a chain exist however small the marginals are") {
  const Ran ran = run_json(Json::parse(broken("chain-underflow")));
  double sum = 0;
  for (const double weight : ran.outputs.at("weights").data) sum += weight;
  CHECK(std::abs(sum - 1) < 10 * tolerance);
  CHECK(ran.outputs.at("weights")(0, 0) > ran.outputs.at("weights")(0, 1));
}

TEST_CASE("weights masked by zero and renormalised are the softmax of what is kept") {
  const Json document = Json::parse(R"({"schema": "attention-playground/1",
    "inputs": {"query": {"matrix": [[1], [1]]}, "key": {"matrix": [[1], [1]]},
               "energy": {"matrix": [[-200, 0], [-200, -201]]}},
    "mechanism": {"score": "external-energy",
                  "mask": [{"type": "mask-multiply-zero", "variant": "b", "renormalise": true}]}})");
  const Ran ran = run_json(document);
  CHECK(ran.outputs.at("weights")(0, 0) == 1);
  CHECK(std::abs(ran.outputs.at("weights")(1, 0) - 1 / (1 + std::exp(-1.))) < tolerance);
}

TEST_CASE("exported code gives no variable the name of a helper that it calls") {
  for (const char* format : {"pytorch", "numpy"}) {
    const std::string code = export_document(broken("export-entmax-unbound"), format);
    CHECK(code.find("entmax(") != std::string::npos);
    CHECK(code.find(" entmax = ") == std::string::npos);
  }
}

TEST_CASE("places in a tree are told to queries and keys of unequal widths") {
  const Ran ran = run_json(Json::parse(broken("tree-shapes")));
  CHECK(ran.outputs.at("weights").data == std::vector<double>{1});
}

TEST_CASE("names are escaped in LaTeX") {
  const std::string code = export_document(broken("latex-name"), "latex");
  CHECK(code.find("my\\_data \\& 50\\%") != std::string::npos);
  CHECK(code.find("my_data") == std::string::npos);
}

}  // namespace attend::testing::broken_test
