// SPDX-License-Identifier: Apache-2.0
// What a builder knows of the leaves that it records.
#include <algorithm>
#include <utility>

#include "assembly/builder.h"
#include "assembly/frame.h"
#include "assembly/leaf_axes.h"
#include "assembly/settle.h"

namespace attend {
namespace {
NumberKind numbers_of(const Leaf& leaf) {
  if (leaf.kind != Leaf::Kind::parameter) return NumberKind::real_number;
  if (leaf.below > 0) return NumberKind::index;
  return leaf.distribution == Distribution::bernoulli ? NumberKind::zero_one
                                                      : NumberKind::real_number;
}
}  // namespace

void Builder::add_leaf(Leaf leaf, Var var, std::vector<NamedAxis> axes) {
  leaf.node = var.id();
  leaf.shape = var.shape();
  const bool input = leaf.kind == Leaf::Kind::input;
  if (leaf.kind != Leaf::Kind::constant)
    leaf.record = as_record({.group = input ? TensorGroup::inputs : TensorGroup::parameters,
                             .name = leaf.name(),
                             .recorded = var.id(),
                             .axes = std::move(axes),
                             .role = input ? TensorRole::input : TensorRole::parameter,
                             .numbers = numbers_of(leaf),
                             .module = var.node().module});
  recording_.places.emplace(leaf.key, recording_.leaves.size());
  recording_.leaves.push_back(std::move(leaf));
}

void Builder::name_axes(const Role& role, const Dimensions& sizes, Var var) {
  Leaf* const leaf = input_leaf(var);
  if (leaf == nullptr || !leaf->record->axes.empty()) return;
  TensorRecord record = *leaf->record;
  record.axes =
      input_axes(fitting(sizes, role.shape, {}, var.shape()), var.shape(), frame_->symbols());
  const auto words = rows_.find(&var.node());
  if (words != rows_.end() && !record.axes.empty()) record.axes.front().labels = words->second;
  leaf->record = as_record(std::move(record));
}

Leaf* Builder::input_leaf(Var var) {
  const auto leaf = std::ranges::find_if(recording_.leaves, [&](const Leaf& one) {
    return one.kind == Leaf::Kind::input && &graph_->var(one.node).node() == &var.node();
  });
  return leaf == recording_.leaves.end() ? nullptr : &*leaf;
}

}  // namespace attend
