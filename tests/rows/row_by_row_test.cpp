// SPDX-License-Identifier: Apache-2.0
// Modules whose row t needs the rows before it are a scan: one step a row.
#include <doctest/doctest.h>
#include <set>

#include "experiment/running/run.h"
#include "tests/rows/slot_tables.h"

namespace attend::testing::row_by_row_test {

using namespace slot_tables;

namespace {

const std::vector<Json>& recurrent_modules() {
  static const std::vector<Json> list = Json::parse(R"([
    {"score": "location-aware", "alignment": "adaptive-temperature"},
    {"score": "coverage-subsymbolic", "alignment": {"type": "masked-align", "base": "constrained-softmax"}},
    {"score": {"type": "concat-query-score", "base": "coverage-linguistic"}, "alignment": "local-predictive"},
    {"score": "lstmn-score", "alignment": "ntm-addressing"},
    {"score": "scaled-dot", "alignment": "ntm-addressing", "position": ["pos-relative-shaw"]},
    {"score": "additive", "heads": {"type": "multi-head-mixed-align",
                                    "alignments": ["constrained-sparsemax", "adaptive-temperature"]}}])")
                                            .get<std::vector<Json>>();
  return list;
}

Json with_rows(const Json& mechanism, std::size_t rows) {
  Json document{{"schema", std::string(schema_version)},
                {"inputs",
                 {{"query", to_json(random({rows, 7}, "query"))},
                  {"key", to_json(random({5, 7}, "key"))},
                  {"extra", to_json(random({rows, 2}, "extra"))}}},
                {"mechanism", mechanism}};
  document["mechanism"]["type"] = "attention";
  return document;
}

}  // namespace

TEST_CASE("a recurrent module has as many nodes for thirty rows as for three, gradients too") {
  for (const Json& mechanism : recurrent_modules()) {
    CAPTURE(mechanism.dump());
    std::size_t nodes[2];
    for (const std::size_t i : {0U, 1U}) {
      Json json = with_rows(mechanism, i == 0 ? 3 : 30);
      json["gradient"] = Json::object();
      nodes[i] = prepare(compile(read_document(json)), Detail::outputs).program.graph().size();
    }
    CHECK(nodes[0] == nodes[1]);
  }
}

TEST_CASE("a named step of a recurrent module is one tensor, time in front") {
  for (const Json& mechanism : recurrent_modules()) {
    CAPTURE(mechanism.dump());
    const Result result = run(compile(read_document(with_rows(mechanism, 4))), Detail::everything);
    std::set<std::string> timed;
    for (const ResultTensor& tensor : result.tensors) {
      if (tensor.group() != TensorGroup::steps || tensor.record->axes.empty()) continue;
      CHECK(tensor.record->axes[0].symbol == "time");
      CHECK(tensor.shape[0] == 4);
      CHECK(result.data(tensor).size() == element_count(tensor.shape));
      timed.insert(tensor.name());
    }
    CHECK(timed.contains("a_t"));
    CHECK(timed.contains("c_t"));
    CHECK(timed.size() > 2);
  }
}

TEST_CASE("a module's rows do not see the rows behind them") {
  for (const Json& mechanism : recurrent_modules()) {
    CAPTURE(mechanism.dump());
    if (mechanism.contains("heads")) continue;
    Json few = with_rows(mechanism, 4);
    const Ran all = run_json(with_parameters(few, 3));
    Json first = with_parameters(few, 3);
    for (const char* name : {"query", "extra"}) {
      Json& input = first["inputs"][name];
      const std::size_t width = input["shape"][1];
      input["shape"][0] = 3;
      input["data"].erase(input["data"].begin() + static_cast<long>(3 * width),
                          input["data"].end());
    }
    for (auto& [name, parameter] : first["parameters"].items()) {
      if (parameter["shape"].empty() || parameter["shape"][0] != 4 ||
          !name.starts_with("alignment."))
        continue;
      const std::size_t size = parameter["data"].size();
      parameter["shape"][0] = 3;
      parameter["data"].erase(parameter["data"].begin() + static_cast<long>(size / 4 * 3),
                              parameter["data"].end());
    }
    Ran part;
    try {
      part = run_json(first);
    } catch (const Error& error) {
      FAIL_CHECK(error.what());
      continue;
    }
    for (std::size_t t = 0; t < 3; ++t) {
      CHECK(part.outputs.at("weights").row(t) == all.outputs.at("weights").row(t));
      CHECK(part.outputs.at("context").row(t) == all.outputs.at("context").row(t));
    }
  }
}

}  // namespace attend::testing::row_by_row_test
