// SPDX-License-Identifier: Apache-2.0
// What is drawn once and then learned, and what is drawn anew at every step of training.
#include "experiment/recording/draw.h"

#include <doctest/doctest.h>
#include <string>

#include "catalogue/mechanism.h"

namespace attend::testing::draw_test {
namespace {

Origin origin_in(Kind kind, const std::string& id, const std::string& name) {
  const Mechanism* mechanism = find_mechanism(kind, id);
  REQUIRE(mechanism != nullptr);
  for (const Parameter& parameter : mechanism->parameters)
    if (parameter.name == name) return origin_of(parameter.distribution);
  FAIL("no parameter " << name);
  return Origin::constant;
}

}  // namespace

TEST_CASE("learned places, classes, queries and memories are weights, not noise") {
  CHECK(origin_in(Kind::structure, "vit-patch", "pos") == Origin::initialiser);
  CHECK(origin_in(Kind::structure, "vit-patch", "cls") == Origin::initialiser);
  CHECK(origin_in(Kind::structure, "detr-queries", "q") == Origin::initialiser);
  CHECK(origin_in(Kind::structure, "perceiver", "Z") == Origin::initialiser);
  CHECK(origin_in(Kind::structure, "set-pma", "S") == Origin::initialiser);
  // Places that a glimpse is drawn at are another draw for every example.
  CHECK(origin_in(Kind::structure, "fm-ram", "z") == Origin::noise);
}

TEST_CASE("every distribution has a name of its own") {
  CHECK(distribution_name(Distribution::unit) == "unit");
  CHECK(distribution_name(Distribution::normal) == "normal");
  CHECK(distribution_name(Distribution::distances) == "distances");
}

}  // namespace attend::testing::draw_test
