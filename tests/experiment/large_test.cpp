// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/reading/document.h"
#include "experiment/running/packed.h"
#include "experiment/running/run.h"
#include "experiment/service.h"
#include "experiment/text/json_parse.h"

namespace attend::large_test {
namespace {

// `tokens` rows of 8 features, two heads, causal.
Json document(std::size_t tokens, std::vector<std::string> outputs = {}) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < tokens; ++i) {
    Json row = Json::array();
    for (std::size_t c = 0; c < 8; ++c)
      row.push_back(std::sin(static_cast<double>(i * 8 + c * c) * .37));
    rows.push_back(std::move(row));
  }
  Json json = Json::parse(R"({"schema": "attention-playground/1", "seed": 4, "inputs": {},
    "mechanism": {"type": "attention", "query": "self-attention", "score": "scaled-dot",
    "mask": ["mask-causal"], "heads": {"type": "multi-head", "count": 2}}})");
  json["inputs"]["x"]["matrix"] = std::move(rows);
  if (!outputs.empty()) json["outputs"] = outputs;
  return json;
}

const ResultTensor* find(const Result& result, const std::string& name) {
  const auto found = std::find_if(result.tensors.begin(), result.tensors.end(),
                                  [&](const ResultTensor& t) { return t.name() == name; });
  return found == result.tensors.end() ? nullptr : &*found;
}

TEST_CASE("asked for its context alone, a document runs fused and gives the same numbers") {
  const Compiled whole = compile(read_document(document(80)));
  const Result everything = run(whole, Detail::outputs);
  CHECK(everything.fused == 0);
  const Compiled only = compile(read_document(document(80, {"context"})));
  const Result context = run(only, Detail::outputs);
  CHECK(context.fused == 1);
  const Numbers a = everything.data(*find(everything, "context"));
  const Numbers b = context.data(*find(context, "context"));
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    CHECK(b[i] == doctest::Approx(a[i]).epsilon(sizeof(real) == 8 ? 1e-11 : 1e-4));
}

TEST_CASE("one row of the weights is the row of the whole map") {
  const Compiled whole = compile(read_document(document(12)));
  const Result everything = run(whole, Detail::outputs);
  const Numbers map = everything.data(*find(everything, "weights"));
  const Compiled rows = compile(read_document(document(12, {"weights[7]", "scores[0]"})));
  const Result some = run(rows, Detail::outputs);
  const ResultTensor& row = *find(some, "weights[7]");
  CHECK(row.shape == Shape{2, 1, 12});
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t j = 0; j < 12; ++j)
      CHECK(some.data(row)[h * 12 + j] == doctest::Approx(map[(h * 12 + 7) * 12 + j]));
  }
  CHECK(find(some, "scores[0]") != nullptr);
}

TEST_CASE("a row that is not there is refused by name") {
  for (const std::string name :
       {"weights[12]", "weights[]", "weights[x]", "none[1]", "weights[-1]"}) {
    CAPTURE(name);
    try {
      const Compiled bad = compile(read_document(document(12, {"context", name})));
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.path == "/outputs/1");
    }
  }
}

TEST_CASE("maps too large to keep are left out, said, and their rows still there to ask for") {
  const std::size_t tokens = 2100;  // 2 x 2100 x 2100 numbers a map
  const Compiled recording = compile(read_document(document(tokens)));
  const Result result = run(recording, Detail::everything);
  CHECK(result.fused == 1);
  CHECK(find(result, "weights") == nullptr);
  CHECK(find(result, "context") != nullptr);
  const auto says = [&](const std::string& name) {
    return std::any_of(result.warnings.begin(), result.warnings.end(), [&](const Warning& w) {
      return w.path == "/outputs" && w.message.starts_with(name + " [2 2100 2100]");
    });
  };
  CHECK(run_packed(document(tokens).dump()).directory.find("\"fused\":1") != std::string::npos);
  CHECK(run_packed(document(80).dump()).directory.find("\"fused\"") == std::string::npos);
  CHECK(says("weights"));
  CHECK(says("scores"));
  const Compiled row = compile(read_document(document(tokens, {"weights[2099]"})));
  CHECK(plan(row.graph(), {row.graph().var(row.requested()[0].node)}).peak_bytes <
        64 * tokens * sizeof(real));
  const Result one = run(row, Detail::outputs);
  real sum = 0;
  for (const real x : one.data(one.tensors[0])) sum += x;
  CHECK(sum == doctest::Approx(2).epsilon(1e-4));
}

