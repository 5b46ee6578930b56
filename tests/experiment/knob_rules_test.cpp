// SPDX-License-Identifier: Apache-2.0
// Knobs that a rule ties to another number: what keeps a rule, what the engine says of the rest, and what the
// catalogue and the schema say of the rule.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "catalogue/check_knob.h"
#include "experiment/describing/describe.h"
#include "experiment/describing/schema.h"
#include "ops/error.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::knob_rules_test {
namespace {

constexpr KnobRule divides{KnobRule::Relation::divides, "count"},
    multiple{KnobRule::Relation::multiple_of, "count"}, at_most{KnobRule::Relation::at_most, "n"};

std::string refusal(const KnobRule& rule, double value, double of) {
  Knob knob = integer_knob("groups", 2., 1, 16);
  knob.rule = rule;
  try {
    check_rule(knob, value, of, "/mechanism/heads/groups");
  } catch (const Error& error) {
    CHECK(error.path == "/mechanism/heads/groups");
    return error.what();
  }
  return {};
}

Mechanisms with_rules() {
  Mechanisms list = every_mechanism();
  std::erase_if(list, [](const Mechanism* mechanism) {
    return std::none_of(mechanism->knobs.begin(), mechanism->knobs.end(),
                        [](const Knob& knob) { return static_cast<bool>(knob.rule); });
  });
  return list;
}

// A rule over a knob names one that is settled before.
const Each order("ties knobs to a number that is settled before them", with_rules,
                 [](const Mechanism& mechanism) {
                   std::vector<std::string_view> before;
                   for (const Knob& knob : mechanism.knobs) {
                     const bool tied = static_cast<bool>(knob.rule);
                     if (tied && std::any_of(mechanism.knobs.begin(), mechanism.knobs.end(),
                                             [&](const Knob& k) { return k.name == knob.rule.of; }))
                       CHECK(std::find(before.begin(), before.end(), knob.rule.of) != before.end());
                     before.push_back(knob.name);
                   }
                 });

Json heads(Json members) {
  Json document = example_document(*find_mechanism(Kind::score, "scaled-dot"), 5);
  members["type"] = "grouped-query";
  document["mechanism"]["heads"] = std::move(members);
  return document;
}

std::string answer(const Json& document) {
  try {
    (void)run_json(document);
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return {};
}

double settled(const Json& document) {
  return std::get<double>(run_json(document).knobs.at("/mechanism/heads").at("groups"));
}

}  // namespace

TEST_CASE("a rule is kept by what it says, and by nothing else") {
  for (double value = 1; value <= 13; ++value) {
    for (double of = 1; of <= 12; ++of) {
      CHECK(keeps(divides, value, of) == (std::floor(of / value) * value == of));
      CHECK(keeps(multiple, value, of) == (std::floor(value / of) * of == value));
      CHECK(keeps(at_most, value, of) == (value <= of));
      for (const KnobRule& rule : {divides, multiple, at_most}) {
        const double near = kept_near(rule, value, of);
        CHECK(keeps(rule, near, of));
        CHECK((near <= value || rule.relation == KnobRule::Relation::multiple_of));
        if (keeps(rule, value, of)) CHECK(near == value);
      }
    }
  }
  CHECK(kept_near(divides, 5, 12) == 4);
  CHECK(kept_near(multiple, 5, 12) == 12);
  CHECK_FALSE(keeps(divides, 0, 4));
  CHECK_FALSE(keeps(multiple, 0, 4));
}

TEST_CASE("what breaks a rule is told with the knob, the rule, what was found and what would do") {
  CHECK(refusal(divides, 3, 4) ==
        "groups must divide count, which is 4 here; found groups = 3; use 1, 2 or 4");
  CHECK(
      refusal(multiple, 6, 4) ==
      "groups must be a multiple of count, which is 4 here; found groups = 6; use 4, 8, 12 and so on");
  CHECK(refusal(at_most, 9, 4) ==
        "groups must be at most n, which is 4 here; found groups = 9; use at most 4");
  CHECK(refusal(divides, 2, 1) ==
        "groups must divide count, which is 1 here; found groups = 2; use 1");
  CHECK(refusal(divides, 11, 5040).ends_with("10, 12, 14 and so on"));
}

TEST_CASE("a document's numbers keep the rule, and a default gives way to it") {
  CHECK(
      answer(heads({{"count", 4}, {"groups", 3}})) ==
      "/mechanism/heads/groups: groups must divide count, which is 4 here; found groups = 3; use 1, 2 or 4");
  CHECK(answer(heads({{"groups", 8}}))
            .starts_with("/mechanism/heads/groups: groups must divide count"));
  CHECK(settled(heads({{"count", 4}})) == 2);
  CHECK(settled(heads({{"count", 5}})) == 1);
  CHECK(settled(heads({{"count", 6}, {"groups", 3}})) == 3);
  // A projection of three key heads says the number without the knob.
  Json given = heads({{"count", 4}});
  const std::size_t dk = given["inputs"]["key"]["shape"].back();
  given["parameters"]["heads.W_K"] = to_json({{3, dk, 1}, std::vector<double>(3 * dk, .5)});
  CHECK(answer(given).starts_with("/mechanism/heads/groups: groups must divide count, which is 4"));
}

TEST_CASE("the catalogue and the schema say the rule") {
  const Mechanism& grouped = *find_mechanism(Kind::heads, "grouped-query");
  const Json knobs = describe_mechanism(grouped)["knobs"];
  CHECK(knobs[0]["name"] == "count");
  CHECK_FALSE(knobs[0].contains("rule"));
  CHECK(knobs[1]["rule"] ==
        Json{{"relation", "divides"}, {"of", "count"}, {"said", "divide count"}});
  const Json schema = Json::parse(schema_text(SchemaPart::whole))["$defs"]["heads/grouped-query"];
  CHECK(schema["properties"]["groups"]["description"] == "Must divide count.");
  bool found = false;
  for (const Json& one : schema["allOf"]) {
    if (one["if"]["properties"]["count"]["const"] != 6) continue;
    found = true;
    CHECK(one["then"]["properties"]["groups"]["enum"] == Json{1, 2, 3, 6});
  }
  CHECK(found);
}

}  // namespace attend::testing::knob_rules_test
