// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "catalogue/dimensions.h"
#include "experiment/recording/blame.h"
#include "experiment/recording/draw.h"
#include "experiment/running/result_checks.h"
#include "experiment/running/steps.h"
#include "experiment/running/work_limit.h"
#include "fused/fuse.h"
#include "ops/backward.h"
#include "ops/formula.h"
#include "ops/read_in_place.h"
#include "ops/stand_in.h"

namespace attend {
namespace {

// What the document wants the gradient of; nothing where it wants none.
std::optional<Output> gradient_root(const Compiled& compiled) {
  if (!compiled.document().gradient) return std::nullopt;
  const GradientRequest& request = *compiled.document().gradient;
  if (request.of.empty()) {
    const Output* main = compiled.builder().main_result(
        std::array{MainResult::context, MainResult::output, MainResult::loss});
    if (main != nullptr) return *main;
    refuse("/gradient/of",
           "expected the output to differentiate; the outputs are " + compiled.output_names());
  }
  for (const Output& output : compiled.builder().outputs) {
    if (output.name == request.of) return output;
  }
  refuse("/gradient/of",
         "there is no output \"" + request.of + "\"; there are " + compiled.output_names());
}

// Of several examples there is one axis more, in front.
void lead_by_batch(ResultTensor& tensor) {
  if (!tensor.axes.empty() && tensor.shape.size() == tensor.axes.size() + 1)
    tensor.axes.insert(tensor.axes.begin(), NamedAxis{"batch", AxisRole::batch});
}

// Adds the gradients to the program and to what comes out.
void add_gradients(const Compiled& compiled, Prepared& prepared) {
  const std::optional<Output> of = gradient_root(compiled);
  if (!of) return;
  const GradientRequest& request = *compiled.document().gradient;
  const Graph& graph = prepared.program.graph();
  const Shape& shape = graph[prepared.program.find(output_key(of->name))].shape;
  if (request.cotangent && request.cotangent->shape != shape) {
    refuse("/gradient/cotangent",
           "expected shape " + to_text(shape) + ", found " + to_text(request.cotangent->shape));
  }
  std::vector<std::string> by;
  std::vector<ResultTensor> tensors;
  for (const Leaf& leaf : compiled.builder().leaves) {
    if (leaf.kind == Leaf::Kind::constant || is_random_data(leaf.distribution)) continue;
    by.push_back(leaf.key);
    tensors.push_back(
        {ResultGroup::gradients, leaf.key, {}, leaf.axes, "", 0, TensorRole::gradient});
  }
  for (const Output& output : compiled.requested()) {
    if (!request.outputs || output.name == of->name) continue;
    by.push_back(output_key(output.name));
    tensors.push_back(
        {ResultGroup::gradients, by.back(), {}, output.axes, "", 0, TensorRole::gradient});
  }
  const std::size_t first = prepared.program.results().size();
  const ErrorScope here("/gradient", "");  // there may be too many operations
  prepared.program = with_gradient(prepared.program, output_key(of->name), by);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    ResultTensor& tensor = tensors[i];
    tensor.node = prepared.program.results()[first + i].node;
    tensor.shape = prepared.program.graph()[tensor.node].shape;
    lead_by_batch(tensor);
    prepared.tensors.push_back(std::move(tensor));
  }
}

// What goes out is text or one array, on top of the numbers themselves.
void check_size(const Prepared& prepared, Detail detail) {
  std::uint64_t numbers = 0;
  for (const ResultTensor& tensor : prepared.tensors) {
    if (detail == Detail::everything || tensor.group != ResultGroup::steps)
      numbers += element_count(tensor.shape);
  }
  if (numbers <= max_result_numbers) return;
  refuse("/outputs", "the result would have " + std::to_string(numbers) +
                         " numbers, more than the " + std::to_string(max_result_numbers) +
                         " allowed; name fewer outputs, or use fewer tokens");
}

void list_what_is_left(const Compiled& compiled, Prepared& prepared) {
  std::set<std::string_view> held;
  for (const ResultTensor& tensor : prepared.tensors) {
    if (tensor.group == ResultGroup::outputs) held.insert(tensor.name);
  }
  for (const Output& output : compiled.builder().outputs) {
    if (held.contains(output.name)) continue;
    ResultTensor& tensor = prepared.left_out.emplace_back(
        ResultTensor{ResultGroup::outputs, output.name, output.var.shape(), output.axes, "",
                     output.var.id(), output.role, output.numbers});
    tensor.recorded = output.var.id();
    tensor.within = output.module;
  }
}

void warn_of_large_outputs(const Compiled& compiled, Prepared& prepared) {
  if (compiled.document().outputs) return;
  for (const Output& output : compiled.builder().outputs) {
    const Shape& shape = output.var.shape();
    if (element_count(shape) <= max_unasked_numbers) continue;
    prepared.warnings.push_back(
        {"/outputs", output.name + " " + to_text(shape) +
                         " is too large to keep unless requested: name \"" + output.name +
                         "\" in outputs, or one row of it, \"" + output.name + "[0]\""});
  }
}

NumberKind numbers_of(const Leaf& parameter) {
  if (parameter.below > 0) return NumberKind::index;
  return parameter.distribution == Distribution::bernoulli ? NumberKind::zero_one
                                                           : NumberKind::real_number;
}

// Parameters and, for the page, inputs. Large ones that were drawn must be asked for.
// Parameters, and inputs that are asked for; for the page all of them. Large ones that were drawn must be asked for.
void list_leaves(const Compiled& compiled, Detail detail, Prepared& prepared) {
  for (const Leaf& leaf : compiled.builder().leaves) {
    if (leaf.kind == Leaf::Kind::constant) continue;
    if (leaf.kind == Leaf::Kind::input) {
      if (detail == Detail::everything || compiled.asks_for(leaf))
        prepared.tensors.push_back({ResultGroup::inputs, leaf.name(), leaf.var.shape(), leaf.axes,
                                    "", leaf.var.id(), TensorRole::input});
      continue;
    }
    const bool large = element_count(leaf.var.shape()) > max_unasked_drawn &&
                       origin_of(leaf.distribution) != Origin::constant;
    // A file's weights are there to be read; as text they would be many times as long.
    if (large && leaf.stored != nullptr && !compiled.asks_for(leaf)) continue;
    if (large && !leaf.is_given() && !compiled.asks_for(leaf)) {
      prepared.warnings.push_back(
          {"/outputs", "the drawn parameter " + leaf.key + " " + to_text(leaf.var.shape()) +
                           " is too large to return unless requested: name \"" +
                           result_key(ResultGroup::parameters, leaf.key) + "\" in outputs"});
      continue;
    }
    prepared.tensors.push_back({ResultGroup::parameters, leaf.key, leaf.var.shape(), leaf.axes, "",
                                leaf.var.id(), TensorRole::parameter, numbers_of(leaf)});
  }
}

}  // namespace

