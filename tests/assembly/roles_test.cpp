// SPDX-License-Identifier: Apache-2.0
// What results and parameters are said to be.
#include <algorithm>
#include <doctest/doctest.h>

#include "catalogue/mechanism.h"
#include "experiment/recording/compile.h"
#include "experiment/running/packed.h"
#include "experiment/service.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::roles_test {
namespace {

const Each weights("names weights as weights", every_mechanism, [](const Mechanism& mechanism) {
  const Compiled compiled = compile(read_document(example_document(mechanism, 5)));
  for (const KnownTensor& one : compiled.outputs()) {
    if (one.record->role != TensorRole::weights) continue;
    for (const KnownTensor& other : compiled.outputs()) {
      // What a module gives as its output may be its weights.
      if (other.node != one.node || other.record->main == MainResult::output) continue;
      CHECK_MESSAGE(other.record->role == one.record->role,
                    other.record->name << " is " << one.record->name);
    }
  }
});

// Scores, masks and alignments tell no classes apart, whatever letters their papers use.
const Each classes("has classes only where it answers", every_mechanism,
                   [](const Mechanism& mechanism) {
                     if (mechanism.kind() == Kind::structure) return;
                     const Compiled compiled =
                         compile(read_document(example_document(mechanism, 5)));
                     const auto none = [](const std::string& name,
                                          const std::vector<NamedAxis>& axes) {
                       for (const NamedAxis& axis : axes)
                         CHECK_MESSAGE(axis.role != AxisRole::class_,
                                       name << " has classes along " << axis.symbol);
                     };
                     for (const TensorGroup group :
                          {TensorGroup::inputs, TensorGroup::parameters, TensorGroup::outputs})
                       for (const KnownTensor& one : compiled.directory().of(group))
                         none(one.record->name, one.record->axes);
                   });

Json tensor(const std::string& document, const std::string& name) {
  const Json directory = parse_json(run_packed(document).directory);
  for (const Json& one : directory["tensors"]) {
    if (one["name"] == name) return one;
  }
  FAIL("no tensor " << name);
  return {};
}

}  // namespace

TEST_CASE("alternating co-attention says what its maps are, as the other co-attentions do") {
  const std::string document = example_text("coatt-alternating");
  for (const char* side : {"1", "2"}) {
    CAPTURE(side);
    const Json map = tensor(document, std::string("weights") + side);
    CHECK(map["role"] == "weights");
    CHECK(map["kind"] == "probability");
    CHECK(tensor(document, std::string("scores") + side)["role"] == "scores");
    CHECK(tensor(document, std::string("context") + side)["role"] == "context");
  }
}

TEST_CASE("the width of neighbouring rows laid out as one and the levels of a state are features") {
  const Json flat = tensor(example_text("fm-flatten"), "output");
  CHECK(flat["dimensions"][0]["role"] == "query");
  CHECK(flat["dimensions"][1]["role"] == "feature");
  const Json state = tensor(example_text("log-linear"), "state");
  for (const Json& axis : state["dimensions"]) CHECK(axis["role"] == "feature");
}

TEST_CASE("the filters of a location-aware score are features") {
  const Json filters = tensor(example_text("location-aware"), "score.filters");
  for (const Json& axis : filters["dimensions"]) CHECK(axis["role"] == "feature");
}

}  // namespace attend::testing::roles_test