TEST_CASE("the directory lists what was left out, with shape and axes") {
  const Json all = Json::parse(run_packed(document(12).dump()).directory);
  CHECK(!all.contains("left"));
  const Json some =
      Json::parse(run_packed(document(12, {"context", "scores[3]"}).dump()).directory);
  std::vector<std::string> names;
  for (const Json& entry : some["left"]) {
    names.push_back(entry["name"]);
    if (entry["name"] != "weights") continue;
    CHECK(entry["shape"] == Json{2, 12, 12});
    CHECK(entry["axes"] == Json{"h", "m", "n"});
  }
  for (const char* name : {"weights", "scores", "heads"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  CHECK(std::count(names.begin(), names.end(), "context") == 0);
}

TEST_CASE("a cell of a map too large to keep is explained by its row, in the map's own places") {
  const std::size_t tokens = 2100, row = 1234;
  const std::string text = document(tokens).dump();
  const Compiled recording =
      compile(read_document(document(tokens, {"weights[1234]", "scores[1234]"})));
  const Result rows = run(recording, Detail::outputs);
  const auto at = [&](const char* name, std::size_t h, std::size_t j) {
    return static_cast<double>(rows.data(*find(rows, name))[h * tokens + j]);
  };
  const Json weight = Json::parse(explain_document(text, "weights", "[1, 1234, 77]"));
  CHECK(weight["value"] == doctest::Approx(at("weights[1234]", 1, 77)));
  CHECK(weight["index"] == Json{1, row, 77});
  REQUIRE(weight["terms"].size() == row + 1);  // causal
  double sum = 0;
  for (const Json& term : weight["terms"]) sum += term["value"].get<double>();
  CHECK(weight["terms"][77]["value"].get<double>() / sum ==
        doctest::Approx(at("weights[1234]", 1, 77)).epsilon(1e-4));
  const Json& scores = weight["feeds"][0];
  CHECK(scores["tensor"] == "scores");
  CHECK(scores["group"] == "outputs");
  CHECK(scores["cells"][5] == Json{1, row, 5});
  const Json score = Json::parse(explain_document(text, "scores", "[1, 1234, 77]"));
  CHECK(score["value"] == doctest::Approx(at("scores[1234]", 1, 77)));
}

TEST_CASE("no cell of a long text asks for its maps") {
  const std::string text = document(11000).dump();
  for (const std::string name : {"weights", "scores", "heads"}) {
    CAPTURE(name);
    const Json found = Json::parse(explain_document(text, name, "[1, 10000, 3]"));
    CHECK(!found["feeds"].empty());
    CHECK(std::isfinite(found["value"].get<double>()));
  }
  const Json context = Json::parse(explain_document(text, "context", "[10000, 3]"));
  CHECK(!context["feeds"].empty());
}

TEST_CASE("softmax over 16,384 tokens never holds its maps, however many heads have one each") {
  Json json = document(16384, {"context"});
  json["mechanism"]["heads"]["count"] = 4;
  const Compiled compiled = compile(read_document(json));
  const Prepared prepared = prepare(compiled, Detail::outputs);
  CHECK(prepared.program.made().fused == 1);
  const Plan plan = plan_within_limits(compiled, prepared.program, Keep::wanted);
  CHECK(plan.numbers * sizeof(real) < std::size_t{64} << 20U);
  // One of them by name is more than there is room for, and says so.
  json["outputs"] = {"weights"};
  const Compiled map = compile(read_document(json));
  CHECK_THROWS_WITH_AS(plan_within_limits(map, prepare(map, Detail::outputs).program, Keep::wanted),
                       doctest::Contains("more than"), Error);
}

TEST_CASE("layers with two thin maps take texts whose map of all pairs has no room") {
  for (const std::string type : {"luna", "set-isab"}) {
    CAPTURE(type);
    Json json = document(20'000, {"output"});
    json["mechanism"] = {{"type", type}};
    const Compiled compiled = compile(read_document(json));
    const Result result = run(compiled, Detail::outputs);
    CHECK(find(result, "output")->shape == Shape{20'000, 8});
    json["outputs"] = {"weights"};
    CHECK_THROWS_WITH_AS(run(compile(read_document(json)), Detail::outputs),
                         doctest::Contains("weights.0"), Error);  // which names those there are
    Json small = document(40, {"weights"});
    small["mechanism"] = {{"type", type}};
    const Compiled short_text = compile(read_document(small));
    CHECK(find(run(short_text, Detail::outputs), "weights") != nullptr);
  }
}

}  // namespace
}  // namespace attend::large_test
