// SPDX-License-Identifier: Apache-2.0
// Laws of every core: what stands between Q, K, V and the context goes with heads, masks and queries, is linear in
// V, and looks at nothing that it must not see.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "catalogue/tables.h"
#include "experiment/recording/normalise.h"
#include "experiment/text/words.h"
#include "ops/error.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::cores_test {
namespace {

Mechanisms every_core() { return of_kind(Kind::core); }

const Core& core_of(const Mechanism& mechanism) { return std::get<Core>(mechanism.behaviour); }

bool can_be_causal(const Mechanism& core) { return core_of(core).never_causal.empty(); }

Mechanisms causal_cores() {
  Mechanisms list = every_core();
  std::erase_if(list, [](const Mechanism* core) { return !can_be_causal(*core); });
  return list;
}

Mechanisms never_causal_cores() {
  Mechanisms list = every_core();
  std::erase_if(list, [](const Mechanism* core) { return can_be_causal(*core); });
  return list;
}

Mechanisms exact_cores() {
  Mechanisms list = every_core();
  std::erase_if(list, [](const Mechanism* core) { return !core_of(*core).exact; });
  return list;
}

// The example with every parameter given, and as many queries as keys.
Json square_document(const Mechanism& core, std::uint64_t seed) {
  Json document = example_document(core, seed);
  if (document["inputs"].contains("key") && core_of(core).keys_per_query.empty())
    document["inputs"]["query"] = example_document(core, seed + 10)["inputs"]["key"];
  return with_parameters(document, seed);
}

Json causal_document(const Mechanism& core, std::uint64_t seed) {
  Json document = square_document(core, seed);
  if (!core_of(core).always_causal) document["mechanism"]["mask"] = "mask-causal";
  return document;
}

// How many keys each query of a square document has.
std::size_t keys_of_each_query(const Json& document) {
  const Json& inputs = document["inputs"];
  if (!inputs.contains("key")) return 1;
  return std::max<std::size_t>(
      inputs["key"]["shape"][0].get<std::size_t>() / inputs["query"]["shape"][0].get<std::size_t>(),
      1);
}

// Where the choice of places itself looks ahead, only the values: the map stays what it is.
void change_rows_from(Json& document, std::size_t first, bool values_only) {
  const std::size_t keys = keys_of_each_query(document);
  for (auto& [name, input] : document["inputs"].items()) {
    if (values_only && name != "value") continue;
    const std::size_t width = input["shape"].back(), each = name == "query" ? 1 : keys;
    for (std::size_t i = first * each * width; i < input["data"].size(); ++i)
      input["data"][i] = 1.7 - 2.3 * input["data"][i].get<double>();
  }
}

double largest_of(const Array& array) {
  double largest = 0;
  for (const double x : array.data) largest = std::max(largest, std::abs(x));
  return largest;
}

// The map of one feature of the values, [.. dv m n] or one map [.. m n] for all.
Array map_of(const Array& maps, std::size_t feature, std::size_t axes) {
  return maps.shape.size() > axes ? part(maps, feature) : maps;
}

// Feature by feature: the map times the values.
Array through_maps(const Array& maps, const Array& value) {
  Array context({maps.rows(), value.cols()});
  for (std::size_t c = 0; c < value.cols(); ++c) {
    const Array all = product(map_of(maps, c, 2), value);
    for (std::size_t i = 0; i < context.rows(); ++i) context(i, c) = all(i, c);
  }
  return context;
}

const Each spelled("is the same module in the slot and in its short form", every_core,
                   [](const Mechanism& core) {
                     const Json slot = example_document(core, 3);
                     Json brief = slot;
                     brief["mechanism"] = slot["mechanism"]["core"];
                     const Ran a = run_json(slot), b = run_json(brief);
                     CHECK(a.outputs.size() == b.outputs.size());
                     for (const auto& [name, array] : a.outputs)
                       CHECK_MESSAGE(distance(array, b.outputs.at(name)) == 0, name);
                     REQUIRE(a.parameters.size() == b.parameters.size());
                     for (const auto& [name, array] : a.parameters) {
                       CHECK_MESSAGE(name.starts_with("structure."), name);
                       CHECK_MESSAGE(distance(array, b.parameters.at(name)) == 0, name);
                     }
                     CHECK(normalise(compile(read_document(brief)))["mechanism"]["type"] ==
                           core.id);
                     const Json whole = normalise(compile(read_document(slot)))["mechanism"];
                     CHECK(whole["type"] == "attention");
                     CHECK(whole["core"]["type"] == core.id);
                     CHECK_FALSE(whole.contains("score"));
                   });

const Each linear_in_values(
    "gives the implied map times the values", every_core, [](const Mechanism& core) {
      for (const bool heads : {false, true}) {
        Json document = square_document(core, 4);
        if (heads) {
          document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
          document.erase("parameters");
          document = with_parameters(document, 4);
        }
        const Ran ran = run_json(document);
        const Array& implied = ran.outputs.at("implied");
        const Array& context = ran.outputs.at(heads ? "heads" : "context");
        const Array& value = ran.outputs.at("value");
        CHECK(implied.rows() == context.rows());
        CHECK(implied.cols() == value.rows());
        if (core_of(core).finish != nullptr) continue;
        CHECK(largest_of(implied) > 1e-3);
        for (std::size_t t = 0; t < (heads ? 2U : 1U); ++t) {
          const Array found = heads ? part(context, t) : context;
          const Array expected =
              heads ? through_maps(part(implied, t), part(value, t)) : through_maps(implied, value);
          CHECK(distance(found, expected) < 10 * tolerance);
        }
      }
    });

const Each alone("computes in a head alone what it computes among others", every_core,
                 [](const Mechanism& core) {
                   // What all heads decide together from whole rows is no business of one head.
                   if (core_of(core).serves_all_heads) return;
                   // Its decay follows from the number of heads.
                   if (core.id == std::string_view("lightning")) return;
                   Json document = square_document(core, 5);
                   document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
                   document.erase("parameters");
                   document = with_parameters(document, 5);
                   const Ran batch = run_json(document);
                   std::size_t alike = 0;
                   for (std::size_t head = 0; head < 2; ++head) {
                     Json one = document;
                     one["mechanism"].erase("heads");
                     one["parameters"] = Json::object();
                     for (const auto& [name, array] : batch.parameters) {
                       if (!name.starts_with("structure.")) continue;
                       const bool shared = core_of(core).serves_all_heads;
                       one["parameters"][name] = to_json(shared ? array : part(array, head));
                     }
                     for (const char* role : {"query", "key", "value"}) {
                       if (role == std::string("key") && core_of(core).shares_keys) continue;
                       one["inputs"][role] = to_json(part(batch.outputs.at(role), head));
                     }
                     const Ran ran = run_json(one);
                     CAPTURE(head);
                     bool same = distance(ran.outputs.at("context"),
                                          part(batch.outputs.at("heads"), head)) < tolerance;
                     for (const char* name : {"weights", "implied"})
                       same = same && distance(ran.outputs.at(name),
                                               part(batch.outputs.at(name), head)) < tolerance;
                     if (core.laws.heads_alike) CHECK(same);
                     alike += same ? 1 : 0;
                   }
                   // A head alone has the decay of one head among two.
                   CHECK(alike > 0);
                 });

const Each future("does not see the future where it is causal: not a bit of an earlier row changes",
                  causal_cores, [](const Mechanism& core) {
                    const Json document = causal_document(core, 6);
                    const Ran plain = run_json(document);
                    const std::size_t keys = keys_of_each_query(document),
                                      rows = plain.outputs.at("context").rows();
                    for (std::size_t first = 1; first < std::min<std::size_t>(rows, 5); ++first) {
                      Json changed = document;
                      const bool peeks = !core_of(core).peeks.empty();
                      change_rows_from(changed, first, peeks);
                      const Ran ran = run_json(changed);
                      CAPTURE(first);
                      for (const char* name : {"context", "implied"}) {
                        if (peeks && name == std::string("implied")) continue;
                        const Array before = map_of(plain.outputs.at(name), 0, 2),
                                    now = map_of(ran.outputs.at(name), 0, 2);
                        for (std::size_t i = 0; i < first; ++i) CHECK(before.row(i) == now.row(i));
                        if (!peeks) CHECK(before.row(first) != now.row(first));
                        CHECK(before.data != now.data);
                      }
                    }
                    const Array implied = map_of(plain.outputs.at("implied"), 0, 2);
                    for (std::size_t i = 0; i < implied.rows(); ++i) {
                      for (std::size_t j = (i + 1) * keys; j < implied.cols(); ++j)
                        CHECK(implied(i, j) == 0);
                    }
                  });

const Each mask_is_knob("takes the causal mask for its knob", causal_cores,
                        [](const Mechanism& core) {
                          if (core_of(core).always_causal) return;
                          Json by_mask = causal_document(core, 7), by_knob = by_mask;
                          by_knob["mechanism"].erase("mask");
                          by_knob["mechanism"]["core"]["causal"] = true;
                          const Ran a = run_json(by_mask), b = run_json(by_knob);
                          for (const char* name : {"context", "weights", "implied", "mask"})
                            CHECK(distance(a.outputs.at(name), b.outputs.at(name)) == 0);
                        });

const Each no_form("says why it has no causal form", never_causal_cores, [](const Mechanism& core) {
  Json document = example_document(core, 8);
  const std::string why = sentence_of_reason(core_of(core).never_causal);
  document["mechanism"]["core"]["causal"] = true;
  CHECK_THROWS_WITH_AS(run_json(document), doctest::Contains(why.c_str()), Error);
  document["mechanism"]["core"]["causal"] = false;
  CHECK_NOTHROW(run_json(document));
  document["mechanism"]["mask"] = "mask-causal";
  CHECK_THROWS_WITH_AS(run_json(document), doctest::Contains(why.c_str()), Error);
  // Of another mask the order of time is not the reason.
  document["mechanism"]["mask"] = {{"type", "mask-window"}, {"window", 1}};
  CHECK_THROWS_WITH_AS(run_json(document), doctest::Contains("cannot treat single pairs"), Error);
});

const Each one_token("has a context where there is one token", every_core,
                     [](const Mechanism& core) {
                       Json document = example_document(core, 8);
                       document["mechanism"]["core"] = std::string(core.id);
                       const std::size_t keys = keys_of_each_query(document);
                       for (auto& [name, input] : document["inputs"].items()) {
                         const std::size_t width = input["shape"].back();
                         input = to_json(Array({name == "query" ? 1 : keys, width}, .7));
                       }
                       const Ran ran = run_json(document);
                       for (const double x : ran.outputs.at("context").data)
                         CHECK(std::isfinite(x));
                       CHECK(largest_of(ran.outputs.at("context")) > 0);
                     });

const Each equal_softmax(
    "equals softmax attention, as its record says", exact_cores, [](const Mechanism& core) {
      for (const bool causal : {false, true}) {
        Json document = causal ? causal_document(core, 9) : square_document(core, 9);
        const Ran fast = run_json(document);
        document["mechanism"].erase("core");
        document.erase("parameters");
        const Ran plain = run_json(document);
        for (const char* name : {"context", "weights"})
          CHECK(distance(fast.outputs.at(name), plain.outputs.at(name)) < 10 * tolerance);
      }
    });

const Each refused("stands alone: no score, alignment, aggregate, penalty, pair mask beside it",
                   every_core, [](const Mechanism& core) {
                     struct Beside {
                       const char* slot;
                       const char* id;
                     };
                     for (const Beside& one : {Beside{"score", "dot"},
                                               {"alignment", "softmax"},
                                               {"aggregate", "aggregate-gate"},
                                               {"penalties", "frobenius-penalty"},
                                               {"dimensionality", "multi-dim"},
                                               {"mask", "mask-window"},
                                               {"position", "pos-attention"},
                                               {"output", "weights-as-output"}}) {
                       Json document = example_document(core, 1);
                       document["mechanism"][one.slot] = one.id;
                       CAPTURE(one.slot);
                       CHECK_THROWS_WITH_AS(run_json(document),
                                            doctest::Contains("cannot be combined with"), Error);
                     }
                   });

}  // namespace

