// SPDX-License-Identifier: Apache-2.0
// What an exported module says above its code, and what it takes.
#include <doctest/doctest.h>
#include <string>

#include "experiment/exporting/modules.h"

namespace attend::module_parts_test {

TEST_CASE("a class of an exported module lists its parts and their formulas") {
  const char* document = R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"x": {"tokens": ["a", "b"], "features": {"type": "embedding", "dim": 4}}},
    "model": [{"name": "look", "type": "attention", "inputs": {"query": "x"}, "score": "dot",
               "mask": ["mask-causal"]}]})";
  const HeadingOf words = given_headings(R"({
    "attention": {"title": "General attention module", "formula": "C = A\\,V"},
    "dot": {"title": "Dot product", "formula": "e_{ij} = q_i \\cdot k_j"},
    "mask-causal": {"title": "Causal", "formula": "M_{ij} = 1 \\\\ N = 0"}})");
  const std::string code = export_module(document, words).code;
  const std::size_t from = code.find("class Look(nn.Module):");
  REQUIRE(from != std::string::npos);
  const std::string comment = code.substr(from, code.find("def __init__", from) - from);
  CHECK_MESSAGE(comment.find("General attention module\n\n    C = A V\n") != std::string::npos,
                comment);
  CHECK_MESSAGE(comment.find("    Dot product: e_ij = q_i") != std::string::npos, comment);
  CHECK_MESSAGE(comment.find("    Causal: M_ij = 1") != std::string::npos, comment);
  // Parts whose words were not given are not told.
  CHECK(comment.find("Softmax") == std::string::npos);
}

TEST_CASE("an exported module takes its inputs in the order in which they are read") {
  const char* document = R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"key": {"shape": [2, 2], "data": [1, 2, 3, 4]}, "query": {"shape": [1, 2], "data": [1, 2]},
               "value": {"shape": [2, 2], "data": [1, 2, 3, 4]}},
    "mechanism": {"type": "attention"}})";
  const HeadingOf words = given_headings("{}");
  CHECK(export_module(document, words).code.find("def forward(self, query, key, value, ") !=
        std::string::npos);
  CHECK(
      export_numpy_module(document, words).code.find("def model(parameters, query, key, value, ") !=
      std::string::npos);
}

}  // namespace attend::module_parts_test
