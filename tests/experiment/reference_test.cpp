// SPDX-License-Identifier: Apache-2.0
// Every mechanism of the catalogue, put to work by its example document: the build equals the
// reference, for several seeds and for every value of its choices and switches.
#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "tests/each.h"
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
  const std::string kind = mechanism.kind() == Kind::cell   ? "structure." + slot
                           : mechanism.kind() == Kind::core ? "structure"
                                                            : slot;
  for (const std::string& prefix :
       {kind + ".0.", mechanism.kind() == Kind::query ? std::string("?") : kind + "."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

// Every choice, both switches, a slider inside and at its ends, and numbers at what the mathematics
// allows: at a bound, or a thousandth of the way from one that is left out.
std::vector<Json> values_of(const Knob& knob) {
  std::vector<Json> values;
  for (const std::string_view choice : knob.choices) values.emplace_back(std::string(choice));
  if (knob.type == Knob::Type::boolean) values = {true, false};
  const bool integer = knob.type == Knob::Type::integer;
  if (!knob.symbol.empty() || !(integer || knob.type == Knob::Type::number)) return values;
  const double inside = 0.7 * knob.minimum + 0.3 * knob.maximum;
  std::set<double> numbers{integer ? std::round(inside) : inside, knob.minimum, knob.maximum};
  if (std::isfinite(knob.highest)) numbers.insert(knob.highest);
  if (std::isfinite(knob.lowest)) {
    const bool outside = knob.above_lowest;
    if (!outside) numbers.insert(knob.lowest);
    if (outside && !integer) numbers.insert(knob.lowest + 1e-3 * (knob.minimum - knob.lowest));
  }
  for (const double value : numbers) {
    if (value > knob.lowest || (value == knob.lowest && !knob.above_lowest))
      values.emplace_back(value);
  }
  return values;
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
  REQUIRE(!expected.empty());
  for (const auto& [name, array] : expected) {
    const std::string where = what + ", output " + name;
    REQUIRE_MESSAGE(ran.outputs.contains(name), where);
    CHECK_MESSAGE(distance(ran.outputs.at(name), array) < tolerance,
                  where << ": off by " << distance(ran.outputs.at(name), array));
  }
}

const Each equal("equals its reference", every_mechanism, [](const Mechanism& mechanism) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Json document = with_parameters(example_document(mechanism, seed), seed);
    Json copy = document;
    std::string path;
    slot_of(copy, mechanism, path);
    compare(mechanism, document, path, "seed " + std::to_string(seed));
  }
});

Mechanisms with_knobs() {
  Mechanisms list = every_mechanism();
  std::erase_if(list, [](const Mechanism* mechanism) { return mechanism->knobs.size() == 0; });
  return list;
}

const Each moved("equals its reference at every choice, switch and bound", with_knobs,
                 [](const Mechanism& mechanism) {
                   for (const Knob& knob : mechanism.knobs) {
                     for (const Json& value : values_of(knob)) {
                       Json document = example_document(mechanism, 4);
                       std::string path;
                       slot_of(document, mechanism, path)[std::string(knob.name)] = value;
                       try {
                         compare(mechanism, with_parameters(document, 4), path,
                                 std::string(knob.name) + " = " + value.dump());
                       } catch (const Error& error) {
                         // What the rest of the example does not bear is told, at the knob or its slot.
                         CHECK_MESSAGE(error.path.starts_with(path), error.path << error.what());
                       }
                     }
                   }
                 });

}  // namespace
}  // namespace attend::testing
