// SPDX-License-Identifier: Apache-2.0
// What cores with a memory that fades promise beyond their formulas: each is a limit of another one, keeps the same
// memory however many rows there are, and computes in chunks of any size what its steps give, with all gradients,
// whatever fades and whatever is erased, and without seeing a later row.
#include <algorithm>
#include <cmath>

#include "tests/each.h"
#include "tests/rows/recurrent.h"

namespace attend::testing::recurrent_cores_test {

using namespace recurrent;

TEST_CASE("retention with a decay of 1 is linear attention without features and normaliser") {
  const Ran ran = run_json(core("retention", {}, {{"gamma", 1}}));
  CHECK(distance(ran.outputs.at("implied"), causal_products(ran, .5)) < close);
}

TEST_CASE("retention with a decay of 0 sees only the token itself") {
  const Ran ran = run_json(core("retention", {}, {{"gamma", 0}, {"scale", 1}}));
  const Array all = causal_products(ran, 1), &map = ran.outputs.at("implied");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      CHECK(map(i, j) == doctest::Approx(i == j ? all(i, i) : 0.));
  }
}

TEST_CASE("each head of retention has its own decay, by the formula or from the list") {
  Json document = core("retention");
  document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  Json given = document;
  given["mechanism"]["core"]["gamma"] = {1 - 1 / 32., 1 - 1 / 64.};
  equal_results(document, given);
  given["mechanism"]["core"]["gamma"] = .5;
  CHECK(distance(run_json(document).outputs.at("implied"), run_json(given).outputs.at("implied")) >
        .01);
}

TEST_CASE("lightning attention is retention whose decay follows from head and layer") {
  for (const auto& [layer, layers] : {std::pair{0., 1.}, {0., 12.}, {5., 12.}, {11., 12.}}) {
    const double f = 1 - layer / (layers - 1 + 1e-5) + 1e-5;
    equal_results(core("lightning", {}, {{"layer", layer}, {"layers", layers}}),
                  core("retention", {}, {{"gamma", std::exp(-f / 256)}, {"scale", 1}}));
  }
}

TEST_CASE("a gate that is constant is a decay, and equal gates are one gate") {
  equal_results(core("gla", {{"alpha", Array({n, p}, .8)}}),
                core("retention", {}, {{"gamma", .8}}));
  const Array alpha = gates("alpha", {n});
  equal_results(core("gla", {{"alpha", for_all_features(alpha)}}),
                core("simple-gla", {{"alpha", alpha}}));
}

TEST_CASE("Mamba-2 is its masked quadratic form, and a step of 0 skips its token") {
  Array dt = gates("dt", {n});
  dt.data[2] = 0;
  const Array A_log({}, .3), D({}, .7);
  const Ran ran = run_json(core("mamba-2", {{"dt", dt}, {"A_log", A_log}, {"D", D}}));
  Array expected = causal_products(ran, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double time = 0;
      for (std::size_t s = j + 1; s <= i; ++s) time += dt.data[s];
      expected(i, j) *= dt.data[j] * std::exp(-std::exp(.3) * time);
      expected(i, j) += i == j ? .7 : 0;
    }
  }
  CHECK(distance(ran.outputs.at("implied"), expected) < close);
  const Array& states = ran.outputs.at("states");
  CHECK(distance(part(states, 2), part(states, 1)) == 0);
}

TEST_CASE("Mamba-2 without decay, step and pass is linear attention") {
  const Ran ran =
      run_json(core("mamba-2", {{"dt", one_each}, {"A_log", Array({}, -60)}, {"D", Array({}, 0)}}));
  CHECK(distance(ran.outputs.at("implied"), causal_products(ran, 1)) < close);
}

TEST_CASE("Mamba with equal decays is Mamba-2 in every feature of the values") {
  const Array dt = gates("dt", {n});
  Array wide({n, 3});
  for (std::size_t i = 0; i < wide.data.size(); ++i) wide.data[i] = dt.data[i / 3];
  const Ran many = run_json(
                core("mamba", {{"dt", wide}, {"A_log", Array({3, p}, .2)}, {"D", Array({3}, .4)}})),
            one = run_json(
                core("mamba-2", {{"dt", dt}, {"A_log", Array({}, .2)}, {"D", Array({}, .4)}}));
  for (const char* name : {"context", "state", "states"})
    CHECK(distance(many.outputs.at(name), one.outputs.at(name)) < close);
  for (std::size_t c = 0; c < 3; ++c)
    CHECK(distance(part(many.outputs.at("implied"), c), one.outputs.at("implied")) < close);
}

