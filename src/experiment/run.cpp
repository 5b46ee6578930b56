// SPDX-License-Identifier: Apache-2.0
#include "experiment/run.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "catalogue/dimensions.h"
#include "experiment/draw.h"
#include "fused/fuse.h"
#include "ops/backward.h"
#include "ops/formula.h"
#include "ops/scan.h"

namespace attend {
namespace {

// What the document wants the gradient of; nothing where it wants none.
std::optional<Output> gradient_root(const Recording& recording) {
  if (!recording.document().gradient) return std::nullopt;
  const GradientRequest& request = *recording.document().gradient;
  const auto& outputs = recording.builder().outputs;
  const auto named = [&](const std::string& name) {
    return std::find_if(outputs.begin(), outputs.end(),
                        [&](const Output& o) { return o.name == name; });
  };
  auto of = named(request.of.empty() ? "context" : request.of);
  if (request.of.empty() && of == outputs.end()) of = named("output");
  if (of != outputs.end()) return *of;
  refuse("/gradient/of",
         "there is no output \"" + request.of + "\"; there are " + recording.output_names());
}

void add_gradients(const Recording& recording, Result& result) {
  const std::optional<Output> of = gradient_root(recording);
  if (!of) return;
  const GradientRequest& request = *recording.document().gradient;
  Var cotangent = ones(recording.graph(), of->var.shape());
  if (request.cotangent) {
    if (request.cotangent->shape != of->var.shape()) {
      refuse("/gradient/cotangent", "expected shape " + to_text(of->var.shape()) + ", found " +
                                        to_text(request.cotangent->shape));
    }
    cotangent = recording.builder().constant("gradient.cotangent", *request.cotangent);
  }
  // After the cotangent, which is a leaf too: the list must not grow any more.
  std::vector<std::string> names;
  std::vector<Var> wrt;
  for (const Leaf& leaf : recording.builder().leaves) {
    if (leaf.kind == Leaf::Kind::constant || is_random_data(leaf.distribution)) continue;
    names.push_back(leaf.key);
    wrt.push_back(leaf.var);
  }
  for (const Output& output : recording.requested()) {
    if (!request.outputs || output.name == of->name) continue;
    names.push_back("outputs." + output.name);
    wrt.push_back(output.var);
  }
  const std::vector<Var> found = gradients(of->var, cotangent, wrt);
  for (std::size_t i = 0; i < names.size(); ++i) {
    result.tensors.push_back(
        {"gradients", names[i], found[i].shape(), {}, "", found[i].id(), TensorRole::gradient});
  }
}

// What goes out is text or one array, on top of the numbers themselves.
void check_size(const Result& result, Detail detail) {
  std::uint64_t numbers = 0;
  for (const ResultTensor& tensor : result.tensors) {
    if (detail == Detail::everything || tensor.group != "steps")
      numbers += element_count(tensor.shape);
  }
  if (numbers <= max_result_numbers) return;
  refuse("/outputs", "the result would have " + std::to_string(numbers) +
                         " numbers, more than the " + std::to_string(max_result_numbers) +
                         " allowed; name fewer outputs, or use fewer tokens");
}

void check_finite(const Result& result) {
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group == "steps") continue;  // an intermediate may overflow harmlessly
    const std::vector<real>& data = result.data(tensor);
    const auto bad =
        std::find_if(data.begin(), data.end(), [](real x) { return !std::isfinite(x); });
    if (bad == data.end()) continue;
    const std::vector<std::size_t> index =
        unravel(static_cast<std::size_t>(bad - data.begin()), tensor.shape);
    refuse("/mechanism", "the numbers become too large: " + tensor.name + to_text(index) +
                             " is not finite; use smaller inputs or parameters");
  }
}

constexpr std::size_t most_warned_rows = 16;  // of one tensor or slot; the rest is counted

