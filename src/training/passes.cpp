// SPDX-License-Identifier: Apache-2.0
#include "training/passes.h"

#include <algorithm>
#include <map>

#include "ops/compose.h"
#include "ops/rewrite.h"

namespace attend {

std::string dropout_key(std::string_view name) { return "dropout." + std::string(name); }

Program with_dropout(const Program& program, const std::vector<std::string>& names) {
  std::map<NodeId, std::string> dropped;
  for (const std::string& name : names) dropped.emplace(program.find(name), name);
  Rewrite to(program);
  to.copy([&](const Node& node, const std::vector<NodeId>& inputs) -> Var {
    const auto found = dropped.find(node.id);
    if (found == dropped.end()) return {};
    const Var whole = to.same(node, inputs);
    const Var mask = to.add_leaf(dropout_key(found->second), to.graph().leaf(whole.shape(), ""),
                                 LeafKind::noise);
    to.let_read(node.id, whole * mask);
    return whole;
  });
  return to.program();
}

Program with_guide(const Program& program, const std::string& loss, const std::string& map,
                   double weight) {
  constexpr double least = 1e-6;
  Rewrite to(program);
  to.copy_whole();
  Var looks = to.now(map);
  while (looks.rank() > 3) looks = mean(looks, 1);
  const Var truth = to.add_leaf("guide", to.graph().leaf(looks.shape(), ""), LeafKind::input);
  const Var lacks = -sum(sum(truth * log(looks + least), -1), -1);  // [batch]
  const Var plain = to.now(loss);
  const auto rows = static_cast<double>(looks.extent(-2));
  to.add_result("guided", plain + reshape(lacks, plain.shape()) * (weight / rows));
  return to.program();
}

Program with_reward(const Program& program, const std::vector<std::string>& maps) {
  Rewrite to(program);
  to.copy_whole();
  Var total;
  for (const std::string& name : maps) {
    const Var map = to.now(name);
    const std::size_t batch = map.extent(0);
    const Var sums = sum(reshape(map, {batch, element_count(map.shape()) / batch}), -1);
    total = total ? total + sums : sums;
  }
  const Var reward = to.add_leaf("reward", to.graph().leaf(total.shape(), ""), LeafKind::input);
  to.add_result("rewarded", total * reward);
  return to.program();
}

}  // namespace attend
