// SPDX-License-Identifier: Apache-2.0
// The roles of axes: by the vocabulary, or stated where a build names the axis.
#include <doctest/doctest.h>
#include <fstream>
#include <list>
#include <set>
#include <sstream>

#include "catalogue/axis_vocabulary.h"
#include "catalogue/scope.h"
#include "experiment/recording/compile.h"
#include "experiment/service.h"
#include "tests/checkout.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::axes_test {
namespace {

std::string roles_of(const TensorRecord& record) {
  std::string text;
  for (const NamedAxis& axis : record.axes) {
    text += (text.empty() ? "" : " ") + axis.symbol + ":" + std::string(role_name(axis.role));
    if (axis.time) text += "!";
  }
  return text;
}

// The roles that somebody looked at: of each mechanism those of its results and of its inputs in its example. A
// mechanism that is not in the file has none that could change. Edit its line if a role was wrong.
const Json& known_roles() {
  static const Json all = [] {
    std::ifstream file(in_checkout("/tests/assembly/axis_roles.json"));
    std::stringstream text;
    text << file.rdbuf();
    return parse_json(text.str());
  }();
  return all;
}

const Each known("keeps the roles of its axes", every_mechanism, [](const Mechanism& mechanism) {
  const Compiled compiled = compile(read_document(example_document(mechanism, 5)));
  Json found = Json::object();
  for (const TensorGroup group : {TensorGroup::inputs, TensorGroup::outputs})
    for (const KnownTensor& one : compiled.directory().of(group))
      found[one.record->key()] = roles_of(*one.record);
  const std::string name = case_name(mechanism);
  if (known_roles().contains(name)) CHECK(found == known_roles()[name]);
});

Tensors with_unknown_axis(const Scope&, const Tensors& inputs) {
  return {{out::result, inputs["x"], "n dk2"}};
}
Tensors with_stated_axis(const Scope&, const Tensors& inputs) {
  return {{out::result, inputs["x"], "n:query dk2:feature"}};
}
Tensors with_unknown_role(const Scope&, const Tensors& inputs) {
  return {{out::result, inputs["x"], "n:quary d"}};
}

Compiled compiled_with(Tensors (*build)(const Scope&, const Tensors&)) {
  Document document = read_document(document_of_rows(R"({"type": "fm-identity"})", 3));
  Choice& module = document.modules.front().choice;
  static std::list<Mechanism> kept;
  Mechanism& other = kept.emplace_back(*module.mechanism);
  other.behaviour = Structure{build};
  module.mechanism = &other;
  return compile(std::move(document));
}

}  // namespace

TEST_CASE("axes: a build that names an axis without a role is refused") {
  CHECK_THROWS_WITH_AS((void)compiled_with(with_unknown_axis),
                       doctest::Contains("the axis \"dk2\" of a result or a port has no role"),
                       Error);
  CHECK_THROWS_WITH_AS((void)compiled_with(with_unknown_role), doctest::Contains("\"quary\""),
                       Error);
}

TEST_CASE("axes: a role that a build states is the role of the axis") {
  const Compiled compiled = compiled_with(with_stated_axis);
  const KnownTensor* result = compiled.directory().output("output");
  REQUIRE(result != nullptr);
  CHECK(roles_of(*result->record) == "n:query dk2:feature");
}

TEST_CASE("axes: the vocabulary has every symbol once, with its meaning") {
  std::set<std::string_view> symbols;
  for (const AxisWord& word : axis_vocabulary) {
    CAPTURE(word.symbol);
    CHECK(symbols.insert(word.symbol).second);
    CHECK(!word.meaning.empty());
    CHECK(axis_of(word.symbol).role == word.role);
  }
  CHECK(axis_word("r") == nullptr);
  CHECK(axis_of("2").role == AxisRole::feature);  // coordinates
  CHECK_THROWS_AS((void)axis_of("r"), Error);
  CHECK_THROWS_AS((void)axis_of(""), Error);
}

TEST_CASE("axes: every port of the catalogue has symbols of the vocabulary") {
  for (const Mechanism* mechanism : all_mechanisms()) {
    for (const Role& role : mechanism->roles) {
      for (const std::string_view word : symbols_in(role.shape)) {
        CAPTURE(mechanism->id);
        CAPTURE(role.name);
        if (word != "|") CHECK_NOTHROW((void)axis_of(word));
      }
    }
  }
}

TEST_CASE("axes: maps of one group of rows over another have queries and keys") {
  const auto roles = [](const char* id, const char* output) {
    const std::string document = example_text(id);
    const Compiled compiled = compile(read_document(std::string_view(document)));
    const KnownTensor* found = compiled.directory().output(output);
    REQUIRE(found != nullptr);
    std::string text;
    for (const NamedAxis& axis : found->record->axes)
      text += (text.empty() ? "" : " ") + std::string(role_name(axis.role));
    return text;
  };
  CHECK(roles("set-isab", "weights.0") == "head query key");
  CHECK(roles("set-isab", "weights.1") == "head query key");
  CHECK(roles("luna", "weights.1") == "query key");
  CHECK(roles("linformer", "weights") == "query key");
  CHECK(roles("ganformer-bipartite", "weights") == "query key");
  CHECK(roles("perceiver", "self.weights.0") == "head query key");
  CHECK(roles("transformer-ls", "weights") == "query key");
  CHECK(roles("power-bert", "weights") == "query key");
  CHECK(roles("truncated-history", "weights") == "query key");
  CHECK(roles("hierarchical-3tier", "word.weights") == "query key");
  CHECK(roles("hierarchical-3tier", "sentence.weights") == "query key");
  CHECK(roles("coatt-qanet", "weights1") == "query key");
  CHECK(roles("coatt-qanet", "weights2") == "query key");
  CHECK(roles("attention-over-attention", "M2") == "key query");
  CHECK(roles("mblosa", "outer.weights") == "query key feature");
  CHECK(roles("log-linear", "states") == "query feature feature feature");
}

}  // namespace attend::testing::axes_test