// The cautions of the builds whose tensors were computed.
void warn_of_cautions(const std::vector<Caution>& cautions, Result& result) {
  std::map<std::string, std::size_t> count;  // by slot
  for (const Caution& caution : cautions) {
    const std::vector<real>& flags = result.values[caution.when.id()];
    const std::size_t rows = caution.by_row ? caution.when.extent(0) : 1;
    const auto size = static_cast<long>(flags.size() / std::max<std::size_t>(rows, 1));
    for (std::size_t row = 0; row < rows; ++row) {
      const auto first = flags.begin() + static_cast<long>(row) * size;
      if (std::all_of(first, first + size, [](real x) { return x == 0; })) continue;
      const std::string which = caution.by_row ? "row " + std::to_string(row) + ": " : "";
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

// Rows of weights that are all zero: nothing may be attended to, or nothing got any weight.
void warn_of_empty_rows(const Recording& recording, Result& result) {
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group != "outputs" || tensor.role != TensorRole::weights || tensor.row ||
        tensor.shape.size() < 2)
      continue;
    const bool by_feature = is_by_feature(tensor);
    if (by_feature && tensor.shape.size() < 3) continue;
    const AxisView keys = view_axis(tensor.shape, tensor.shape.size() - (by_feature ? 2 : 1));
    const std::vector<real>& data = result.data(tensor);
    const auto& axis = tensor.axes.at(tensor.shape.size() - (by_feature ? 3 : 2));
    const auto labels = recording.builder().tokens.find(axis.labels);
    const std::size_t rows = tensor.shape[tensor.shape.size() - (by_feature ? 3 : 2)];
    std::size_t count = 0;
    for (std::size_t row = 0; row < keys.outer; ++row) {
      bool empty = true;
      for (std::size_t k = 0; k < keys.length * keys.inner && empty; ++k)
        empty = data[row * keys.length * keys.inner + k] == 0;
      if (!empty || ++count > most_warned_rows) continue;
      const std::size_t index = row % rows;
      std::string who = "row " + std::to_string(index);
      if (labels != recording.builder().tokens.end() && index < labels->second.size())
        who += " (\"" + labels->second[index] + "\")";
      if (rows != keys.outer) who += " of head " + std::to_string(row / rows);
      result.warnings.push_back(
          {"/mechanism", who + " of " + tensor.name +
                             " attends to no key: its weights and its context are zero"});
    }
    if (count <= most_warned_rows) continue;
    result.warnings.push_back({"/mechanism", std::to_string(count - most_warned_rows) +
                                                 " more rows of " + tensor.name +
                                                 " attend to no key"});
  }
}

// Whose steps are on the way to what is wanted. Those of a scan that are no results of it are
// computed apart, from a second scan with the same body (ops/scan.h).
std::set<const Graph*> needed_bodies(const Graph& graph, const Plan& plan) {
  std::set<const Graph*> bodies;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const auto& body = graph[id].attributes.body;
    if (plan.needed[id] && body != nullptr) bodies.insert(body->graph.get());
  }
  return bodies;
}

// A step of a scan has time for its first axis; of the others nobody says what they are.
std::vector<NamedAxis> axes_of_step(const std::optional<StepNode>& step, const Shape& shape) {
  if (!step || shape.size() != (*step->body->graph)[step->inner].shape.size() + 1) return {};
  std::vector<NamedAxis> axes(shape.size());
  axes[0] = {"time", AxisRole::time};
  return axes;
}

// The named intermediates on the way to what is wanted. A run that keeps their numbers leaves out
// those that are too large to keep unasked.
std::vector<ResultTensor> steps_of(const Recording& recording, const std::vector<Var>& wanted,
                                   Detail detail) {
  std::vector<ResultTensor> steps;
  const Plan plan = attend::plan(recording.graph(), wanted);
  const std::set<const Graph*> bodies = needed_bodies(recording.graph(), plan);
  for (const Step& step : recording.steps()) {
    const Node& node = recording.graph()[step.node];
    const auto inside = step_behind(recording.graph(), step.node);
    const bool needed = plan.needed[step.node] ||
                        (inside && !node.name.empty() && bodies.contains(inside->body->graph.get()));
    const bool large = element_count(node.shape) > max_unasked_numbers;
    if (!needed || (detail == Detail::everything && large)) continue;
    steps.push_back({"steps", step.name, node.shape, axes_of_step(inside, node.shape),
                     formula_of(recording.graph(), step.node), step.node});
  }
  return steps;
}

