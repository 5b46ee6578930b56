// SPDX-License-Identifier: Apache-2.0
// Passes over programs: every order that is defined gives the same numbers.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/compile.h"
#include "experiment/example.h"
#include "fused/fuse.h"
#include "ops/error.h"

namespace attend {
namespace {

using Numbers_by_name = std::map<std::string, std::vector<real>>;

Numbers_by_name numbers_of(const Compiled& compiled, const Program& program) {
  Leaves leaves;
  std::vector<std::vector<real>> numbers;
  for (const Program::Leaf& leaf : program.leaves()) {
    const auto& all = compiled.builder().leaves;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Leaf& one) { return one.key == leaf.name; });
    numbers.push_back(found == all.end() ? std::vector<real>{} : compiled.leaf_data(*found));
    leaves.emplace_back();
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!numbers[i].empty()) leaves[i] = numbers[i];
  Workspace work = workspace_for(program);
  evaluate(program, leaves, work);
  Numbers_by_name result;
  for (const Program::Result& one : program.results())
    result[one.name].assign(work[one.node].begin(), work[one.node].end());
  return result;
}

void check_same(const Numbers_by_name& found, const Numbers_by_name& expected) {
  REQUIRE(found.size() == expected.size());
  for (const auto& [name, numbers] : expected) {
    CAPTURE(name);
    REQUIRE(found.contains(name));
    const std::vector<real>& other = found.at(name);
    REQUIRE(other.size() == numbers.size());
    double worst = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      worst = std::max(worst, std::abs(static_cast<double>(other[i] - numbers[i])) /
                                  (1 + std::abs(static_cast<double>(numbers[i]))));
    }
    CHECK(worst < (sizeof(real) == 8 ? 1e-10 : 2e-4));
  }
}

// What a pass of an order does: p prunes, f fuses, g adds the gradients.
Program passed(Program program, const std::string& order, const std::string& of,
               const std::vector<std::string>& by) {
  std::vector<std::string> names{of};
  for (const char pass : order) {
    if (pass == 'p') program = pruned(program, names);
    if (pass == 'f') program = fused::fused(program, 0);
    if (pass != 'g') continue;
    program = with_gradient(program, of, by);
    for (const std::string& name : by) names.push_back("gradients." + name);
  }
  return program;
}

TEST_CASE("every order of pruning, fusing and adding gradients gives the same numbers") {
  std::size_t fused = 0;
  for (const Mechanism* mechanism : all_mechanisms()) {
    CAPTURE(mechanism->id);
    Document document = read_document(example_document(*mechanism));
    document.outputs = std::nullopt;
    const Compiled compiled = compile(std::move(document));
    const Program& whole = compiled.program();
    std::vector<std::string> by;
    const auto& results = whole.results();
    const auto context = std::find_if(results.begin(), results.end(), [](const auto& one) {
      return one.name == "outputs.context" || one.name == "outputs.output";
    });
    const std::string of = context == results.end() ? results.front().name : context->name;
    const Program only = pruned(whole, {of});
    for (const Program::Leaf& leaf : only.leaves())
      if (leaf.kind == LeafKind::input || leaf.kind == LeafKind::weight) by.push_back(leaf.name);
    const Numbers_by_name expected = numbers_of(compiled, passed(whole, "pg", of, by));
    for (const char* order : {"gp", "pgp", "pfg", "pgf", "pfgp", "pffg"}) {
      CAPTURE(order);
      const Program program = passed(whole, order, of, by);
      fused += program.made().fused;
      check_same(numbers_of(compiled, program), expected);
    }
  }
  CHECK(fused > 100);
}

TEST_CASE("a pruned program has what its results need, and says what it has") {
  const Compiled compiled =
      compile(read_document(Json::parse(R"({"schema": "attention-playground/1", "inputs": {"x":
        {"matrix": [[1, 0, 2], [0, 1, 1]]}}, "mechanism": {"type": "attention",
        "query": "self-attention"}})")));
  const Program scores = pruned(compiled.program(), {"outputs.scores"});
  CHECK(scores.graph().size() < compiled.graph().size());
  CHECK(scores.leaves().size() + 1 == compiled.program().leaves().size());  // no W_V
  CHECK_THROWS_WITH_AS(pruned(scores, {"outputs.context"}), doctest::Contains("outputs.scores"),
                       Error);
}

}  // namespace
}  // namespace attend
