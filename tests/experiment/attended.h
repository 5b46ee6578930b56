// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <optional>

#include "experiment/recording/compile.h"
#include "fused/fuse.h"
#include "fused/softmax_attention.h"
#include "ops/error.h"
#include "tests/experiment/harness.h"

// One attention of a document, by its formula and by the fast form.
namespace attend::testing {

struct Attended {
  // The context and its gradients by name; a leaf that nothing reads has none.
  std::map<std::string, std::vector<real>> numbers;
  std::size_t fused = 0;
  bool kernels = false;           // whether a fused node knows its pairs without the mask
  std::optional<long> kind = {};  // of the intent that a fused node has
  bool gaps = false;              // whether it reads its bias from a table of gaps
  bool sink = false, capped = false;
  bool relative = false;    // whether it has keys of distances
  std::size_t largest = 0;  // of the tensors that are computed for the context
};

// The numbers of a leaf for so many examples: the second of them is another one, and no weight is 0. A cotangent is not
// the same everywhere.
inline std::vector<real> numbers_of_examples(const Compiled& compiled, const Program::Leaf& leaf,
                                             std::size_t count) {
  const Leaf* const known = compiled.recording().leaf(leaf.name);
  std::vector<real> numbers = known == nullptr ? std::vector<real>{} : compiled.leaf_data(*known);
  const std::size_t one = numbers.size();
  for (std::size_t i = 0; leaf.kind == LeafKind::weight && i < one; ++i)
    numbers[i] += static_cast<real>(.3 * std::cos(static_cast<double>(i) * 1.3));
  while (known != nullptr && numbers.size() < count)
    numbers.push_back(numbers[numbers.size() - one] * real(.75));
  for (std::size_t i = 0; leaf.name.starts_with("cotangent.") && i < count; ++i)
    numbers.push_back(static_cast<real>(std::sin(static_cast<double>(i) * 1.7)));
  return numbers;
}

using Pass = std::function<Program(const Program&)>;
inline Program fuse_all(const Program& program) { return fused::fused(program, 0); }

// By the fast form that a pass gives, or without a pass. Without `examples`: the document as it is.
inline Attended attended(const Compiled& compiled, const Pass& fuse, std::size_t examples = 0) {
  const std::vector<std::string> names{"outputs.context"};
  std::vector<Program::Result> context;
  for (const Program::Result& one : compiled.program().results())
    if (one.name == names.front()) context.push_back(one);
  // Nothing but the context is wanted, as in a document of many words.
  Program program = compiled.program().with_results(std::move(context));
  if (examples != 0) program = batched(program, examples);
  if (fuse) program = fuse(program);
  program = pruned(program, names);
  Attended result;
  result.fused = program.made().fused;
  for (NodeId id = 0; id < program.graph().size(); ++id) {
    const Node& node = program.graph()[id];
    if (!node.leaf) result.largest = std::max(result.largest, element_count(node.shape));
    if (node.primitive != &fused::softmax_attention) continue;
    result.kernels |= node.attributes[1] == 0;
    result.gaps |= node.attributes[11] != 0;
    result.capped |= node.attributes[12] != 0;
    result.sink |= node.attributes[13] != 0;
    result.relative |= node.attributes[14] != 0;
    result.kind = node.attributes[5];
  }
  std::vector<std::string> by;
  for (const Program::Leaf& leaf : program.leaves())
    if (leaf.kind == LeafKind::input || leaf.kind == LeafKind::weight) by.push_back(leaf.name);
  program = with_gradient(program, names.front(), by);
  Leaves leaves;
  std::vector<std::vector<real>> given;
  for (const Program::Leaf& leaf : program.leaves()) {
    const Leaf* const known = compiled.recording().leaf(leaf.name);
    if (examples != 0) {
      const Shape& shape = program.graph()[leaf.node].shape;
      given.push_back(numbers_of_examples(compiled, leaf, element_count(shape)));
    } else {
      given.push_back(known == nullptr ? std::vector<real>{} : compiled.leaf_data(*known));
    }
  }
  for (const std::vector<real>& numbers : given) leaves.emplace_back(numbers);
  Workspace work = workspace_for(program);
  evaluate(program, leaves, work);
  for (const Program::Result& one : program.results())
    result.numbers[one.name].assign(work[one.node].begin(), work[one.node].end());
  return result;
}

// Checks that the fast form gives the context and the gradients of the formula, and tells how it did; nothing where the
// document is refused. The numbers may differ by `factor` times their usual rounding.
inline std::optional<Attended> check_fast_form(const Json& document, std::size_t examples = 0,
                                               const Pass& pass = fuse_all, double factor = 1) {
  std::optional<Compiled> compiled;
  try {
    Document read = read_document(document);
    read.outputs = std::nullopt;
    compiled.emplace(compile(std::move(read)));
  } catch (const Error&) {
    return std::nullopt;
  }
  const Attended plain = attended(*compiled, {}, examples);
  Attended fast = attended(*compiled, pass, examples);
  for (const auto& [name, computed] : fast.numbers) {
    CAPTURE(name);
    REQUIRE(plain.numbers.contains(name));
  }
  for (const auto& [name, expected] : plain.numbers) {
    CAPTURE(name);
    // What the fast form need not read at all changes nothing: its gradient is 0 by the formula, too.
    const auto known = fast.numbers.find(name);
    const std::vector<real> computed =
        known == fast.numbers.end() ? std::vector<real>(expected.size()) : known->second;
    REQUIRE(computed.size() == expected.size());
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      worst = std::max(
          worst, std::abs(static_cast<double>(computed[i]) - static_cast<double>(expected[i])) /
                     (1 + std::abs(static_cast<double>(expected[i]))));
    CHECK(worst < factor * (sizeof(real) == 8 ? 1e-11 : 4e-5));
  }
  return fast;
}

}  // namespace attend::testing
