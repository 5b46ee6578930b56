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
  switch (tensor.group) {
    case ResultGroup::gradients:
      return "/gradient";
    case ResultGroup::parameters:
      return "/parameters/" + as_pointer_part(tensor.name);
    case ResultGroup::inputs:
      return "/inputs/" + as_pointer_part(tensor.name);
    default:
      return module_path(compiled,
                         tensor.within.value_or(compiled.graph()[tensor.recorded].module));
  }
}

void check_finite(const Compiled& compiled, const ResultTensor& tensor, Numbers data) {
  const auto bad = std::find_if(data.begin(), data.end(), [](real x) { return !std::isfinite(x); });
  if (bad == data.end()) return;
  const std::vector<std::size_t> index =
      unravel(static_cast<std::size_t>(bad - data.begin()), tensor.shape);
  const std::string by = tensor.group == ResultGroup::gradients ? "the gradient by " : "";
  refuse(path_of(compiled, tensor), "the numbers become too large: " + by + tensor.name +
                                        to_text(index) +
                                        " is not finite; use smaller inputs or parameters");
}

}  // namespace

void check_finite(const Compiled& compiled, const Result& result, std::size_t checked) {
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group == ResultGroup::steps) continue;  // an intermediate may overflow harmlessly
    if (checked != 0 && !result.numbers->changed_after(tensor.node, checked)) continue;
    check_finite(compiled, tensor, result.data(tensor));
  }
}

namespace {

// Of what was computed before the node that was refused: results by their names, then steps by their formulas.
void check_finite_before(const Compiled& compiled, const Prepared& prepared, const Workspace& work,
                         const Node& refused) {
  if (refused.graph != &prepared.program.graph()) return;  // a node of a scan's step
  std::vector<const ResultTensor*> before;
  for (const ResultTensor& tensor : prepared.tensors) {
    const bool made = tensor.group == ResultGroup::outputs || tensor.group == ResultGroup::steps;
    if (made && work.holds(tensor.node) && tensor.node < refused.id) before.push_back(&tensor);
  }
  std::ranges::sort(before, {}, [](const ResultTensor* tensor) {
    return std::pair(tensor->group == ResultGroup::steps, tensor->node);
  });
  for (const ResultTensor* tensor : before) check_finite(compiled, *tensor, work[tensor->node]);
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
  for (std::size_t i = 0; i < prepared.cautions.size(); ++i) {
    if (!prepared.cautions[i]) continue;
    const Caution& caution = compiled.builder().cautions[i];
    const Numbers flags = (*result.numbers)[*prepared.cautions[i]];
    const std::size_t rows = caution.by_row ? caution.when.extent(0) : 1;
    const std::size_t all = caution.by_row ? rows * examples : 1;
    const auto size = static_cast<long>(flags.size() / std::max<std::size_t>(all, 1));
    for (std::size_t row = 0; row < all; ++row) {
      const auto first = flags.begin() + static_cast<long>(row) * size;
      if (std::all_of(first, first + size, [](real x) { return x == 0; })) continue;
      const std::string part =
          compiled.examples() != 0 ? " of part " + std::to_string(row / rows) : "";
      const std::string which =
          caution.by_row ? "row " + std::to_string(row % rows) + part + ": " : "";
      if (++count[caution.path] <= most_warned_rows)
        result.warnings.push_back({caution.path, which + caution.message});
    }
  }
  for (const auto& [path, number] : count) {
    if (number > most_warned_rows) {
      result.warnings.push_back(
          {path, "the same holds for " + std::to_string(number - most_warned_rows) + " more rows"});
    }
  }
}

void warn_of_empty_rows(const Compiled& compiled, Result& result) {
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group != ResultGroup::outputs || tensor.role != TensorRole::weights || tensor.row ||
        tensor.numbers != NumberKind::probability || tensor.shape.size() < 2)
      continue;
    const bool by_feature = is_by_feature(tensor);
    if (by_feature && tensor.shape.size() < 3) continue;
    const AxisView keys = view_axis(tensor.shape, tensor.shape.size() - (by_feature ? 2 : 1));
    const Numbers data = result.data(tensor);
    const auto& axis = tensor.axes.at(tensor.axes.size() - (by_feature ? 3 : 2));
    const auto labels = compiled.builder().tokens.find(axis.labels);
    const std::size_t rows = tensor.shape[tensor.shape.size() - (by_feature ? 3 : 2)];
    std::size_t count = 0;
    for (std::size_t row = 0; row < keys.outer; ++row) {
      bool empty = true;
      for (std::size_t k = 0; k < keys.length * keys.inner && empty; ++k)
        empty = data[row * keys.length * keys.inner + k] == 0;
      if (!empty || ++count > most_warned_rows) continue;
      const std::size_t index = row % rows;
      std::string who = "row " + std::to_string(index);
      if (labels != compiled.builder().tokens.end() && index < labels->second.size())
        who += " (\"" + labels->second[index] + "\")";
      if (rows != keys.outer)
        who += (compiled.examples() != 0 ? " of part " : " of head ") + std::to_string(row / rows);
      result.warnings.push_back({module_path(compiled, tensor.within),
                                 who + " of " + tensor.name +
                                     " attends to no key: its weights and its context are zero"});
    }
    if (count <= most_warned_rows) continue;
    result.warnings.push_back({module_path(compiled, tensor.within),
                               std::to_string(count - most_warned_rows) + " more rows of " +
                                   tensor.name + " attend to no key"});
  }
}

}  // namespace attend