bool is_by_feature(const ResultTensor& tensor) {
  return !tensor.axes.empty() && tensor.axes.back().role == AxisRole::feature;
}

namespace {

// Gathers what is wanted of the recorded program; once the passes are through, the nodes that they
// made of it are found by place.
class Wishes {
 public:
  explicit Wishes(const Compiled& compiled) : compiled_(compiled) {}

  void add(const std::string& name, NodeId node) {
    results_.push_back({name, node});
    wanted_.push_back(compiled_.graph().var(node));
  }
  [[nodiscard]] const std::vector<Var>& wanted() const { return wanted_; }
  [[nodiscard]] std::size_t count() const { return results_.size(); }
  [[nodiscard]] Program program() {
    Program program = compiled_.program().with_results(std::move(results_));
    return compiled_.examples() == 0 ? program : batched(program, compiled_.examples());
  }

 private:
  const Compiled& compiled_;
  std::vector<Program::Result> results_;
  std::vector<Var> wanted_;
};

// Lets tensors point at their nodes in the program, by the place of the first among its results.
void find_nodes(const Program& program, std::vector<ResultTensor>& tensors, std::size_t first) {
  std::unordered_map<std::string_view, NodeId> leaves;
  for (const Program::Leaf& leaf : program.leaves()) leaves.emplace(leaf.name, leaf.node);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    ResultTensor& tensor = tensors[i];
    tensor.recorded = tensor.node;
    // A parameter is one for all examples.
    tensor.node = tensor.group == ResultGroup::parameters ? leaves.at(tensor.name)
                                                          : program.results()[first + i].node;
    tensor.shape = program.graph()[tensor.node].shape;
    lead_by_batch(tensor);
  }
}

}  // namespace

