// SPDX-License-Identifier: Apache-2.0
// Every mechanism of the catalogue, put to work by its example document: the build equals the
// reference, for several seeds and for every value of its choices and switches.
#include <cmath>
#include <doctest/doctest.h>

#include "tests/experiment/harness.h"

namespace attend::testing {
namespace {

// The object in the document that holds the mechanism's knobs.
Json& slot_of(Json& document, const Mechanism& mechanism, std::string& path) {
  path = "/mechanism";
  Json* slot = &document["mechanism"];
  if (mechanism.kind() == Kind::structure) return *slot;
  const std::string name(slot_name(mechanism.kind()));
  path += "/" + name;
  slot = &(*slot)[name];
  if (slot->is_array()) {
    path += "/0";
    slot = &(*slot)[0];
  }
  return *slot;
}

std::string without_prefix(const std::string& name, const Mechanism& mechanism) {
  const std::string slot(slot_name(mechanism.kind()));
  const std::string kind = mechanism.kind() == Kind::cell ? "structure." + slot : slot;
  for (const std::string& prefix :
       {kind + ".0.", mechanism.kind() == Kind::query ? std::string("?") : kind + "."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

void compare(const Mechanism& mechanism, const Json& document, const std::string& path,
             const std::string& what) {
  const Ran ran = run_json(document);
  ReferenceIn in;
  for (const auto& [name, input] : read_document(document).inputs) {
    in.labels[name] = input.labels;
    in.tensors[name] = in.tensors["inputs." + name] = Array(input.tensor);
  }
  if (mechanism.kind() != Kind::query && mechanism.kind() != Kind::key) {
    for (const auto& [name, output] : ran.outputs) in.tensors[name] = output;
  }
  for (const auto& [name, parameter] : ran.parameters)
    in.parameters[without_prefix(name, mechanism)] = parameter;
  if (ran.knobs.contains(path)) in.knobs = ran.knobs.at(path);
  const Arrays expected = reference_of(mechanism)(in);
  CHECK_MESSAGE(!expected.empty(), mechanism.id);
  for (const auto& [name, array] : expected) {
    const std::string where = std::string(mechanism.id) + " " + what + ", output " + name;
    REQUIRE_MESSAGE(ran.outputs.contains(name), where);
    CHECK_MESSAGE(distance(ran.outputs.at(name), array) < tolerance,
                  where << ": off by " << distance(ran.outputs.at(name), array));
  }
}

}  // namespace

TEST_CASE("every mechanism equals its reference") {
  for (const Mechanism* mechanism : all_mechanisms()) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Json document = with_parameters(example_document(*mechanism, seed), seed);
      Json copy = document;
      std::string path;
      slot_of(copy, *mechanism, path);
      compare(*mechanism, document, path, "seed " + std::to_string(seed));
    }
  }
}

TEST_CASE("every choice, every switch and moved sliders equal the reference") {
  for (const Mechanism* mechanism : all_mechanisms()) {
    for (const Knob& knob : mechanism->knobs) {
      std::vector<Json> values;
      for (const std::string_view choice : knob.choices) values.emplace_back(std::string(choice));
      if (knob.type == Knob::Type::boolean) values = {true, false};
      const bool integer = knob.type == Knob::Type::integer;
      if (knob.symbol.empty() && (integer || knob.type == Knob::Type::number)) {
        const double inside = 0.7 * knob.minimum + 0.3 * knob.maximum;
        values = {integer ? std::round(inside) : inside, knob.maximum};
      }
      for (const Json& value : values) {
        Json document = example_document(*mechanism, 4);
        std::string path;
        slot_of(document, *mechanism, path)[std::string(knob.name)] = value;
        compare(*mechanism, with_parameters(document, 4), path,
                std::string(knob.name) + " = " + value.dump());
      }
    }
  }
}

}  // namespace attend::testing