void list_what_is_left(const Recording& recording, Result& result) {
  std::set<std::string_view> held;
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group == "outputs") held.insert(tensor.name);
  }
  for (const Output& output : recording.builder().outputs) {
    if (held.contains(output.name)) continue;
    result.left.push_back({"outputs", output.name, output.var.shape(), output.axes,
                           formula_of(recording.graph(), output.var.id()), output.var.id(),
                           output.role, output.numbers});
  }
}

ResultCost cost_of(const Recording& recording) {
  std::vector<NodeId> outputs;
  for (const Output& output : recording.requested()) outputs.push_back(output.var.id());
  std::optional<NodeId> context;
  for (const Output& output : recording.builder().outputs) {
    if (output.name == "context") context = output.var.id();
  }
  return result_cost(recording.graph(), outputs, context);
}

void warn_of_large_outputs(const Recording& recording, Result& result) {
  if (recording.document().outputs) return;
  for (const Output& output : recording.builder().outputs) {
    const Shape& shape = output.var.shape();
    if (element_count(shape) <= max_unasked_numbers) continue;
    result.warnings.push_back({"/outputs", output.name + " " + to_text(shape) +
                                               " is too large to keep unasked: name \"" +
                                               output.name + "\" in outputs, or one row of it, \"" +
                                               output.name + "[0]\""});
  }
}

}  // namespace

bool is_by_feature(const ResultTensor& tensor) {
  return !tensor.axes.empty() && tensor.axes.back().role == AxisRole::feature;
}

Result run(const Recording& recording, Detail detail, Memo* memo) {
  Result result;
  std::vector<Var> wanted;
  for (const Output& output : recording.requested()) {
    result.tensors.push_back({"outputs", output.name, output.var.shape(), output.axes,
                              formula_of(recording.graph(), output.var.id()), output.var.id(),
                              output.role, output.numbers, output.row});
  }
  for (const Leaf& leaf : recording.builder().leaves) {
    if (leaf.kind == Leaf::Kind::constant ||
        (leaf.kind == Leaf::Kind::input && detail == Detail::outputs))
      continue;
    const bool input = leaf.kind == Leaf::Kind::input;
    result.tensors.push_back({input ? "inputs" : "parameters",
                              leaf.name(),
                              leaf.var.shape(),
                              {},
                              "",
                              leaf.var.id(),
                              input ? TensorRole::input : TensorRole::parameter});
  }
  const Graph& graph = recording.graph();
  const auto want = [&](NodeId node) { wanted.push_back(graph.var(node)); };
  for (const ResultTensor& tensor : result.tensors) want(tensor.node);
  if (const auto root = gradient_root(recording)) want(root->var.id());
  std::vector<ResultTensor> steps = steps_of(recording, wanted, detail);
  if (detail == Detail::everything) {
    for (const ResultTensor& step : steps) want(step.node);
  }
  const Plan before = plan(graph, wanted);
  for (const Caution& caution : recording.builder().cautions) {
    if (before.needed[caution.of.id()]) want(caution.when.id());
  }
  list_what_is_left(recording, result);  // these two before shapes change
  warn_of_large_outputs(recording, result);
  result.fused = fused::fuse(recording.graph(), wanted);
  result.cost = cost_of(recording);
  add_gradients(recording, result);
  for (const ResultTensor& tensor : result.tensors) want(tensor.node);
  std::move(steps.begin(), steps.end(), std::back_inserter(result.tensors));
  check_size(result, detail);
  result.values = recording.compute(wanted, memo);
  check_finite(result);
  warn_of_empty_rows(recording, result);
  warn_of_cautions(recording.builder().cautions, result);
  return result;
}

}  // namespace attend
