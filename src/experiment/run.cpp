// SPDX-License-Identifier: Apache-2.0
#include "experiment/run.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "experiment/draw.h"
#include "mechanisms/dimensions.h"
#include "ops/backward.h"
#include "ops/formula.h"

namespace attend {
namespace {

void add_gradients(const Recording& recording, Result& result) {
  if (!recording.document().gradient) return;
  const GradientRequest& request = *recording.document().gradient;
  const auto& outputs = recording.builder().outputs;
  const auto named = [&](const std::string& name) {
    return std::find_if(outputs.begin(), outputs.end(),
                        [&](const Output& o) { return o.name == name; });
  };
  auto of = named(request.of.empty() ? "context" : request.of);
  if (request.of.empty() && of == outputs.end()) of = named("output");
  if (of == outputs.end()) {
    std::string have;
    for (const Output& output : outputs) have += (have.empty() ? "" : ", ") + output.name;
    throw Error("/gradient/of", "there is no output \"" + request.of + "\"; there are " + have);
  }
  Var cotangent = ones(recording.graph(), of->var.shape());
  if (request.cotangent) {
    if (request.cotangent->shape != of->var.shape()) {
      throw Error("/gradient/cotangent", "expected shape " + to_text(of->var.shape()) + ", found " +
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
  for (const Output& output : outputs) {
    if (!request.outputs || output.name == of->name) continue;
    names.push_back("outputs." + output.name);
    wrt.push_back(output.var);
  }
  const std::vector<Var> found = gradients(of->var, cotangent, wrt);
  for (std::size_t i = 0; i < names.size(); ++i) {
    result.tensors.push_back({"gradients", names[i], found[i].shape(), "", "", found[i].id});
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
  throw Error("/outputs", "the result would have " + std::to_string(numbers) +
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
    throw Error("/mechanism", "the numbers become too large: " + tensor.name + to_text(index) +
                                  " is not finite; use smaller inputs or parameters");
  }
}

constexpr std::size_t most_warned_rows = 16;  // of one tensor or slot; the rest is counted

// The cautions of the builds whose tensors were computed.
void warn_of_cautions(const std::vector<Caution>& cautions, Result& result) {
  std::map<std::string, std::size_t> count;  // by slot
  for (const Caution& caution : cautions) {
    const std::vector<real>& flags = result.values[caution.when.id];
    if (std::all_of(flags.begin(), flags.end(), [](real x) { return x == 0; })) continue;
    if (++count[caution.path] <= most_warned_rows)
      result.warnings.push_back({caution.path, caution.message});
  }
  for (const auto& [path, number] : count) {
    if (number > most_warned_rows) {
      result.warnings.push_back(
          {path, "and so do " + std::to_string(number - most_warned_rows) + " more rows"});
    }
  }
}

// Rows of weights that are all zero: nothing may be attended to, or nothing got any weight.
void warn_of_empty_rows(const Recording& recording, Result& result) {
  for (const ResultTensor& tensor : result.tensors) {
    const std::size_t dot = tensor.name.rfind('.');
    const std::string last = dot == std::string::npos ? tensor.name : tensor.name.substr(dot + 1);
    if (tensor.group != "outputs" || !last.starts_with("weights") || tensor.shape.empty()) continue;
    const bool by_feature = tensor.axes.ends_with(" dv");
    const AxisView keys = view_axis(tensor.shape, tensor.shape.size() - (by_feature ? 2 : 1));
    const std::vector<real>& data = result.data(tensor);
    const auto labels = recording.builder().labels.find("m");
    const std::size_t rows = tensor.shape[tensor.shape.size() - (by_feature ? 3 : 2)];
    std::size_t count = 0;
    for (std::size_t row = 0; row < keys.outer; ++row) {
      bool empty = true;
      for (std::size_t k = 0; k < keys.length * keys.inner && empty; ++k)
        empty = data[row * keys.length * keys.inner + k] == 0;
      if (!empty || ++count > most_warned_rows) continue;
      const std::size_t index = row % rows;
      std::string who = "row " + std::to_string(index);
      if (labels != recording.builder().labels.end() && index < labels->second.size())
        who += " (\"" + labels->second[index] + "\")";
      if (rows != keys.outer) who += " of head " + std::to_string(row / rows);
      result.warnings.push_back(
          {"/mechanism", who + " of " + tensor.name +
                             " attends to no key: its weights and its context are zero"});
    }
    if (count <= most_warned_rows) continue;
    result.warnings.push_back(
        {"/mechanism",
         "and so do " + std::to_string(count - most_warned_rows) + " more rows of " + tensor.name});
  }
}

}  // namespace

Result run(const Recording& recording, Detail detail, Memo* memo) {
  Result result;
  std::vector<Var> wanted;
  for (const Output& output : recording.requested()) {
    result.tensors.push_back({"outputs", output.name, output.var.shape(), output.axes,
                              formula_of(recording.graph(), output.var.id), output.var.id});
  }
  for (const Leaf& leaf : recording.builder().leaves) {
    if (leaf.kind == Leaf::Kind::constant ||
        (leaf.kind == Leaf::Kind::input && detail == Detail::outputs))
      continue;
    const bool input = leaf.kind == Leaf::Kind::input;
    result.tensors.push_back({input ? "inputs" : "parameters",
                              input ? leaf.key.substr(7) : leaf.key, leaf.var.shape(), "", "",
                              leaf.var.id});
  }
  const std::vector<Step> steps = recording.steps();  // before the gradients add their own nodes
  add_gradients(recording, result);
  for (const ResultTensor& tensor : result.tensors)
    wanted.push_back({&recording.graph(), tensor.node});
  const Plan outputs_plan = plan(recording.graph(), wanted);
  for (const Step& step : steps) {
    if (!outputs_plan.needed[step.node]) continue;
    const Node& node = recording.graph()[step.node];
    result.tensors.push_back(
        {"steps", step.name, node.shape, "", formula_of(recording.graph(), step.node), step.node});
    if (detail == Detail::everything) wanted.push_back({&recording.graph(), step.node});
  }
  for (const Caution& caution : recording.builder().cautions) {
    if (outputs_plan.needed[caution.of.id]) wanted.push_back(caution.when);
  }
  check_size(result, detail);
  result.values = recording.compute(wanted, memo);
  check_finite(result);
  warn_of_empty_rows(recording, result);
  warn_of_cautions(recording.builder().cautions, result);
  return result;
}

}  // namespace attend
