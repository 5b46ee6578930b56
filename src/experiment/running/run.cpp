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

#include "assembly/largest_knob.h"
#include "catalogue/dimensions.h"
#include "experiment/recording/blame.h"
#include "experiment/recording/draw.h"
#include "experiment/running/result_checks.h"
#include "experiment/running/steps.h"
#include "experiment/running/work_limit.h"
#include "fused/fuse.h"
#include "fused/row_blocks.h"
#include "ops/backward.h"
#include "ops/formula.h"
#include "ops/read_in_place.h"
#include "ops/stand_in.h"

namespace attend {
namespace {

// What the document wants the gradient of; null where it wants none.
const KnownTensor* gradient_root(const Compiled& compiled) {
  if (!compiled.document().gradient) return nullptr;
  const GradientRequest& request = *compiled.document().gradient;
  const Directory& directory = compiled.directory();
  if (request.of.empty()) {
    const KnownTensor* main = directory.main_result(
        std::array{MainResult::context, MainResult::output, MainResult::loss});
    if (main != nullptr) return main;
    refuse("/gradient/of",
           "expected the output to differentiate; the outputs are " + directory.output_names());
  }
  if (const KnownTensor* named = directory.output(request.of)) return named;
  refuse("/gradient/of",
         "there is no output \"" + request.of + "\"; " + directory.outputs_for(request.of));
}

void add_gradients(const Compiled& compiled, Prepared& prepared) {
  const KnownTensor* const of = gradient_root(compiled);
  if (of == nullptr) return;
  const std::string key = of->record->key();
  const GradientRequest& request = *compiled.document().gradient;
  const Shape& shape = prepared.program.graph()[prepared.program.find(key)].shape;
  if (request.cotangent && request.cotangent->shape != shape) {
    refuse("/gradient/cotangent",
           "expected shape " + to_text(shape) + ", found " + to_text(request.cotangent->shape));
  }
  std::vector<std::string> by;
  for (const Leaf& leaf : compiled.leaves()) {
    if (leaf.kind != Leaf::Kind::constant && !is_random_data(leaf.distribution))
      by.push_back(leaf.key);
  }
  for (const KnownTensor& output : compiled.requested()) {
    if (request.outputs && output.record->name != of->record->name)
      by.push_back(output.record->key());
  }
  const ErrorScope here("/gradient", "");  // there may be too many operations
  prepared.program = with_gradient(prepared.program, key, by);
}

// What goes out is text or one array, on top of the numbers themselves.
void check_size(const Prepared& prepared, Detail detail) {
  std::uint64_t numbers = 0;
  for (const ResultTensor& tensor : prepared.tensors) {
    if (detail == Detail::everything || tensor.group() != TensorGroup::steps)
      numbers += element_count(tensor.shape);
  }
  if (numbers <= max_result_numbers) return;
  refuse("/outputs", "the result would have " + std::to_string(numbers) +
                         " numbers, more than the " + std::to_string(max_result_numbers) +
                         " allowed; name fewer outputs, or use fewer tokens");
}

// A large parameter that was drawn must be asked for.
bool is_left_out(const Compiled& compiled, const Leaf& leaf) {
  return leaf.kind != Leaf::Kind::constant && leaf.kind != Leaf::Kind::input &&
         element_count(leaf.shape) > max_unasked_drawn &&
         origin_of(leaf.distribution) != Origin::constant && leaf.stored == nullptr &&
         !leaf.is_given() && !compiled.asks_for(leaf);
}

void list_what_is_left(const Compiled& compiled, Prepared& prepared) {
  std::set<std::string_view> held;
  for (const ResultTensor& tensor : prepared.tensors) {
    if (tensor.group() == TensorGroup::outputs) held.insert(tensor.name());
  }
  for (const KnownTensor& output : compiled.outputs()) {
    if (!held.contains(output.record->name))
      prepared.left_out.push_back({output.record, output.node, compiled.shape_of(output.node)});
  }
  for (const Leaf& leaf : compiled.leaves()) {
    if (is_left_out(compiled, leaf))
      prepared.left_out.push_back({leaf.record, leaf.node, leaf.shape});
  }
}

void warn_of_large_outputs(const Compiled& compiled, Prepared& prepared) {
  if (compiled.document().outputs) return;
  for (const KnownTensor& output : compiled.outputs()) {
    const Shape& shape = compiled.shape_of(output.node);
    if (element_count(shape) <= max_unasked_numbers) continue;
    const std::string& name = output.record->name;
    prepared.warnings.push_back({"/outputs", name + " " + to_text(shape) +
                                                 " is too large to keep unless requested: name \"" +
                                                 name + "\" in outputs, or one row of it, \"" +
                                                 name + "[0]\""});
  }
}

// Numbers of the seed beside those of a file are seldom meant.
void warn_of_drawn(const Compiled& compiled, const Leaf& leaf, std::vector<Warning>& warnings) {
  if (compiled.document().stored == nullptr || leaf.stored != nullptr || leaf.is_given() ||
      origin_of(leaf.distribution) == Origin::constant)
    return;
  warnings.push_back({"/parameters/from", "the file has no \"" + leaf.key +
                                              "\", so its numbers are drawn from the seed"});
}

// Parameters, and inputs that are asked for; for the page all of them, and the page lists what is left out.
std::vector<KnownTensor> listed_leaves(const Compiled& compiled, Detail detail,
                                       std::vector<Warning>& warnings) {
  std::vector<KnownTensor> list;
  for (const Leaf& leaf : compiled.leaves()) {
    if (leaf.kind == Leaf::Kind::constant) continue;
    if (leaf.kind == Leaf::Kind::input) {
      if (detail == Detail::everything || compiled.asks_for(leaf))
        list.push_back({leaf.record, leaf.node});
      continue;
    }
    const bool large = element_count(leaf.shape) > max_unasked_drawn &&
                       origin_of(leaf.distribution) != Origin::constant;
    // A file's weights are there to be read; as text they would be many times as long.
    if (large && leaf.stored != nullptr && !compiled.asks_for(leaf)) continue;
    if (is_left_out(compiled, leaf)) {
      if (detail == Detail::everything) continue;
      warnings.push_back({"/outputs", "the drawn parameter " + leaf.key + " " +
                                          to_text(leaf.shape) +
                                          " is too large to return unless requested: name \"" +
                                          leaf.record->key() + "\" in outputs"});
      continue;
    }
    if (detail != Detail::everything) warn_of_drawn(compiled, leaf, warnings);
    list.push_back({leaf.record, leaf.node});
  }
  return list;
}

}  // namespace

bool is_by_feature(const ResultTensor& tensor) {
  const auto& axes = tensor.record->axes;
  return !axes.empty() && axes.back().role == AxisRole::feature;
}

namespace {

// Gathers what is wanted of the recorded program. The tensors of the result are those that have a record.
class Wishes {
 public:
  explicit Wishes(const Compiled& compiled) : compiled_(compiled) {}

