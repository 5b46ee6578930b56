// SPDX-License-Identifier: Apache-2.0
// What stands for a module, and which port reads words, is said by the records and never by a name.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>

#include "experiment/learning/answer.h"
#include "experiment/running/run.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::main_results_test {
namespace {

std::string own_name(const Modules& modules, const TensorRecord& output) {
  const std::string& module = output.module ? modules[*output.module].name : output.name;
  return module.empty() || module == output.name ? output.name
                                                 : output.name.substr(module.size() + 1);
}

const Each mains("says by their kind which results stand for it", every_mechanism,
                 [](const Mechanism& mechanism) {
                   static const std::map<std::string, MainResult> kinds{
                       {"context", MainResult::context},
                       {"output", MainResult::output},
                       {"loss", MainResult::loss}};
                   const Compiled compiled = compile(read_document(example_document(mechanism, 1)));
                   for (const KnownTensor& known : compiled.outputs()) {
                     const TensorRecord& output = *known.record;
                     const auto kind = kinds.find(own_name(compiled.directory().modules(), output));
                     CHECK_MESSAGE(
                         output.main == (kind == kinds.end() ? MainResult::none : kind->second),
                         output.name << " is named in.output(out::..), which a text is not");
                   }
                 });

const Each words("reads words at a port exactly where it has a list of them", every_mechanism,
                 [](const Mechanism& mechanism) {
                   const bool lists =
                       std::any_of(mechanism.knobs.begin(), mechanism.knobs.end(),
                                   [](const Knob& k) { return k.type == Knob::Type::words; });
                   const Role* role = role_of_words(mechanism);
                   // A port of one column reads the words' numbers, and needs no list.
                   const bool numbers = role != nullptr && role->shape.ends_with(" 1");
                   CHECK((lists || numbers) == (role != nullptr));
                 });

Json classifier() {
  return Json::parse(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"x": {"matrix": [[1, 0, 2], [0, 1, 1]]}, "target": {"matrix": [[1], [0]]}},
    "model": [{"name": "head", "type": "om-softmax", "classes": 3},
              {"name": "loss-of-words", "type": "cross-entropy", "inputs": {"logits": "head.logits"}}]})");
}

Mechanisms losses_over_words() {
  Mechanisms list = of_kind(Kind::structure);
  std::erase_if(list, [](const Mechanism* mechanism) {
    return std::get<Structure>(mechanism->behaviour).logits.empty();
  });
  return list;
}

const Each at_ports("gives the ports at which it compares classes with words", losses_over_words,
                    [](const Mechanism& loss) {
                      const auto ports = ports_of_answers(loss.id);
                      REQUIRE(ports);
                      CHECK(std::any_of(
                          loss.roles.begin(), loss.roles.end(),
                          [&](const Role& role) { return role.name == ports->logits; }));
                      CHECK(ports->words != ports->logits);
                    });

}  // namespace

TEST_CASE("only a loss that compares classes with words has ports for them") {
  CHECK(!losses_over_words().empty());
  CHECK(!ports_of_answers("squared-error"));
}

TEST_CASE("the gradient of a model whose result nobody names is that of its loss") {
  Json document = classifier();
  document["gradient"] = Json::object();
  const Ran unnamed = run_json(document);
  document["gradient"]["of"] = "loss";
  const Ran named = run_json(document);
  REQUIRE(!named.gradients.empty());
  for (const auto& [name, gradient] : named.gradients)
    CHECK(unnamed.gradients.at(name).data == gradient.data);
}

TEST_CASE("a model without a main result asks which gradient is wanted") {
  Json document = classifier();
  document["model"].erase(1);
  document["inputs"].erase("target");
  document["gradient"] = Json::object();
  try {
    run_json(document);
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK(error.path == "/gradient/of");
    CHECK(std::string(error.what()).find("head.logits") != std::string::npos);
  }
}

}  // namespace attend::testing::main_results_test