TEST_CASE("a core goes with self-attention, positions, heads and an output model") {
  Json document = example_document(*find_mechanism(Kind::query, "self-attention"), 2);
  document["mechanism"]["core"] = "linear";
  document["mechanism"]["position"] = "pos-sinusoidal";
  document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  document["mechanism"]["output"] = "selfatt-residual";
  document["mechanism"]["mask"] = "mask-causal";
  const Ran ran = run_json(document);
  CHECK(ran.outputs.at("weights").shape == Shape{2, 5, 5});
  CHECK(ran.outputs.at("output").shape == ran.outputs.at("context").shape);
  CHECK(distance(ran.outputs.at("output"), ran.outputs.at("context")) > .1);
}

TEST_CASE("the implied map of many keys is given to those who ask for it") {
  Json document = example_document(*find_mechanism(Kind::core, "linear"), 2);
  for (const char* role : {"key", "value"}) document["inputs"][role] = to_json(Array({513, 6}, .5));
  CHECK_FALSE(run_json(document).outputs.contains("implied"));
  document["outputs"] = {"implied"};
  CHECK(run_json(document).outputs.at("implied").shape == Shape{4, 513});
}

TEST_CASE(
    "routing tells the first cluster that takes a query, and the ramp of a causal span is that of the past") {
  Json document = Json::parse(R"({"schema": "attention-playground/1", "inputs": {
    "query": {"matrix": [[3, 0, 0], [0, 0, 3], [2, 0, 0], [0, 2, 0], [0, 3, 0], [0, 0, 2]]}},
    "mechanism": {"type": "routing", "clusters": 3},
    "parameters": {"structure.mu": [[0, 1, 0], [1, 0, 0], [5, 0, 1]]}})");
  // The last two centroids take the same two queries; those along the third axis nobody takes.
  CHECK(run_json(document).outputs.at("clusters").data == std::vector<double>{1, 3, 1, 0, 0, 3});
  document.erase("parameters");
  document["mechanism"] = {{"type", "adaptive-span"}, {"R", 2}};
  for (const bool causal : {true, false}) {
    document["mechanism"]["causal"] = causal;
    const Array ramp = run_json(document).outputs.at("ramp");
    CHECK(ramp(2, 1) == .5);
    CHECK(ramp(1, 2) == (causal ? 0 : .5));
    CHECK(ramp(4, 1) == 0);
  }
}

TEST_CASE("a core stands in a model, and its parameters below the module's name") {
  const Json linear = example_document(*find_mechanism(Kind::core, "linear"), 2);
  Json model = linear;
  model.erase("mechanism");
  model["model"] = Json::array({{{"name", "long"}, {"type", "attention"}, {"core", "linear"}},
                                {{"name", "short"}, {"type", "linear"}}});
  const Ran ran = run_json(model), plain = run_json(linear);
  CHECK(distance(ran.outputs.at("long.context"), plain.outputs.at("context")) == 0);
  CHECK(distance(ran.outputs.at("short.context"), plain.outputs.at("context")) == 0);
}

}  // namespace attend::testing::cores_test