TEST_CASE("log-linear attention with equal levels has one gate, and without levels only itself") {
  const Array alpha = gates("alpha", {n});
  const Ran all = run_json(core("log-linear", {{"alpha", alpha}, {"lambda", Array({n, 4}, 1)}})),
            one = run_json(core("simple-gla", {{"alpha", alpha}}, {{"scale", 1}}));
  for (const char* name : {"context", "implied"})
    CHECK(distance(all.outputs.at(name), one.outputs.at(name)) < close);
  CHECK(all.outputs.at("state").shape == Shape{4, p, 3});
  Array own({n, 4});
  for (std::size_t i = 0; i < n; ++i) own(i, 0) = 1;
  const Ran alone = run_json(core("log-linear", {{"alpha", alpha}, {"lambda", own}}));
  const Array products = causal_products(alone, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      CHECK(alone.outputs.at("implied")(i, j) ==
            doctest::Approx(i == j ? products(i, i) : 0.).epsilon(1e-4));
  }
}

TEST_CASE("HGRN2 whose gates are 1 writes nothing, and its memory is bounded by its values") {
  const Ran closed = run_json(core("hgrn2", {{"f", Array({n, p}, 1)}}));
  for (const double x : closed.outputs.at("context").data) CHECK(x == 0);
  const Ran ran = run_json(core("hgrn2", {{"f", gates("f", {n, p})}}));
  const Array &q = ran.outputs.at("query"), &v = ran.outputs.at("value");
  double largest = 0;
  for (const double x : v.data) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < n; ++i) {
    double length = 0;
    for (const double x : q.row(i)) length += std::abs(x);
    for (const double x : ran.outputs.at("context").row(i))
      CHECK(std::abs(x) <= largest * length * 1.0001);
  }
}

