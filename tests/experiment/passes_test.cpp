// SPDX-License-Identifier: Apache-2.0
// Passes over programs: every order that is defined gives the same numbers.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/describing/example.h"
#include "experiment/recording/compile.h"
#include "fused/fuse.h"
#include "ops/error.h"
#include "tests/each.h"

namespace attend::passes_test {
namespace {

using Numbers_by_name = std::map<std::string, std::vector<real>>;

Numbers_by_name numbers_of(const Compiled& compiled, const Program& program) {
  Leaves leaves;
  std::vector<std::vector<real>> numbers;
  for (const Program::Leaf& leaf : program.leaves()) {
    const Leaf* const known = compiled.recording().leaf(leaf.name);
    numbers.push_back(known == nullptr ? std::vector<real>{} : compiled.leaf_data(*known));
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

// The example of a mechanism, what stands for it, and the leaves that this has gradients by.
struct Subject {
  Compiled compiled;
  std::string of;
  std::vector<std::string> by;

  explicit Subject(const Mechanism& mechanism)
      : compiled([&] {
          Document document = read_document(example_document(mechanism));
          document.outputs = std::nullopt;
          return compile(std::move(document));
        }()) {
    const auto& results = compiled.program().results();
    const auto context = std::find_if(results.begin(), results.end(), [](const auto& one) {
      return one.name == "outputs.context" || one.name == "outputs.output";
    });
    of = context == results.end() ? results.front().name : context->name;
    const Program needed = pruned(compiled.program(), {of});
    for (const Program::Leaf& leaf : needed.leaves())
      if (leaf.kind == LeafKind::input || leaf.kind == LeafKind::weight) by.push_back(leaf.name);
  }

  [[nodiscard]] Program after(const std::string& order) const {
    return passed(compiled.program(), order, of, by);
  }
};

const testing::Each orders(
    "gives the same numbers in every order of pruning, fusing and adding gradients",
    testing::every_mechanism, [](const Mechanism& mechanism) {
      const Subject subject(mechanism);
      const Numbers_by_name expected = numbers_of(subject.compiled, subject.after("pg"));
      for (const char* order : {"gp", "pgp", "pfg", "pgf", "pfgp", "pffg"}) {
        CAPTURE(order);
        check_same(numbers_of(subject.compiled, subject.after(order)), expected);
      }
    });

// The records of a document's tensors, by key.
std::map<std::string, Record> records_of(const Compiled& compiled) {
  std::map<std::string, Record> known;
  for (const TensorGroup group :
       {TensorGroup::inputs, TensorGroup::outputs, TensorGroup::steps, TensorGroup::parameters}) {
    for (const KnownTensor& one : compiled.directory().of(group)) {
      CAPTURE(one.record->key());
      CHECK(one.record->group == group);
      CHECK(one.record->recorded == one.node);
      CHECK_MESSAGE(known.emplace(one.record->key(), one.record).second, "two of one name");
    }
  }
  return known;
}

// What a pass leaves of the directory: the same records, at nodes that the program has.
void check_directory(const Program& program, const std::map<std::string, Record>& known) {
  for (const TensorGroup group :
       {TensorGroup::inputs, TensorGroup::outputs, TensorGroup::steps, TensorGroup::parameters}) {
    for (const KnownTensor& one : program.directory().of(group)) {
      CAPTURE(one.record->key());
      CHECK(one.record == known.at(one.record->key()));
      CHECK(one.node < program.graph().size());
    }
  }
}

// A result says what each of its axes is, or nothing of them.
void check_axes(const Program& program) {
  for (const Program::Result& one : program.results()) {
    CAPTURE(one.name);
    REQUIRE(one.record != nullptr);
    const std::size_t said = one.record->axes.size();
    CHECK((said == 0 || said == program.graph()[one.node].shape.size()));
    if (said != 0 && program.made().batch != 0 && one.record->group == TensorGroup::outputs)
      CHECK(one.record->axes.front().role == AxisRole::batch);
  }
}

const testing::Each records(
    "keeps what is known of each tensor through every pass", testing::every_mechanism,
    [](const Mechanism& mechanism) {
      const Subject subject(mechanism);
      const std::map<std::string, Record> known = records_of(subject.compiled);
      const Program& whole = subject.compiled.program();
      check_axes(whole);
      for (const char* order : {"p", "f", "pf", "pgf"}) {
        const Program program = subject.after(order);
        check_directory(program, known);
        check_axes(program);
        CHECK(program.directory().shared_modules() == whole.directory().shared_modules());
      }
      for (const Program& program :
           {batched(whole, 3), with_gradient(batched(whole, 3), subject.of, subject.by)}) {
        check_directory(program, known);
        check_axes(program);
      }
      // What a pass took out is not in the directory any more.
      const Program one = pruned(whole, {subject.of});
      for (const KnownTensor& output : one.directory().outputs()) {
        const Node& node = one.graph()[output.node];
        CHECK(node.shape == whole.graph()[output.record->recorded].shape);
        CHECK(node.primitive == whole.graph()[output.record->recorded].primitive);
      }
    });

TEST_CASE("many mechanisms are fused by the orders of passes") {
  std::size_t fused = 0;
  for (const Mechanism* mechanism : all_mechanisms())
    fused += Subject(*mechanism).after("pf").made().fused;
  CHECK(fused > 25);
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
}  // namespace attend::passes_test
