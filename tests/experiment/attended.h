// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <optional>

#include "experiment/recording/compile.h"
#include "fused/fuse.h"
#include "fused/softmax_attention.h"
#include "ops/error.h"
#include "tests/experiment/harness.h"

// One attention of a document, by its formula and by the fast form.
namespace attend::testing {

struct Attended {
  std::vector<std::vector<real>> numbers;  // the context, and its gradients
  std::size_t fused = 0;
  bool kernels = false;           // whether a fused node knows its pairs without the mask
  std::optional<long> kind = {};  // of the intent that a fused node has
  bool gaps = false;              // whether it reads its bias from a table of gaps
};

inline Attended attended(const Compiled& compiled, bool fuse) {
  const std::vector<std::string> names{"outputs.context"};
  std::vector<Program::Result> context;
  for (const Program::Result& one : compiled.program().results())
    if (one.name == names.front()) context.push_back(one);
  // Nothing but the context is wanted, as in a document of many words.
  Program program = compiled.program().with_results(std::move(context));
  if (fuse) program = fused::fused(program, 0);
  program = pruned(program, names);
  Attended result;
  result.fused = program.made().fused;
  for (NodeId id = 0; fuse && id < program.graph().size(); ++id) {
    const Node& node = program.graph()[id];
    if (node.primitive != &fused::softmax_attention) continue;
    result.kernels |= node.attributes[1] == 0;
    result.gaps |= node.attributes[11] != 0;
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
    given.push_back(known == nullptr ? std::vector<real>{} : compiled.leaf_data(*known));
  }
  for (const std::vector<real>& numbers : given) leaves.emplace_back(numbers);
  Workspace work = workspace_for(program);
  evaluate(program, leaves, work);
  for (const Program::Result& one : program.results())
    result.numbers.emplace_back(work[one.node].begin(), work[one.node].end());
  return result;
}

// Checks that the fast form gives the context and the gradients of the formula, and tells how it did; nothing where the
// document is refused.
inline std::optional<Attended> check_fast_form(const Json& document) {
  std::optional<Compiled> compiled;
  try {
    Document read = read_document(document);
    read.outputs = std::nullopt;
    compiled.emplace(compile(std::move(read)));
  } catch (const Error&) {
    return std::nullopt;
  }
  const Attended plain = attended(*compiled, false);
  Attended fast = attended(*compiled, true);
  REQUIRE(fast.numbers.size() == plain.numbers.size());
  for (std::size_t t = 0; t < plain.numbers.size(); ++t) {
    REQUIRE(fast.numbers[t].size() == plain.numbers[t].size());
    double worst = 0;
    for (std::size_t i = 0; i < plain.numbers[t].size(); ++i)
      worst = std::max(worst, std::abs(static_cast<double>(fast.numbers[t][i]) -
                                       static_cast<double>(plain.numbers[t][i])) /
                                  (1 + std::abs(static_cast<double>(plain.numbers[t][i]))));
    CHECK(worst < (sizeof(real) == 8 ? 1e-11 : 4e-5));
  }
  return fast;
}

}  // namespace attend::testing
