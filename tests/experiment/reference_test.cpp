// SPDX-License-Identifier: Apache-2.0
// Every mechanism of the catalogue, put to work by its example document: the build equals the
// reference, for several seeds, at odd widths, and for every value of its choices and switches.
#include <cmath>
#include <doctest/doctest.h>
#include <optional>
#include <set>

#include "catalogue/check_knob.h"
#include "catalogue/dimensions.h"
#include "catalogue/entry.h"
#include "catalogue/result.h"
#include "ops/random.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::reference_test {
namespace {

// Whether an input's last axis is a width: of features, not of places or classes.
bool is_width(const Mechanism& mechanism, const std::string& input) {
  for (const Role& role : mechanism.roles) {
    if (role.name != input) continue;
    const auto words = symbols_in(role.shape.substr(0, role.shape.find('|')));
    return !words.empty() && axis_role(words.back()) == AxisRole::feature;
  }
  return true;  // of the module around it: queries, keys, values
}

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

// Every choice, both switches, some sizes, a slider inside and at its ends, and numbers at what the mathematics
// allows: at a bound, or a thousandth of the way from one that is left out.
std::vector<Json> values_of(const Knob& knob) {
  std::vector<Json> values;
  for (const std::string_view choice : knob.choices) values.emplace_back(std::string(choice));
  if (knob.type == Knob::Type::boolean) values = {true, false};
  const bool integer = knob.type == Knob::Type::integer;
  if (!(integer || knob.type == Knob::Type::number)) return values;
  if (!knob.symbol.empty()) {
    for (const double size : {1., 2., 3., 4., 5., 7.}) {
      if (size >= knob.lowest && size <= knob.highest) values.emplace_back(size);
    }
    return values;
  }
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

// Whether a value keeps its knob's rule over another knob of the example; nothing where the rule is over a size, which
// the engine knows.
std::optional<bool> keeps_rule(const Mechanism& mechanism, const Knob& knob, const Json& value,
                               Json example) {
  if (!knob.rule || !value.is_number()) return true;
  std::string path;
  const Json slot = slot_of(example, mechanism, path);
  for (const Knob& other : mechanism.knobs) {
    if (other.name != knob.rule.of) continue;
    const std::string name(other.name);
    const bool given = slot.is_object() && slot.contains(name);
    return keeps(knob.rule, value,
                 given ? slot[name].get<double>() : std::get<double>(other.fallback));
  }
  return std::nullopt;
}

void compare(const Mechanism& mechanism, const Json& document, const std::string& path,
             const std::string& what) {
  const Ran ran = run_json(document);
  ReferenceIn in;
  for (const auto read = read_document(document); const auto& [name, input] : read.inputs) {
    in.labels[name] = input.labels;
    in.tensors[name] = in.tensors["inputs." + name] = Array(input.tensor);
  }
  if (mechanism.kind() != Kind::query && mechanism.kind() != Kind::key) {
    for (const auto& [name, output] : ran.outputs) in.tensors[name] = output;
  }
  for (const auto& [name, parameter] : ran.parameters)
    in.parameters[without_prefix(name, mechanism)] = parameter;
  if (ran.knobs.contains(path)) in.knobs = ran.knobs.at(path);
  // What the engine computes with is a `real`.
  for (auto& [name, value] : in.knobs) {
    if (auto* number = std::get_if<double>(&value)) *number = static_cast<real>(*number);
  }
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

// What a document is refused for; nothing where it computes. The example is compared with the reference, which speaks
// of the parts and inputs of the example only.
std::optional<Error> refusal_of(const Mechanism& mechanism, const Json& document,
                                const std::string& path, const std::string& what, bool example) {
  try {
    const Json given = with_parameters(document, 4);
    if (example)
      compare(mechanism, given, path, what);
    else
      (void)run_json(given);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

// The example, and what it would be without some of the inputs that it need not have, or with another part in one of
// its slots: what a size, or a choice, may need.
std::vector<Json> surroundings(const Mechanism& mechanism, const Json& example) {
  std::vector<std::string> spare;
  for (const Role& role : mechanism.roles) {
    if (!role.required && example["inputs"].contains(role.name)) spare.emplace_back(role.name);
  }
  std::vector<Json> list;
  for (std::size_t without = 0; without < std::size_t{1} << spare.size(); ++without) {
    list.push_back(example);
    for (std::size_t k = 0; k < spare.size(); ++k) {
      if ((without >> k & 1U) != 0) list.back()["inputs"].erase(spare[k]);
    }
  }
  for (const Slot& slot : mechanism.slots) {
    for (const Mechanism* part : of_kind(slot.kind)) {
      if (slot.list) continue;
      list.push_back(example);
      std::string path;
      slot_of(list.back(), mechanism, path)[std::string(slot.name)] = std::string(part->id);
    }
  }
  return list;
}

// A value that the example does not bear is told at its knob or its slot. A choice is taken somewhere, of all sizes and
// numbers some are: what is always refused does not pass.
const Each moved("equals its reference at every choice, switch, size and bound", with_knobs,
                 [](const Mechanism& mechanism) {
                   const std::vector<Json> around =
                       surroundings(mechanism, example_document(mechanism, 4));
                   for (const Knob& knob : mechanism.knobs) {
                     std::size_t taken = 0, tried = 0;
                     for (const Json& value : values_of(knob)) {
                       const std::string what = std::string(knob.name) + " = " + value.dump();
                       std::optional<Error> refused;
                       const auto kept = keeps_rule(mechanism, knob, value, around.front());
                       for (std::size_t i = 0; i < around.size() && (i == 0 || refused); ++i) {
                         Json document = around[i];
                         std::string path;
                         slot_of(document, mechanism, path)[std::string(knob.name)] = value;
                         refused = refusal_of(mechanism, document, path, what, i == 0);
                         if (i == 0 && refused)
                           CHECK_MESSAGE(refused->path.starts_with(path),
                                         what << ": " << refused->path << " " << refused->what());
                       }
                       const bool tells =
                           refused &&
                           std::string_view(refused->what()).find("must " + in_words(knob.rule)) !=
                               std::string::npos;
                       if (knob.rule && kept) CHECK_MESSAGE(tells != *kept, what);
                       if (kept == false) continue;
                       ++tried;
                       taken += refused ? 0 : 1;
                       const bool chosen = value.is_string() || value.is_boolean();
                       if (chosen)
                         CHECK_MESSAGE(!refused, what << " is refused whatever is around it");
                     }
                     CHECK_MESSAGE((tried == 0 || taken > 0),
                                   "no value of " << std::string(knob.name) << " is taken");
                   }
                 });

// The example with widths that are odd, where they are even.
Json odd_document(const Mechanism& mechanism, std::uint64_t seed) {
  Json document = example_document(mechanism, seed);
  for (auto& [name, input] : document["inputs"].items()) {
    if (!input.contains("shape") || input["shape"].size() < 2) continue;
    const std::size_t width = input["shape"].back();
    if (width % 2 == 1 || !is_width(mechanism, name)) continue;
    input["shape"].back() = width + 1;
    Json data = Json::array();
    const RandomStream stream(seed, "odd:" + name);
    std::size_t count = 1;
    for (const Json& extent : input["shape"]) count *= extent.get<std::size_t>();
    for (std::size_t i = 0; i < count; ++i)
      data.push_back(std::round(stream.normal(i) * 100) / 100);
    input["data"] = std::move(data);
  }
  return document;
}

Mechanisms with_even_widths() {
  Mechanisms list = every_mechanism();
  std::erase_if(list, [](const Mechanism* mechanism) {
    return odd_document(*mechanism, 1)["inputs"] == example_document(*mechanism, 1)["inputs"];
  });
  return list;
}

const Each odd("equals its reference at odd widths, or says which width it needs", with_even_widths,
               [](const Mechanism& mechanism) {
                 const Json document = odd_document(mechanism, 4);
                 Json copy = document;
                 std::string path;
                 slot_of(copy, mechanism, path);
                 const auto refused = refusal_of(mechanism, document, path, "odd widths", true);
                 if (refused) CHECK_MESSAGE(refused->path.size() > 1, refused->what());
               });

TEST_CASE("nearly all mechanisms take odd widths") {
  std::size_t taken = 0;
  const Mechanisms list = with_even_widths();
  for (const Mechanism* mechanism : list) {
    try {
      (void)run_json(odd_document(*mechanism, 4));
      ++taken;
    } catch (const Error&) {
    }
  }
  CHECK(taken + 5 > list.size());
}

}  // namespace
}  // namespace attend::testing::reference_test