namespace {

constexpr std::size_t thirteen = 13, whole = 99;  // a chunk of more rows than there are: row by row
constexpr double equal = tolerance < 1e-9 ? 1e-12 : tolerance;

const Knob* knob_of(const Mechanism& core, std::string_view name) {
  for (const Knob& knob : core.knobs) {
    if (knob.name == name) return &knob;
  }
  return nullptr;
}

Mechanisms chunked_cores() {
  Mechanisms list = of_kind(Kind::core);
  std::erase_if(list, [](const Mechanism* core) {
    return !std::get<Core>(core->behaviour).always_causal || knob_of(*core, "chunk") == nullptr;
  });
  return list;
}

std::vector<const char*> sources_of_gates(const Mechanism& core) {
  const Knob* gates = knob_of(core, "gates");
  if (gates == nullptr || gates->choices.end() - gates->choices.begin() == 1) return {"given"};
  return {"given", "token"};
}

Json document_of(const Mechanism& core, const char* gates, bool heads) {
  Json knobs = {{"type", core.id}, {"chunk", whole}};
  if (knob_of(core, "gates") != nullptr) knobs["gates"] = gates;
  Json document = tokens(std::move(knobs), thirteen);
  if (heads)
    document["mechanism"]["heads"] = {{"type", "grouped-query"}, {"count", 2}, {"groups", 1}};
  return with_parameters(document, 6);
}

// The nearest number that a parameter may have.
double allowed(const Mechanism& core, std::string_view parameter, double gate) {
  for (const Parameter& one : core.parameters) {
    if (one.name != parameter) continue;
    if (one.values.open) return std::max(gate, 1e-6);
    return std::clamp(gate, one.values.low, one.values.high);
  }
  return gate;
}

// Gates of rows that keep nothing, everything and almost nothing, and one that no formula of gates gives.
void set_rows(const Mechanism& core, Json& document,
              const std::vector<std::pair<std::size_t, double>>& gates) {
  if (!document.contains("parameters")) return;
  for (auto& [name, parameter] : document["parameters"].items()) {
    const std::vector<std::size_t> shape = parameter["shape"];
    const auto axis = std::find(shape.begin(), shape.end(), thirteen);
    if (!name.starts_with("structure.") || axis == shape.end()) continue;
    std::size_t each = 1;
    for (auto next = axis + 1; next != shape.end(); ++next) each *= *next;
    for (const auto& [row, given] : gates) {
      const double gate = allowed(core, name.substr(name.find('.') + 1), given);
      for (std::size_t i = row * each; i < parameter["data"].size(); i += thirteen * each) {
        for (std::size_t c = 0; c < each; ++c) parameter["data"][i + c] = gate;
      }
    }
  }
}

void equal_in_chunks(Json document) {
  document["gradient"] = {{"of", "context"}};
  const Ran by_steps = run_json(document);
  for (const std::size_t chunk : {1, 2, 3, 5, 8, 12, 13, 14, 16}) {
    CAPTURE(chunk);
    document["mechanism"]["core"]["chunk"] = chunk;
    const Ran ran = run_json(document);
    for (const char* name : {"context", "implied", "state", "states"})
      CHECK_MESSAGE(distance(ran.outputs.at(name), by_steps.outputs.at(name)) < equal, name);
    CHECK(ran.gradients.size() == by_steps.gradients.size());
    for (const auto& [name, slope] : by_steps.gradients)
      CHECK_MESSAGE(distance(ran.gradients.at(name), slope) < 10 * equal, name);
  }
}

const Each same_result("gives in chunks of any size what its steps give", chunked_cores,
                       [](const Mechanism& core) {
                         for (const char* gates : sources_of_gates(core)) {
                           for (const bool heads : {false, true}) {
                             CAPTURE(gates);
                             CAPTURE(heads);
                             equal_in_chunks(document_of(core, gates, heads));
                           }
                         }
                       });

const Each any_gate(
    "gives in chunks what its steps give for gates of 0, of 1 and below 0", chunked_cores,
    [](const Mechanism& core) {
      for (const bool heads : {false, true}) {
        Json document = document_of(core, "given", heads);
        set_rows(core, document, {{4, 0}, {7, 1}, {8, -.3}, {9, 1e-30}, {10, 1e-30}});
        equal_in_chunks(document);
      }
    });

const Each little_left("computes chunks of rows of which next to nothing stays", chunked_cores,
                       [](const Mechanism& core) {
                         Json document = document_of(core, "given", false);
                         for (std::size_t row = 0; row < thirteen; ++row)
                           set_rows(core, document, {{row, 1e-12}});
                         equal_in_chunks(document);
                       });

const Each future("does not see the future in chunks: not a bit of an earlier row changes",
                  chunked_cores, [](const Mechanism& core) {
                    Json document = document_of(core, sources_of_gates(core).back(), false);
                    for (const std::size_t chunk : {3, 4, 8}) {
                      document["mechanism"]["core"]["chunk"] = chunk;
                      const Ran plain = run_json(document);
                      for (std::size_t first = 1; first < thirteen; ++first) {
                        Json changed = document;
                        for (auto& [name, input] : changed["inputs"].items()) {
                          const std::size_t width = input["shape"].back();
                          for (std::size_t i = first * width; i < thirteen * width; ++i)
                            input["data"][i] = 1.7 - 2.3 * input["data"][i].get<double>();
                        }
                        const Ran ran = run_json(changed);
                        const Array &before = plain.outputs.at("context"),
                                    &now = ran.outputs.at("context");
                        CAPTURE(chunk);
                        CAPTURE(first);
                        for (std::size_t i = 0; i < first; ++i) CHECK(before.row(i) == now.row(i));
                        CHECK(before.row(thirteen - 1) != now.row(thirteen - 1));
                      }
                    }
                  });

}  // namespace

TEST_CASE("every recurrent core with gates has chunks") { CHECK(chunked_cores().size() >= 18); }

