// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/selection.h"

#include <algorithm>
#include <numeric>

#include "ops/error.h"
#include "ops/near_names.h"

namespace attend {
namespace {

struct Found {
  NodeId node;
  bool leaf;
  std::vector<NamedAxis> axes;
};

Found find_tensor(const Compiled& compiled, const Intervention& intervention) {
  std::vector<std::string> names;
  for (const KnownTensor& output : compiled.outputs()) {
    if (output.record->name == intervention.of)
      return {output.node, compiled.graph()[output.node].leaf, output.record->axes};
    names.push_back(output.record->name);
  }
  for (const Leaf& leaf : compiled.leaves()) {
    if (leaf.kind == Leaf::Kind::constant) continue;
    if (leaf.key == intervention.of) return {leaf.node, true, leaf.record->axes};
    names.push_back(leaf.key);
  }
  for (const KnownTensor& step : compiled.directory().of(TensorGroup::steps)) {
    if (step.record->name == intervention.of) return {step.node, false, {}};
    names.push_back(step.record->name);
  }
  refuse(intervention.path + "/of", "there is no tensor \"" + intervention.of + "\"; closest are " +
                                        names_near(intervention.of, names));
}

// The axis that heads lie along; the first of three or more if the roles of the axes are unknown.
std::size_t head_axis(const Found& found, const Shape& shape, const Intervention& intervention) {
  const auto& axes = found.axes;
  if (axes.size() == shape.size()) {
    const auto head = std::find_if(axes.begin(), axes.end(), [](const NamedAxis& axis) {
      return axis.role == AxisRole::head;
    });
    if (head != axes.end()) return static_cast<std::size_t>(head - axes.begin());
  } else if (shape.size() >= 3) {
    return 0;
  }
  refuse(intervention.path + "/head", "\"" + intervention.of + "\" " + to_text(shape) +
                                          " has no axis of heads; leave \"head\" out");
}

// The axis of queries, else the last but one.
std::size_t row_axis(const Found& found, const Shape& shape, const Intervention& intervention) {
  const auto& axes = found.axes;
  if (axes.size() == shape.size()) {
    const auto query = std::find_if(axes.begin(), axes.end(), [](const NamedAxis& axis) {
      return axis.role == AxisRole::query;
    });
    if (query != axes.end()) return static_cast<std::size_t>(query - axes.begin());
  }
  if (shape.size() >= 2) return shape.size() - 2;
  refuse(intervention.path + "/rows",
         "\"" + intervention.of + "\" " + to_text(shape) + " has no rows; leave \"rows\" out");
}

void choose(const Intervention::Entries& entries, std::size_t axis, const char* field,
            const char* noun, const Shape& shape, const Intervention& intervention,
            std::vector<std::vector<std::size_t>>& chosen) {
  for (std::size_t i = 0; i < entries.list.size(); ++i) {
    if (entries.list[i] < shape[axis]) continue;
    refuse(intervention.path + "/" + field + (entries.single ? "" : "/" + std::to_string(i)),
           "there is no " + std::string(noun) + " " + std::to_string(entries.list[i]) + " in \"" +
               intervention.of + "\" " + to_text(shape) + "; it has " +
               std::to_string(shape[axis]) + ", counted from 0");
  }
  chosen[axis] = entries.list;
}

}  // namespace

Selection select(const Compiled& compiled, const Intervention& intervention) {
  const Found found = find_tensor(compiled, intervention);
  Selection selection;
  selection.node = found.node;
  selection.leaf = found.leaf;
  selection.shape = compiled.graph()[found.node].shape;
  const Shape& shape = selection.shape;
  if (element_count(shape) > max_unasked_numbers)
    refuse(intervention.path + "/of", "\"" + intervention.of + "\" " + to_text(shape) +
                                          " has more than " + std::to_string(max_unasked_numbers) +
                                          " numbers, too many for an intervention");
  std::vector<std::vector<std::size_t>> chosen(shape.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    chosen[axis].resize(shape[axis]);
    std::iota(chosen[axis].begin(), chosen[axis].end(), std::size_t{0});
  }
  std::vector<bool> dropped(shape.size(), false);
  if (intervention.heads) {
    const std::size_t axis = head_axis(found, shape, intervention);
    choose(*intervention.heads, axis, "head", "head", shape, intervention, chosen);
    dropped[axis] = intervention.heads->single;
  }
  if (intervention.rows) {
    const std::size_t axis = row_axis(found, shape, intervention);
    choose(*intervention.rows, axis, "rows", "row", shape, intervention, chosen);
    dropped[axis] = intervention.rows->single;
  }
  const Strides strides = strides_of(shape);
  selection.cells = {0};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    std::vector<std::size_t> longer;
    for (const std::size_t cell : selection.cells) {
      for (const std::size_t entry : chosen[axis]) longer.push_back(cell + entry * strides[axis]);
    }
    selection.cells = std::move(longer);
    if (!dropped[axis]) selection.selected.push_back(chosen[axis].size());
  }
  return selection;
}

std::vector<double> values_for(const Selection& selection, const Intervention& intervention) {
  const Tensor& value = intervention.value;
  if (value.shape.empty()) return value.data;
  const Shape& wanted = selection.selected;
  bool fits = value.shape.size() <= wanted.size();
  for (std::size_t k = 1; fits && k <= value.shape.size(); ++k)
    fits = value.shape.end()[-static_cast<long>(k)] == 1 ||
           value.shape.end()[-static_cast<long>(k)] == wanted.end()[-static_cast<long>(k)];
  if (!fits)
    refuse(intervention.path + "/value", "expected a number or numbers of shape " +
                                             to_text(wanted) + ", found shape " +
                                             to_text(value.shape));
  const Strides strides = broadcast_strides(value.shape, wanted);
  std::vector<double> values(element_count(wanted));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t rest = i, at = 0;
    for (std::size_t axis = wanted.size(); axis-- > 0;) {
      at += rest % wanted[axis] * strides[axis];
      rest /= wanted[axis];
    }
    values[i] = value.data[at];
  }
  return values;
}

}  // namespace attend
