// SPDX-License-Identifier: Apache-2.0
#include "experiment/length_checks.h"

#include <algorithm>

namespace attend {
namespace {

const Leaf* leaf_named(const SizedRecording& recording, const std::string& name) {
  const auto& leaves = recording.compiled->builder().leaves;
  const auto found = std::find_if(leaves.begin(), leaves.end(),
                                  [&](const Leaf& leaf) { return leaf.key == name; });
  return found == leaves.end() ? nullptr : &*found;
}

}  // namespace

bool same_constants(const SizedRecording& a, const SizedRecording& b) {
  return std::all_of(
      a.program.leaves().begin(), a.program.leaves().end(), [&](const Program::Leaf& leaf) {
        const Leaf *own = leaf_named(a, leaf.name), *other = leaf_named(b, leaf.name);
        if (leaf.kind != LeafKind::constant || own == nullptr) return true;
        return other != nullptr && a.compiled->leaf_data(*own) == b.compiled->leaf_data(*other);
      });
}

std::string what_moves_constants(const SizedRecording& a, const SizedRecording& b) {
  for (const Program::Leaf& leaf : a.program.leaves()) {
    const Leaf* own = leaf_named(a, leaf.name);
    const Leaf* other = leaf_named(b, leaf.name);
    const bool kept = leaf.kind == LeafKind::weight || leaf.kind == LeafKind::constant;
    if (!kept || own == nullptr || own->knob != nullptr) continue;
    // A build may name a table of numbers by its size.
    if (other == nullptr) return "the table \"" + leaf.name + "\" is made for one length";
    const bool computed = leaf.kind == LeafKind::constant && own->given == nullptr;
    if (computed) continue;
    if (own->var.shape() != other->var.shape())
      return "\"" + leaf.name + "\" has a size that depends on it";
    if (leaf.kind == LeafKind::constant &&
        a.compiled->leaf_data(*own) != b.compiled->leaf_data(*other))
      return "the numbers of \"" + leaf.name + "\" depend on it";
  }
  return "";
}

std::vector<std::vector<std::size_t>> mixed_points(const std::vector<std::size_t>& base,
                                                   std::size_t from) {
  std::vector<std::vector<std::size_t>> points;
  for (std::size_t s = from; s < base.size(); ++s) {
    for (std::size_t t = s + 1; t < base.size(); ++t) {
      for (const std::size_t by : {std::size_t{1}, std::size_t{3}}) {
        points.push_back(base);
        points.back()[s] += by;
        points.back()[t] += by + 1;
      }
    }
  }
  for (const std::size_t by : {std::size_t{1}, std::size_t{3}, std::size_t{4}}) {
    points.push_back(base);
    for (std::size_t s = from; s < base.size(); ++s) points.back()[s] += by + s;
  }
  return points;
}

}  // namespace attend