Prepared prepare(const Compiled& compiled, Detail detail) {
  Prepared prepared;
  for (const Output& output : compiled.requested()) {
    prepared.tensors.push_back({ResultGroup::outputs, output.name, output.var.shape(), output.axes,
                                "", output.var.id(), output.role, output.numbers, output.row});
    prepared.tensors.back().within = output.module;
  }
  list_leaves(compiled, detail, prepared);
  Wishes wishes(compiled);
  for (const ResultTensor& tensor : prepared.tensors)
    wishes.add(result_key(tensor.group, tensor.name), tensor.node);
  if (const auto root = gradient_root(compiled)) wishes.add(output_key(root->name), root->var.id());
  std::vector<ResultTensor> steps = steps_of(compiled, wishes.wanted(), detail);
  const std::size_t first_step = wishes.count();
  if (detail == Detail::everything) {
    for (const ResultTensor& step : steps)
      wishes.add(result_key(ResultGroup::steps, step.name), step.node);
  }
  const Plan before = plan(compiled.graph(), wishes.wanted());
  const std::size_t first_caution = wishes.count();
  for (const Caution& caution : compiled.builder().cautions) {
    const bool needed = before.needed[caution.of.id()];
    prepared.cautions.push_back(needed ? std::optional(caution.when.id()) : std::nullopt);
    if (needed) wishes.add("caution", caution.when.id());
  }
  list_what_is_left(compiled, prepared);
  warn_of_large_outputs(compiled, prepared);

  const Program program = wishes.program();
  find_nodes(program, prepared.tensors, 0);
  if (detail == Detail::everything) find_nodes(program, steps, first_step);
  std::size_t next = first_caution;
  for (auto& caution : prepared.cautions)
    if (caution) caution = program.results()[next++].node;
  prepared.program = fused::fused(read_in_place(program));
  if (!gradient_root(compiled)) prepared.program = without_stand_ins(prepared.program);
  prepared.cost = result_cost(compiled, prepared.program);
  add_gradients(compiled, prepared);
  prepared.program = without_stand_ins(prepared.program);
  std::move(steps.begin(), steps.end(), std::back_inserter(prepared.tensors));
  check_size(prepared, detail);
  return prepared;
}

Plan plan_within_limits(const Program& program, Keep keep) {
  Plan plan = attend::plan(program.graph(), program.wanted(), keep);
  const std::uint64_t bytes = (plan.numbers + plan.hidden) * sizeof(real);
  if (bytes <= max_memory_bytes) {
    check_work(program, plan);
    return plan;
  }
  refuse("/inputs",
         "this experiment would take " + std::to_string(bytes >> 20U) +
             " MiB of numbers, more than the " + std::to_string(max_memory_bytes >> 20U) +
             " MiB allowed; use fewer tokens, heads or smaller widths, or ask for fewer outputs");
}

namespace {
Plan plan_for(const Compiled& compiled, const Program& program, bool again) {
  const ModulePlaces places(module_places(compiled));
  if (!again) return plan_within_limits(program, Keep::wanted);
  const std::uint64_t all = plan(program.graph(), program.wanted(), Keep::all).numbers;
  const bool fits = all * sizeof(real) <= max_kept_bytes;
  return plan_within_limits(program, fits ? Keep::all : Keep::wanted);
}
}  // namespace

Runner::Runner(const Compiled& compiled, Detail detail, bool again)
    : prepared_(prepare(compiled, detail)),
      work_(std::make_shared<Workspace>(prepared_.program.shared_graph(),
                                        plan_for(compiled, prepared_.program, again))) {}

