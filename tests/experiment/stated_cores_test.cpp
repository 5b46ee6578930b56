// SPDX-License-Identifier: Apache-2.0
// The cores of the catalogue whose builds state how a kernel computes their context: the kernel's node gives the
// context of the formula and all gradients, at odd sizes, with and without heads, causal order and a batch.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <optional>
#include <set>
#include <string>

#include "experiment/describing/example.h"
#include "experiment/recording/compile.h"
#include "fused/feature_attention.h"
#include "fused/fuse.h"
#include "ops/error.h"
#include "ops/intent.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"
#include "tests/rows/masks.h"

namespace attend::testing::stated_cores_test {
namespace {

// The core as its example has it, and once for each other value of a switch or a choice.
std::vector<Json> every_setting(const Mechanism& core) {
  const Json document = example_document(core);
  if (!document["mechanism"].contains("core")) return {};
  Json plain = document["mechanism"]["core"];
  if (plain.is_string()) plain = {{"type", plain}};
  std::vector<Json> list{plain};
  const auto with = [&](std::string_view knob, const Json& value) {
    list.push_back(plain);
    list.back()[std::string(knob)] = value;
  };
  for (const Knob& knob : core.knobs) {
    if (knob.type == Knob::Type::boolean && knob.name != "causal") with(knob.name, true);
    for (const std::string_view choice : knob.choices) with(knob.name, std::string(choice));
  }
  return list;
}

struct Setting {
  std::size_t n = 7, heads = 1;
  bool causal = false;
};

// Small numbers: features of 1 + x have sums away from 0.
Array rows(const Setting& s, const char* role) {
  Array array = noise({s.n, 4 * s.heads}, role);
  for (double& x : array.data) x *= .3;
  return array;
}

Json document_of(const Mechanism& of, const Json& core, const Setting& s) {
  Json document{{"schema", "attention-playground/1"},
                {"outputs", {"context"}},
                {"mechanism", {{"type", "attention"}, {"core", core}}}};
  if (s.causal) document["mechanism"]["mask"] = Json::array({"mask-causal"});
  if (s.heads > 1) document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", s.heads}};
  // Some cores have no keys besides the queries.
  const Json example = example_document(of);
  for (const char* role : {"query", "key", "value"})
    if (example["inputs"].contains(role)) document["inputs"][role] = to_json(rows(s, role));
  return document;
}

std::optional<Compiled> compiled(const Json& document) {
  try {
    Document read = read_document(document);
    read.outputs = std::nullopt;
    return compile(std::move(read));
  } catch (const Error&) {
    return std::nullopt;  // of settings that exclude each other, or a core that is never causal
  }
}

const std::string context = "outputs.context";

// The context of a program and its gradients by all that it reads.
std::vector<std::vector<real>> numbers_of(const Compiled& compiled, const Program& context_alone) {
  std::vector<std::string> by;
  for (const Program::Leaf& leaf : context_alone.leaves())
    if (leaf.kind != LeafKind::constant) by.push_back(leaf.name);
  const Program program = with_gradient(context_alone, context, by);
  std::vector<std::vector<real>> given;
  for (const Program::Leaf& leaf : program.leaves()) {
    const Leaf* const known = compiled.recording().leaf(leaf.name);
    std::vector<real> numbers = known == nullptr ? std::vector<real>{} : compiled.leaf_data(*known);
    // Of a batch the second example is another one.
    const std::size_t one = numbers.size();
    while (known != nullptr && numbers.size() < element_count(program.graph()[leaf.node].shape))
      numbers.push_back(numbers[numbers.size() - one] * real(.75));
    if (leaf.name.starts_with("cotangent.")) {  // not the same slope everywhere
      for (std::size_t i = 0; i < element_count(program.graph()[leaf.node].shape); ++i)
        numbers.push_back(static_cast<real>(std::sin(static_cast<double>(i) * 1.7)));
    }
    given.push_back(std::move(numbers));
  }
  const Leaves leaves(given.begin(), given.end());
  Workspace work = workspace_for(program);
  evaluate(program, leaves, work);
  std::vector<std::vector<real>> all;
  for (const Program::Result& one : program.results())
    all.emplace_back(work[one.node].begin(), work[one.node].end());
  return all;
}

// Nodes of kernels: the name of each, and of attention by features the map.
using Forms = std::set<std::string>;

Forms forms_in(const Graph& graph) {
  Forms forms;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Primitive* const primitive = graph[id].primitive;
    if (primitive == &fused::feature_attention)
      forms.insert("features of map " + std::to_string(graph[id].attributes[0]));
    if (primitive == &fused::delta_attention || primitive == &fused::hashed_attention)
      forms.insert(std::string(primitive->name));
  }
  return forms;
}

// Checks that the program with nodes of kernels gives the numbers of the formula. Gives these forms.
Forms check(const Compiled& compiled, std::size_t examples) {
  std::vector<Program::Result> results;
  for (const Program::Result& one : compiled.program().results())
    if (one.name == context) results.push_back(one);
  Program plain = compiled.program().with_results(std::move(results));
  if (examples != 0) plain = batched(plain, examples);
  const Program fast = pruned(fused::fused(plain, 0), {context});
  const Forms found = forms_in(fast.graph());
  if (found.empty()) return found;
  const auto expected = numbers_of(compiled, pruned(plain, {context})),
             actual = numbers_of(compiled, fast);
  // A delta rule whose features are longer than 1 lets rounding grow from token to token.
  const double tolerated =
      (sizeof(real) == 8 ? 1e-12 : 1e-5) * (found.contains("delta_attention") ? 4 : 1);
  REQUIRE(actual.size() == expected.size());
  for (std::size_t t = 0; t < expected.size(); ++t) {
    REQUIRE(actual[t].size() == expected[t].size());
    double worst = 0, size = .01;
    for (std::size_t i = 0; i < expected[t].size(); ++i) {
      worst = std::max(worst, std::abs(static_cast<double>(actual[t][i] - expected[t][i])));
      size = std::max(size, std::abs(static_cast<double>(expected[t][i])));
    }
    CAPTURE(t);
    CHECK(worst < tolerated * size);
  }
  return found;
}

Forms check_every_size(const Mechanism& of, const Json& core) {
  Forms found;
  for (const std::size_t n : {7UL, 33UL, 65UL}) {
    for (const std::size_t heads : {1UL, 3UL}) {
      for (const bool causal : {false, true}) {
        CAPTURE(n);
        CAPTURE(heads);
        CAPTURE(causal);
        const std::optional<Compiled> one = compiled(document_of(of, core, {n, heads, causal}));
        if (!one) continue;
        for (const std::size_t examples : {0UL, 2UL}) {
          CAPTURE(examples);
          found.merge(check(*one, examples));
        }
      }
    }
  }
  if (!found.empty()) return found;
  // Some weigh few tokens pair by pair.
  const std::optional<Compiled> many = compiled(document_of(of, core, {1025, 1, true}));
  return many ? check(*many, 0) : found;
}

Mechanisms every_core() { return of_kind(Kind::core); }

const Each form("has the context and the gradients of its formula where its build states a form",
                every_core, [](const Mechanism& core) {
                  for (const Json& setting : every_setting(core)) {
                    CAPTURE(setting.dump());
                    check_every_size(core, setting);
                  }
                });

}  // namespace

