// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/result_checks.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "experiment/recording/blame.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

constexpr std::size_t most_warned_rows = 16;  // of one tensor or slot; the rest is counted

// Where the document says what a tensor is made of.
std::string path_of(const Compiled& compiled, const ResultTensor& tensor) {
  switch (tensor.group()) {
    case TensorGroup::gradients:
      return "/gradient";
    case TensorGroup::parameters:
      return "/parameters/" + as_pointer_part(tensor.name());
    case TensorGroup::inputs:
      return "/inputs/" + as_pointer_part(tensor.name());
    default:
      return module_path(compiled, tensor.record->module);
  }
}

void check_finite(const Compiled& compiled, const ResultTensor& tensor, Numbers data) {
  const auto bad = std::find_if(data.begin(), data.end(), [](real x) { return !std::isfinite(x); });
  if (bad == data.end()) return;
  const std::vector<std::size_t> index =
      unravel(static_cast<std::size_t>(bad - data.begin()), tensor.shape);
  const std::string by = tensor.group() == TensorGroup::gradients ? "the gradient by " : "";
  refuse(path_of(compiled, tensor), "the numbers become too large: " + by + tensor.name() +
                                        to_text(index) +
                                        " is not finite; use smaller inputs or parameters");
}

}  // namespace

void check_finite(const Compiled& compiled, const Result& result, std::size_t checked) {
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group() == TensorGroup::steps) continue;  // an intermediate may overflow harmlessly
    if (checked != 0 && !result.numbers->changed_after(tensor.node, checked)) continue;
    check_finite(compiled, tensor, result.data(tensor));
  }
}

namespace {

// Of what was computed before the node that was refused: results by their names, then steps by their formulas.
void check_finite_before(const Compiled& compiled, const Prepared& prepared, const Workspace& work,
                         const Node& refused) {
  if (refused.graph != &prepared.program.graph()) return;  // a node of a scan's step
  const Directory& directory = prepared.program.directory();
  for (const TensorGroup group : {TensorGroup::outputs, TensorGroup::steps}) {
    std::vector<KnownTensor> before;
    std::ranges::copy_if(
        directory.of(group), std::back_inserter(before),
        [&](const KnownTensor& one) { return work.holds(one.node) && one.node < refused.id; });
    std::ranges::sort(before, {}, &KnownTensor::node);
    for (const KnownTensor& one : before)
      check_finite(compiled, {one.record, one.node, prepared.program.graph()[one.node].shape},
                   work[one.node]);
  }
}

}  // namespace

bool evaluate_within(const Compiled& compiled, const Prepared& prepared, Workspace& work,
                     const std::function<bool()>& enough, Progress* heard) {
  const ModulePlaces places(module_places(compiled));
  try {
    return work.evaluate_some(enough, heard);
  } catch (const Error&) {
    if (places.refused() != nullptr)
      check_finite_before(compiled, prepared, work, *places.refused());
    throw;
  }
}

void warn_of_cautions(const Compiled& compiled, const Prepared& prepared, Result& result) {
  std::map<std::string, std::size_t> count;  // by slot
  const std::size_t examples = std::max<std::size_t>(compiled.examples(), 1);
  for (const Caution& caution : prepared.cautions) {
    const Numbers flags = (*result.numbers)[caution.when];
    // The axis of the examples, if there are several, comes before that of the rows.
    const Shape& shape = prepared.program.graph()[caution.when].shape;
    const std::size_t rows = caution.by_row ? shape.at(compiled.examples() != 0 ? 1 : 0) : 1;
    const std::size_t all = caution.by_row ? rows * examples : 1;
    const auto size = static_cast<long>(flags.size() / std::max<std::size_t>(all, 1));
    for (std::size_t row = 0; row < all; ++row) {
      const auto first = flags.begin() + static_cast<long>(row) * size;
      if (std::all_of(first, first + size, [](real x) { return x == 0; })) continue;
      const std::string where =
          compiled.examples() != 0 ? " in example " + std::to_string(row / rows) : "";
      const std::string which =
          caution.by_row ? "row " + std::to_string(row % rows) + where + ": " : "";
      if (++count[caution.path] <= most_warned_rows)
        result.warnings.push_back({caution.path, which + caution.message});
    }
  }
  for (const auto& [path, number] : count) {
    if (number > most_warned_rows) {
      result.warnings.push_back(
          {path, std::to_string(number - most_warned_rows) + " more rows have the same problem"});
    }
  }
}

namespace {

// Where a row is among the axes before those that its map has at the end: " of head 1 in example 0".
std::string place_of(const std::vector<NamedAxis>& axes, const Shape& shape, std::size_t at,
                     std::size_t behind) {
  const Shape front(shape.begin(), shape.end() - static_cast<long>(behind));
  const std::vector<std::size_t> index = unravel(at, front);
  std::string place;
  for (std::size_t k = front.size(); k-- > 0;) {
    const bool example = axes.at(k).role == AxisRole::batch, head = axes[k].role == AxisRole::head;
    const std::string number = std::to_string(index[k]);
    place += example ? " in example " + number
             : head  ? " of head " + number
                     : " at " + axes[k].symbol + " = " + number;
  }
  return place;
}

}  // namespace

void warn_of_empty_rows(const Compiled& compiled, Result& result) {
  for (const ResultTensor& tensor : result.tensors) {
    const TensorRecord& record = *tensor.record;
    if (record.group != TensorGroup::outputs || record.role != TensorRole::weights || record.row ||
        record.numbers != NumberKind::probability || tensor.shape.size() < 2)
      continue;
    const bool by_feature = is_by_feature(tensor);
    if (by_feature && tensor.shape.size() < 3) continue;
    const AxisView keys = view_axis(tensor.shape, tensor.shape.size() - (by_feature ? 2 : 1));
    const Numbers data = result.data(tensor);
    const auto& axis = record.axes.at(record.axes.size() - (by_feature ? 3 : 2));
    const auto labels = compiled.recording().tokens.find(axis.labels);
    const std::size_t rows = tensor.shape[tensor.shape.size() - (by_feature ? 3 : 2)];
    std::size_t count = 0;
    for (std::size_t row = 0; row < keys.outer; ++row) {
      bool empty = true;
      for (std::size_t k = 0; k < keys.length * keys.inner && empty; ++k)
        empty = data[row * keys.length * keys.inner + k] == 0;
      if (!empty || ++count > most_warned_rows) continue;
      const std::size_t index = row % rows;
      std::string who = "row " + std::to_string(index);
      if (labels != compiled.recording().tokens.end() && index < labels->second.size())
        who += " (\"" + labels->second[index] + "\")";
      who += place_of(record.axes, tensor.shape, row / rows, by_feature ? 3 : 2);
      result.warnings.push_back({module_path(compiled, record.module),
                                 who + " of " + record.name +
                                     " attends to no key: its weights and its context are zero"});
    }
    if (count <= most_warned_rows) continue;
    result.warnings.push_back({module_path(compiled, record.module),
                               std::to_string(count - most_warned_rows) + " more rows of " +
                                   record.name + " attend to no key"});
  }
}

}  // namespace attend
