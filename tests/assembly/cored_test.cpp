// SPDX-License-Identifier: Apache-2.0
// What a module does around its core.
#include <algorithm>
#include <doctest/doctest.h>

#include "assembly/builder.h"
#include "experiment/recording/compile.h"
#include "tests/experiment/harness.h"

namespace attend::testing::cored_test {
namespace {

Json with_heads(const char* core, std::size_t tokens) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < 2 * tokens; ++i) numbers.push_back(static_cast<double>(i % 7) / 8);
  return {{"schema", "attention-playground/1"},
          {"seed", 1},
          {"outputs", {"context"}},
          {"inputs", {{"x", {{"shape", {tokens, 2}}, {"data", numbers}}}}},
          {"mechanism",
           {{"type", "attention"},
            {"query", "self-attention"},
            {"mask", "mask-causal"},
            {"core", {{"type", core}}},
            {"heads", {{"type", "multi-head"}, {"count", 2}}}}}};
}

// A core that takes values of any width but that of the identity, and says why.
Weighing only_narrow(const CoreIn& in) {
  return {[in](Var v) {
    if (v.extent(-1) == in.n()) refuse("values as wide as there are keys are not for it");
    return matmul(softmax(matmul(in.q, in.k, false, true)), v);
  }};
}

}  // namespace

TEST_CASE("a causal core with heads grows with n: beyond 16,384 tokens, where its mask is none") {
  for (const char* core : {"linear", "fast-weight", "performer", "rfa"}) {
    CAPTURE(core);
    CHECK(run_json(with_heads(core, 16'400)).outputs.at("context").shape == Shape{16'400, 2});
    // And the first rows are those of the first rows alone.
    if (std::string(core) != "linear") continue;
    const Array many = run_json(with_heads(core, 16'400)).outputs.at("context"),
                few = run_json(with_heads(core, 100)).outputs.at("context");
    for (std::size_t i = 0; i < 100; ++i)
      CHECK(many(i, 1) == doctest::Approx(few(i, 1)).epsilon(1e-4));
  }
}

TEST_CASE("heads that look at the keys have the mask of a causal core") {
  Json document = with_heads("linear", 5);
  document["mechanism"]["heads"]["type"] = "gated-heads";
  document.erase("outputs");
  const Array causal = run_json(document).outputs.at("gate");
  document["mechanism"].erase("mask");
  const Array whole = run_json(document).outputs.at("gate");
  CHECK(distance(causal, whole) > 1e-3);
}

TEST_CASE("what is wrong with a core at the identity is told") {
  Json json = with_heads("linear", 5);
  json["mechanism"].erase("heads");
  Document document = read_document(json);
  Choice& core = document.modules.front().choice.slots.find("core")->second.front();
  Mechanism other = *core.mechanism;
  other.behaviour = Core{.build = only_narrow, .masks = causal_mask};
  core.mechanism = &other;
  CHECK_THROWS_WITH_AS((void)compile(std::move(document)),
                       doctest::Contains("values as wide as there are keys"), Error);
}

TEST_CASE("a core of too many keys for its map is recorded without one, and without its identity") {
  const Compiled compiled = compile(read_document(with_heads("linear", 20'000)));
  CHECK(compiled.directory().output("implied") == nullptr);
  CHECK(compiled.directory().output("mask") == nullptr);
  for (NodeId id = 0; id < compiled.graph().size(); ++id) {
    const Shape& shape = compiled.graph()[id].shape;
    if (shape.size() > 1) CHECK((shape.back() < 20'000 || shape.end()[-2] < 20'000));
  }
}

}  // namespace attend::testing::cored_test