// One leaf's numbers for all examples.
void Runner::write_leaf(const Compiled& compiled, std::size_t place, std::span<real> room) const {
  const Leaf& leaf = compiled.builder().leaves[place];
  const std::size_t count = element_count(leaf.var.shape());
  for (std::size_t at = 0; at < room.size(); at += count)
    compiled.write_leaf(leaf, room.subspan(at, count), at / count);
}

// All of them once; then those that may have changed.
void Runner::write(const Compiled& compiled, const std::set<std::size_t>* only) {
  const Document& document = compiled.document();
  const auto& leaves = compiled.builder().leaves;  // the first ones of the program
  const bool some = only != nullptr && filled_;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (some && !only->contains(i)) continue;
    const NodeId node = prepared_.program.leaves()[i].node;
    if (prepared_.program.graph()[node].lies_elsewhere()) continue;  // they are there
    if (!filled_) {
      write_leaf(compiled, i, work_->write(node));
    } else if (leaves[i].given != nullptr || leaves[i].knob != nullptr || seed_ != document.seed) {
      // What a file of weights holds never changes.
      if (leaves[i].stored != nullptr) continue;
      std::vector<real> numbers(element_count(prepared_.program.graph()[node].shape));
      write_leaf(compiled, i, numbers);
      work_->set(node, numbers);
    }
  }
  if (some) return;
  if (document.gradient && document.gradient->cotangent) {
    const std::vector<double>& data = document.gradient->cotangent->data;
    const std::vector<real> numbers(data.begin(), data.end());
    work_->set(prepared_.program.find(cotangent_key(output_key(gradient_root(compiled)->name))),
               numbers);
  }
  filled_ = true;
  seed_ = document.seed;
}

void Runner::watch(const Progress::Listener& listener) {
  const Program& program = prepared_.program;
  const Plan plan = attend::plan(program.graph(), program.wanted());
  std::vector<double> seconds = seconds_by_node(program.graph(), plan.needed);
  if (std::accumulate(seconds.begin(), seconds.end(), 0.0) > moment_seconds)
    progress_.emplace(std::move(seconds), listener);
}

void Runner::evaluate(const Compiled& compiled) {
  write(compiled);
  (void)evaluate_some(compiled, [] { return false; });
}

bool Runner::evaluate_some(const Compiled& compiled, const std::function<bool()>& enough) {
  Progress* const heard = progress_ ? &*progress_ : nullptr;
  return evaluate_within(compiled, prepared_, *work_, enough, heard);
}

void Runner::write_formulas(const Compiled& compiled) {
  if (written_ == compiled.program().shared_graph()) return;
  written_ = compiled.program().shared_graph();
  const auto write = [&](ResultTensor& tensor) {
    if (tensor.group == ResultGroup::outputs || tensor.group == ResultGroup::steps)
      tensor.formula = formula_of(*written_, tensor.recorded);
  };
  for (ResultTensor& tensor : prepared_.tensors) write(tensor);
  for (ResultTensor& tensor : prepared_.left_out) write(tensor);
}

Result Runner::run(const Compiled& compiled) {
  evaluate(compiled);
  return collect(compiled);
}

Result Runner::collect(const Compiled& compiled) {
  write_formulas(compiled);
  Result result{prepared_.tensors,  prepared_.left_out,
                prepared_.warnings, work_,
                prepared_.cost,     prepared_.program.made().fused};
  const std::vector<Warning>& of_inputs = compiled.document().warnings;
  result.warnings.insert(result.warnings.begin(), of_inputs.begin(), of_inputs.end());
  result.warnings.insert(result.warnings.end(), compiled.warnings().begin(),
                         compiled.warnings().end());
  check_finite(compiled, result, checked_);
  checked_ = work_->evaluations();
  warn_of_empty_rows(compiled, result);
  warn_of_cautions(compiled, prepared_, result);
  return result;
}

Result run(const Compiled& compiled, Detail detail) {
  return Runner(compiled, detail).run(compiled);
}

}  // namespace attend
