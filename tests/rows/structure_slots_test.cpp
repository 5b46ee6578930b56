// SPDX-License-Identifier: Apache-2.0
// Structures that take a score and an alignment in place of their paper's.
#include "ops/error.h"
#include "tests/rows/structures.h"

namespace attend::testing {
namespace {

// The general module's document for label-wise attention: its queries are an input here.
Json general_of(const Json& document) {
  Json general = document;
  general["mechanism"]["type"] = "attention";
  general["mechanism"].erase("labels");
  if (!general["mechanism"].contains("score")) general["mechanism"]["score"] = "dot";
  general["parameters"] = Json::object();
  const std::string prefix = "structure.";
  for (const auto& [name, value] : document["parameters"].items()) {
    if (name == "structure.q")
      general["inputs"]["query"] = value;
    else if (name != "structure.w")
      general["parameters"][name.substr(prefix.size())] = value;
  }
  return general;
}

Json label_wise_with(const char* slot, const Mechanism& mechanism) {
  const Json own = example_document(mechanism, 3);
  Json document = example_document(*find_mechanism(Kind::structure, "label-wise"), 3);
  document["mechanism"][slot] = own["mechanism"][slot];
  for (const auto& [name, input] : own["inputs"].items()) {
    if (name != "query" && name != "key" && name != "value") document["inputs"][name] = input;
  }
  return document;
}

// How many of these give the same context inside label-wise attention as in the general module.
int agreeing(const char* slot, Kind kind) {
  int count = 0;
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (mechanism->kind() != kind) continue;
    CAPTURE(mechanism->id);
    Json document = label_wise_with(slot, *mechanism);
    try {
      document = with_parameters(document, 5);
    } catch (const Error&) {
      continue;  // it needs what this structure has not: earlier rows, a query's own rows
    }
    const Ran inside = run_json(document), general = run_json(general_of(document));
    CHECK(near(inside.outputs.at("weights"), general.outputs.at("weights")));
    CHECK(near(inside.outputs.at("context"), general.outputs.at("context")));
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("label-wise: any score gives what it gives in the general module") {
  CHECK(agreeing("score", Kind::score) >= 12);
}

TEST_CASE("label-wise: any alignment gives what it gives in the general module") {
  CHECK(agreeing("alignment", Kind::alignment) >= 12);
}

TEST_CASE("structures with a slot for a score: the paper's own score, given, changes nothing") {
  for (const char* id : {"label-wise", "capsule", "memnet-hop"}) {
    CAPTURE(id);
    Json document = structure(id);
    const Array own = run_json(document).outputs.at("context");
    document["mechanism"]["score"] = "dot";
    document["mechanism"]["alignment"] = "softmax";
    CHECK(near(run_json(document).outputs.at("context"), own));
  }
}

TEST_CASE("lisa-head and structured-self-attn: sparse weights by another alignment") {
  for (const char* id : {"lisa-head", "structured-self-attn", "inner-attention"}) {
    CAPTURE(id);
    const Ran ran = run_json(structure(id, knobs({{"alignment", "sparsemax"}})));
    check_rows_sum_to_one(ran.outputs.at("weights"));
  }
}

TEST_CASE("a structure names its slot's parameters behind its own prefix") {
  const Ran ran = run_json(structure("capsule", knobs({{"score", "general"}})));
  CHECK(ran.parameters.contains("structure.score.W"));
  CHECK(ran.parameters.contains("structure.q"));
}

TEST_CASE("a score that needs the row before is refused in a structure, with the reason") {
  Json document = example_document(*find_mechanism(Kind::structure, "capsule"), 1);
  const Mechanism* recurrent = nullptr;
  for (const Mechanism* one : all_mechanisms()) {
    if (one->kind() == Kind::score && one->recurrent) recurrent = one;
  }
  REQUIRE(recurrent != nullptr);
  document["mechanism"]["score"] = example_document(*recurrent, 1)["mechanism"]["score"];
  try {
    (void)run_json(document);
    FAIL("expected an error");
  } catch (const Error& error) {
    CHECK(error.path == "/mechanism/score");
  }
}

}  // namespace attend::testing