  void add(const std::vector<KnownTensor>& tensors) {
    for (const KnownTensor& one : tensors) add(one.record->key(), one.node, one.record);
  }
  void add(std::string name, NodeId node, Record record = {}) {
    results_.push_back({std::move(name), node, std::move(record)});
    wanted_.push_back(compiled_.graph().var(node));
  }
  [[nodiscard]] const std::vector<Var>& wanted() const { return wanted_; }
  [[nodiscard]] Program program() {
    Program program = compiled_.program().with_results(std::move(results_));
    return compiled_.examples() == 0 ? program : batched(program, compiled_.examples());
  }

 private:
  const Compiled& compiled_;
  std::vector<Program::Result> results_;
  std::vector<Var> wanted_;
};

std::string caution_key(std::size_t place) { return "caution." + std::to_string(place); }

// The program's tensors: what came out, what was given, gradients; steps behind all of them.
std::vector<ResultTensor> tensors_of(const Program& program) {
  std::vector<ResultTensor> tensors;
  for (const bool steps : {false, true}) {
    for (const Program::Result& result : program.results()) {
      if (result.record != nullptr && (result.record->group == TensorGroup::steps) == steps)
        tensors.push_back({result.record, result.node, program.graph()[result.node].shape});
    }
  }
  return tensors;
}

}  // namespace

Prepared prepare(const Compiled& compiled, Detail detail) {
  Prepared prepared;
  Wishes wishes(compiled);
  wishes.add(compiled.requested());
  wishes.add(listed_leaves(compiled, detail, prepared.warnings));
  const KnownTensor* const root = gradient_root(compiled);
  if (root != nullptr) wishes.add(root->record->key(), root->node);
  const std::vector<KnownTensor> steps = steps_of(compiled, wishes.wanted(), detail);
  if (detail == Detail::everything) wishes.add(steps);
  const Plan before = plan(compiled.graph(), wishes.wanted());
  for (const Caution& caution : compiled.recording().cautions) {
    if (!before.needed[caution.of]) continue;
    wishes.add(caution_key(prepared.cautions.size()), caution.when);
    prepared.cautions.push_back(caution);
  }

  const Program with_kernels = fused::fused(read_in_place(wishes.program()));
  prepared.program = fused::in_blocks(with_kernels);
  prepared.renumbered = prepared.program.shared_graph() != with_kernels.shared_graph();
  if (root == nullptr) prepared.program = without_stand_ins(prepared.program);
  prepared.cost = result_cost(compiled, prepared.program);
  add_gradients(compiled, prepared);
  prepared.program = without_stand_ins(prepared.program);
  for (std::size_t i = 0; i < prepared.cautions.size(); ++i)
    prepared.cautions[i].when = prepared.program.find(caution_key(i));
  prepared.tensors = tensors_of(prepared.program);
  if (detail != Detail::everything) {
    // The result has their formulas and not their numbers.
    for (const KnownTensor& step : steps)
      prepared.tensors.push_back({step.record, step.node, compiled.shape_of(step.node)});
  }
  list_what_is_left(compiled, prepared);
  warn_of_large_outputs(compiled, prepared);
  check_size(prepared, detail);
  return prepared;
}

namespace {

// The module of most numbers, by its place in the directory; none if no module recorded these.
std::optional<std::size_t> largest_module(const Compiled& compiled, const Program& program,
                                          const Plan& plan) {
  std::vector<std::uint64_t> numbers(compiled.directory().modules().size());
  for (NodeId id = 0; id < program.graph().size(); ++id) {
    const Node& node = program.graph()[id];
    const bool counts = plan.needed[id] && plan.home[id] == id && node.module < numbers.size();
    if (counts && !node.lies_elsewhere()) numbers[node.module] += element_count(node.shape);
  }
  const auto most = std::ranges::max_element(numbers);
  if (most == numbers.end() || *most == 0) return std::nullopt;
  return static_cast<std::size_t>(most - numbers.begin());
}

// The knob that makes a module large, or else the path of the module.
[[noreturn]] void refuse_memory(const Compiled& compiled, std::optional<std::size_t> module,
                                const std::string& what) {
  const Document& document = compiled.document();
  const std::string path = module_path(compiled, module);
  std::size_t rows = 0;
  for (const auto& [name, input] : document.inputs)
    rows = std::max(rows, *std::ranges::max_element(input.tensor.shape));
  for (const ModuleUse& use : document.modules) {
    if (!module || document_module_path(compiled, *module) != use.choice.path) continue;
    const auto knob =
        largest_knob(use.choice, compiled.recording(), KnobUse::sizes, static_cast<double>(rows));
    if (knob) refuse(knob->path, what + "; " + knob->advice() + ", or use fewer tokens");
  }
  // A document of one module is as large as its inputs make it.
  refuse(document.modules.front().name.empty() ? "/inputs" : path,
         what + "; use fewer tokens or heads, smaller widths, or fewer outputs");
}

}  // namespace

Plan plan_within_limits(const Compiled& compiled, const Program& program, Keep keep) {
  Plan plan = attend::plan(program.graph(), program.wanted(), keep);
  const std::uint64_t bytes = (plan.numbers + plan.hidden) * sizeof(real);
  if (bytes <= max_memory_bytes) {
    check_work(program, plan);
    return plan;
  }
  refuse_memory(compiled, largest_module(compiled, program, plan),
                "this experiment would take " + std::to_string(bytes >> 20U) +
                    " MiB of numbers, more than the " + std::to_string(max_memory_bytes >> 20U) +
                    " MiB allowed");
}

namespace {
Plan plan_for(const Compiled& compiled, const Program& program, bool again) {
  const ModulePlaces places(module_places(compiled));
  if (!again) return plan_within_limits(compiled, program, Keep::wanted);
  const std::uint64_t all = plan(program.graph(), program.wanted(), Keep::all).numbers;
  const bool fits = all * sizeof(real) <= max_kept_bytes;
  return plan_within_limits(compiled, program, fits ? Keep::all : Keep::wanted);
}
}  // namespace

Runner::Runner(const Compiled& compiled, Detail detail, bool again)
    : prepared_(prepare(compiled, detail)),
      work_(std::make_shared<Workspace>(prepared_.program.shared_graph(),
                                        plan_for(compiled, prepared_.program, again))) {}

namespace {
// One leaf's numbers for all examples.
void write_leaf(const Compiled& compiled, const Leaf& leaf, std::span<real> room) {
  const std::size_t count = element_count(leaf.shape);
  for (std::size_t at = 0; at < room.size(); at += count)
    compiled.write_leaf(leaf, room.subspan(at, count), at / count);
}
}  // namespace

// All of them once; then those that may have changed.
void Runner::write(const Compiled& compiled, const std::set<std::string>* only) {
  const Document& document = compiled.document();
  const Program& program = prepared_.program;
  const bool some = only != nullptr && filled_;
  for (const Program::Leaf& one : program.leaves()) {
    if (some && !only->contains(one.name)) continue;
    if (program.graph()[one.node].lies_elsewhere()) continue;  // they are there
    const Leaf* const leaf = compiled.recording().leaf(one.name);
    if (leaf == nullptr) continue;  // of a pass
    if (!filled_) {
      write_leaf(compiled, *leaf, work_->write(one.node));
    } else if (leaf->given != nullptr || leaf->knob != nullptr || seed_ != document.seed) {
      // What a file of weights holds never changes.
      if (leaf->stored != nullptr) continue;
      std::vector<real> numbers(element_count(program.graph()[one.node].shape));
      write_leaf(compiled, *leaf, numbers);
      work_->set(one.node, numbers);
    }
  }
  if (some) return;
  if (document.gradient && document.gradient->cotangent) {
    const std::vector<double>& data = document.gradient->cotangent->data;
    const std::vector<real> numbers(data.begin(), data.end());
    work_->set(program.find(cotangent_key(gradient_root(compiled)->record->key())), numbers);
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
    if (tensor.group() == TensorGroup::outputs || tensor.group() == TensorGroup::steps)
      tensor.formula = formula_of(*written_, tensor.record->recorded);
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

}  // namespace attend
