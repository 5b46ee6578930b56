// SPDX-License-Identifier: Apache-2.0
// Structures that take a score and an alignment in place of their paper's.
#include <algorithm>

#include "ops/error.h"
#include "tests/each.h"
#include "tests/rows/structures.h"

namespace attend::testing::structure_slots_test {
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

// False where the structure refuses the mechanism: it lacks earlier rows, or rows of a query.
bool makes_label_wise(const Mechanism& mechanism, Json& document) {
  document = label_wise_with(slot_name(mechanism.kind()).data(), mechanism);
  try {
    document = with_parameters(document, 5);
    return true;
  } catch (const Error& error) {
    CHECK(!error.path.empty());
    return false;
  }
}

void check_in_label_wise(const Mechanism& mechanism) {
  Json document;
  if (!makes_label_wise(mechanism, document)) return;
  const Ran inside = run_json(document), general = run_json(general_of(document));
  CHECK(near(inside.outputs.at("weights"), general.outputs.at("weights")));
  CHECK(near(inside.outputs.at("context"), general.outputs.at("context")));
}

const Each label_wise_scores("gives in label-wise attention what it gives in the general module",
                             every_score, check_in_label_wise);
const Each label_wise_alignments(
    "gives in label-wise attention what it gives in the general module", every_alignment,
    check_in_label_wise);

Mechanisms recurrent_scores() {
  Mechanisms list = every_score();
  std::erase_if(list, [](const Mechanism* score) { return !score->recurrent; });
  return list;
}

const Each refused_by_structures(
    "is refused in a structure, at its slot, because it needs the row before", recurrent_scores,
    [](const Mechanism& score) {
      Json document = example_document(*find_mechanism(Kind::structure, "capsule"), 1);
      document["mechanism"]["score"] = example_document(score, 1)["mechanism"]["score"];
      try {
        (void)run_json(document);
        FAIL("expected an error");
      } catch (const Error& error) {
        CHECK(error.path == "/mechanism/score");
      }
    });

}  // namespace

TEST_CASE("label-wise attention takes many scores and alignments, and some scores are recurrent") {
  for (const Mechanisms& list : {every_score(), every_alignment()}) {
    CHECK(std::count_if(list.begin(), list.end(), [](const Mechanism* one) {
            Json document;
            return makes_label_wise(*one, document);
          }) >= 12);
  }
  CHECK(!recurrent_scores().empty());
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

}  // namespace attend::testing::structure_slots_test