TEST_CASE("Gated DeltaProduct gives in chunks what its steps give for several keys of each query") {
  const Mechanism& core = *find_mechanism(Kind::core, "gated-deltaproduct");
  for (const std::size_t writes : {2, 3}) {
    for (const char* gates : sources_of_gates(core)) {
      for (const bool heads : {false, true}) {
        CAPTURE(writes);
        CAPTURE(gates);
        CAPTURE(heads);
        Json document = document_of(core, gates, heads);
        document.erase("parameters");
        document["mechanism"]["core"]["steps"] = writes;
        for (const char* role : {"key", "value"}) {
          const std::size_t width = document["inputs"][role]["shape"][1];
          document["inputs"][role] = to_json(random(role, writes * thirteen, width));
        }
        document = with_parameters(document, 6);
        equal_in_chunks(document);
        if (std::string_view(gates) == "token") continue;
        set_rows(core, document, {{4, 0}, {7, 1}, {8, -.3}, {9, 1e-30}, {10, 1e-30}});
        equal_in_chunks(document);
      }
    }
  }
}

TEST_CASE("a single row is the same in chunks") {
  for (const Mechanism* core : chunked_cores()) {
    CAPTURE(core->id);
    Json document = tokens({{"type", core->id}}, 1);
    const Ran steps = run_json(document);
    document["mechanism"]["core"]["chunk"] = 1;
    CHECK(distance(run_json(document).outputs.at("context"), steps.outputs.at("context")) == 0);
  }
}

TEST_CASE(
    "thousands of rows in chunks of log-linear attention have the levels that their places say") {
  constexpr std::size_t many = 4099;  // not whole chunks, and more levels than a chunk has
  Json document = core("log-linear", {{"alpha", Array({many}, 1)}}, {{"gates", "given"}}, many);
  Array lambda({many, 14});
  for (std::size_t i = 0; i < many; ++i) {
    for (std::size_t l = 0; l < 14; ++l) lambda(i, l) = std::pow(.5, static_cast<double>(l));
  }
  document["parameters"]["structure.lambda"] = to_json(lambda);
  for (const char* role : {"query", "key"})
    document["inputs"][role] = to_json(Array({many, p}, .5));
  document["outputs"] = {"context", "state"};
  const Ran ran = run_json(document);
  const Array v = random("v", many, 3);
  const Array& state = ran.outputs.at("state");
  for (const std::size_t i : {0UL, 63UL, 64UL, 191UL, 2047UL, 2048UL, 4097UL, 4098UL}) {
    for (std::size_t c = 0; c < v.cols(); ++c) {
      double expected = 0;
      std::vector<double> levels(14, 0);
      for (std::size_t j = 0; j <= i; ++j) {
        std::size_t level = 0;
        for (std::size_t differ = i ^ j; differ > 0; differ /= 2) ++level;
        expected += std::pow(.5, static_cast<double>(level)) * v(j, c);
        levels[level] += .5 * v(j, c);
      }
      CHECK(ran.outputs.at("context")(i, c) == doctest::Approx(expected).epsilon(1e-4));
      if (i + 1 < many) continue;
      for (std::size_t l = 0; l < 14; ++l)
        CHECK(state.data[(l * p + 1) * v.cols() + c] == doctest::Approx(levels[l]).epsilon(1e-4));
    }
  }
}

TEST_CASE(
    "rows so many that their states are not kept have the memory and the context of the steps") {
  constexpr std::size_t many = 90000;  // p dv of each row would be more than a million numbers
  Array ones({many, 1}, 1);
  Json document = core("retention", {}, {{"gamma", .5}, {"scale", 1}}, many);
  for (const char* role : {"query", "key"})
    document["inputs"][role] = to_json(Array({many, p}, .5));
  document["outputs"] = {"context", "state"};
  const Ran ran = run_json(document);
  CHECK_FALSE(ran.outputs.contains("states"));
  const Array v = run_json(core("retention", {}, {}, many)).outputs.at("value");
  for (std::size_t c = 0; c < v.cols(); ++c) {
    double state = 0;
    for (std::size_t t = many - 60; t < many; ++t) state = .5 * state + .5 * v(t, c);
    CHECK(ran.outputs.at("state")(0, c) == doctest::Approx(state).epsilon(1e-4));
    CHECK(ran.outputs.at("context")(many - 1, c) == doctest::Approx(2 * state).epsilon(1e-4));
  }
}

}  // namespace attend::testing::recurrent_cores_test
