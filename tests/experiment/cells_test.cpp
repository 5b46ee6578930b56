// SPDX-License-Identifier: Apache-2.0
// The recurrent cells against PyTorch's own, whose numbers tests/python/cell_goldens.py wrote down.
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

#include "experiment/text/json_parse.h"
#include "tests/checkout.h"
#include "tests/experiment/harness.h"

namespace attend::testing::cells_test {
namespace {

Json goldens() {
  std::ifstream file(testing::in_checkout("/tests/experiment/cell_goldens.json"));
  std::ostringstream text;
  text << file.rdbuf();
  return parse_json(text.str());
}

Array array_of(const Json& json) {
  Array array(json["shape"].get<Shape>());
  array.data = json["data"].get<std::vector<double>>();
  return array;
}

TEST_CASE("each cell and its gradients equal PyTorch's") {
  const Json all = goldens();
  CHECK(all.size() == 6);
  for (const Json& golden : all) {
    CAPTURE(golden["document"]["mechanism"].dump());
    const Ran ran = run_json(golden["document"]);
    CHECK(distance(ran.outputs.at("output"), array_of(golden["output"])) < tolerance);
    for (const auto& [name, gradient] : golden["gradients"].items()) {
      CAPTURE(name);
      CHECK(distance(ran.gradients.at(name), array_of(gradient)) < tolerance);
    }
  }
}

TEST_CASE("a cell's last state is that after the last row it reads") {
  for (const bool reverse : {false, true}) {
    const Ran ran =
        run_json({{"schema", "attention-playground/1"},
                  {"inputs", {{"x", {{"matrix", {{1, 2}, {3, 4}, {5, 6}}}}}}},
                  {"mechanism", {{"type", "fm-rnn"}, {"cell", "lstm"}, {"reverse", reverse}}}});
    const Array& all = ran.outputs.at("output");
    CHECK(ran.outputs.at("last").row(0) == all.row(reverse ? 0 : 2));
  }
}

}  // namespace
}  // namespace attend::testing::cells_test