TEST_CASE("every kernel of a context is what some core of the catalogue runs") {
  Forms all;
  for (const Mechanism* core : every_core()) {
    for (const Json& setting : every_setting(*core)) {
      const auto one = compiled(document_of(*core, setting, {33, 3, false}));
      if (one) all.merge(check(*one, 2));
    }
  }
  for (long map = 0; map <= static_cast<long>(FeatureMap::fourier); ++map)
    CHECK(all.contains("features of map " + std::to_string(map)));
  CHECK(all.contains("delta_attention"));
  CHECK(all.contains("hashed_attention"));
}

TEST_CASE("a context that an intervention changes on its way is not what its build states") {
  for (const char* of : {"\\varphi(K)", "S", "z"}) {
    CAPTURE(of);
    Json document =
        document_of(*find_mechanism(Kind::core, "linear"), {{"type", "linear"}}, {70, 1, false});
    const Ran before = run_json(document);
    for (const Json& how : {Json{{"type", "set"}, {"of", of}, {"rows", {0}}, {"value", 1}},
                            Json{{"type", "scale"}, {"of", of}, {"value", 3}}}) {
      document["interventions"] = Json::array({how});
      document["gradient"] = {{"of", "context"}};
      Json whole_document = document;
      whole_document.erase("outputs");
      const Ran whole = run_json(whole_document), fast = run_json(document);
      CHECK(distance(fast.outputs.at("context"), whole.outputs.at("context")) < 10 * tolerance);
      if (how["type"] == "set")
        CHECK(distance(fast.outputs.at("context"), before.outputs.at("context")) > 1e-4);
      for (const auto& [name, array] : whole.gradients)
        CHECK_MESSAGE(distance(fast.gradients.at(name), array) < 100 * tolerance, name);
    }
  }
}

}  // namespace attend::testing::stated_cores_test
