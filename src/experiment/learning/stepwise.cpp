// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/stepwise.h"

#include <algorithm>
#include <array>
#include <map>

#include "experiment/learning/answer.h"
#include "experiment/learning/learn_program.h"
#include "experiment/recording/blame.h"
#include "experiment/recording/fixed_numbers.h"
#include "experiment/recording/map_row.h"
#include "experiment/recording/row_count.h"
#include "ops/cost.h"
#include "ops/needed.h"
#include "ops/read_in_place.h"
#include "ops/rewrite.h"
#include "ops/step_refusal.h"

namespace attend {
namespace {

// The leaves whose rows arrive with those of an input. What a loss compares with the results is none of them.
std::vector<NodeId> rows_of_input(const Compiled& compiled, const std::string& input,
                                  const std::vector<Program::Result>& results) {
  std::vector<NodeId> rows, wanted;
  for (const Program::Result& result : results) wanted.push_back(result.node);
  const std::vector<bool> needed = needed_for(compiled.graph(), wanted);
  for (const Leaf& leaf : compiled.leaves()) {
    const auto words = compiled.words().find(leaf.node);
    const bool own = leaf.kind == Leaf::Kind::input && leaf.name() == input;
    const bool read = words != compiled.words().end() && words->second.input == input;
    if ((own || read) && needed[leaf.node]) rows.push_back(leaf.node);
  }
  if (rows.empty()) refuse("/inputs/" + input, "none of the results is computed from this input");
  return rows;
}

std::string names_of(const Builder::Inputs& inputs) {
  std::string list;
  for (const auto& [name, input] : inputs) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// What the document answers, or its only input.
std::string chosen_input(const Compiled& compiled, const std::optional<AnswerPlace>& answer,
                         const std::string& over) {
  const Builder::Inputs& inputs = compiled.document().inputs;
  if (!over.empty()) {
    if (inputs.contains(over)) return over;
    refuse("/inputs", "there is no input \"" + over + "\"; there are " + names_of(inputs));
  }
  if (answer && answer->reads) return answer->input;
  if (inputs.size() == 1) return inputs.begin()->first;
  refuse("/inputs",
         "only one input can receive its rows one after another, but this document has several "
         "inputs (" +
             names_of(inputs) + ") and no answer that determines the input");
}

// The outputs that the document names; else what it answers, or its main result.
std::vector<std::string> wanted_outputs(const Compiled& compiled,
                                        const std::optional<AnswerPlace>& answer) {
  std::vector<std::string> names;
  if (compiled.document().outputs) {
    for (const KnownTensor& output : compiled.requested()) names.push_back(output.record->name);
    return names;
  }
  if (answer) return {answer->logits->name};
  const Directory& directory = compiled.directory();
  constexpr std::array order{MainResult::output, MainResult::context};
  if (const KnownTensor* main = directory.main_result(order)) return {main->record->name};
  for (std::size_t at = directory.modules().size(); at-- > 0;) {
    if (const KnownTensor* main = directory.main_result(at, order)) return {main->record->name};
  }
  refuse("/outputs", "name the outputs to compute; there are " + directory.output_names());
}

// So many bytes the rows that are taken at once may need.
constexpr std::uint64_t most_at_once = std::uint64_t{256} << 20U;

// Whether two recordings have the same nodes, of whatever shapes.
bool is_same_but_for_sizes(const Graph& a, const Graph& b) {
  if (a.size() != b.size()) return false;
  for (NodeId id = 0; id < a.size(); ++id) {
    if (a[id].primitive != b[id].primitive || a[id].inputs != b[id].inputs ||
        a[id].shape.size() != b[id].shape.size())
      return false;
  }
  return true;
}

// A row of a result into its place.
void put_row(const StepResult& result, Numbers from, std::size_t t, std::vector<real>& into) {
  const AxisView v = view_axis(result.shape, result.row);
  for (std::size_t o = 0; o < v.outer; ++o)
    std::copy_n(from.data() + o * v.inner, v.inner, into.data() + (o * v.length + t) * v.inner);
  if (!result.unseen) return;
  // Keys behind the row have not arrived.
  const Strides strides = strides_of(result.shape);
  for (std::size_t at = 0; at < into.size(); ++at) {
    const std::size_t i = at / strides[result.row] % result.shape[result.row];
    const std::size_t j = at / strides[*result.unseen] % result.shape[*result.unseen];
    if (i == t && last_row(result.reach, j) > t) into[at] = 0;
  }
}

// A tensor whose first cells along each axis make one of a smaller shape.
Json to_json(const Shape& shape, std::span<const real> numbers, const Shape& smaller) {
  const Strides from = strides_of(shape), to = strides_of(smaller);
  std::vector<real> cells(element_count(smaller));
  for (std::size_t at = 0; at < cells.size(); ++at) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < smaller.size(); ++axis)
      place += at / to[axis] % smaller[axis] * from[axis];
    cells[at] = numbers[place];
  }
  return {{"shape", smaller}, {"data", cells}};
}

// Whether each result has rows in front of one axis, all of which are known when a row arrives.
bool has_last_rows(const StepProgram& steps) {
  return std::ranges::all_of(steps.results, [](const StepResult& result) {
    return result.row + 2 == result.shape.size() && !result.unseen;
  });
}

std::string last_row_key(const std::string& result) { return "last." + result; }

// The program with one row of these results, too, beside the results that it has. What those need is computed for all
// rows, and the rest for that row alone.
Program with_rows_of(const Program& program, const std::vector<StepResult>& results,
                     const Compiled& compiled, std::size_t row) {
  std::vector<NodeId> wanted;
  for (const Program::Result& one : program.results()) wanted.push_back(one.node);
  Rewrite to(program);
  to.copy_whole();
  RowRecorder rows(row, RowRecorder::Names::none, needed_for(program.graph(), wanted));
  for (const StepResult& result : results)
    to.add_result(last_row_key(result.name), rows.of(to.now(compiled.find(result.name))));
  return to.program();
}

// The steps of a document whose numbers do not depend on how many rows there are.
StepProgram steps_of(const Compiled& compiled, const std::string& input,
                     const std::vector<std::string>& results, bool with_reads) {
  std::vector<Program::Result> wanted;
  for (const std::string& name : results) wanted.push_back({name, compiled.find(name)});
  const std::vector<NodeId> rows = rows_of_input(compiled, input, wanted);
  const ModulePlaces places(module_places(compiled));
  return stepwise(
      read_in_place(compiled.program().with_results(std::move(wanted))), rows,
      [&](Workspace& work) { fill(compiled, work); }, with_reads);
}

}  // namespace

StepProgram stepwise_of(const Compiled& compiled, const std::string& input,
                        const std::vector<std::string>& results, bool with_reads) {
  if (compiled.examples() != 0)
    refuse("/examples", "rows arrive for one example at a time; leave the examples out");
  check_row_count(compiled, input, results, [&](const Compiled& other) {
    return !steps_of(other, input, results, false).results.empty();
  });
  return steps_of(compiled, input, results, with_reads);
}

bool take_at_once(const Compiled& compiled, StepRunner& runner, std::span<const real> first,
                  const WithRows& shorter) {
  const StepProgram& steps = runner.program();
  if (!runner.keeps_rows_only() || steps.inputs.size() != 1) return false;
  const bool with_last = has_last_rows(steps);
  const std::size_t given = first.size() / steps.inputs.front().size;
  const std::size_t count = with_last || given == 0 ? given : given - 1;
  // A row among all of them costs about an eighth of a step, which reads all weights for itself.
  if (count == 0 || 8 * count < steps.count || count > steps.count) return false;
  // Texts of about one length share a program.
  constexpr std::size_t together = 16;
  const std::size_t rounded = (count + together - 1) / together * together;
  const Compiled* other = shorter && 4 * rounded <= 3 * steps.count ? shorter(rounded) : nullptr;
  const Compiled& used = other != nullptr && is_same_but_for_sizes(other->graph(), compiled.graph())
                             ? *other
                             : compiled;
  std::vector<Program::Result> kept;
  for (const StepState& state : steps.states) kept.push_back({state.name, state.source});
  Program program = used.program().with_results(std::move(kept));
  if (with_last) program = with_rows_of(program, steps.results, used, count - 1);
  const Program whole = read_in_place(program);
  const Plan needs = plan(whole.graph(), whole.wanted());
  if (needs.numbers * sizeof(real) > most_at_once) return false;
  Workspace work(whole.shared_graph(), needs);
  fill(used, work);
  const std::span<real> rows = work.write(steps.inputs.front().source);
  std::ranges::copy(first.first(count * steps.inputs.front().size), rows.begin());
  work.evaluate();
  std::vector<std::vector<real>> last;
  for (std::size_t k = 0; with_last && k < steps.results.size(); ++k) {
    const Numbers row = work[whole.find(last_row_key(steps.results[k].name))];
    last.emplace_back(row.begin(), row.end());
  }
  runner.take_at_once(count, whole.graph(), work, std::move(last));
  return true;
}

std::vector<SteppedLeaf> stepped_leaves(const Compiled& compiled, const StepProgram& program) {
  std::vector<SteppedLeaf> list;
  for (const StepInput& input : program.inputs) {
    const auto leaf = std::ranges::find(compiled.leaves(), input.source, &Leaf::node);
    const auto words = compiled.words().find(input.source);
    list.push_back({&*leaf, words == compiled.words().end() ? nullptr : &words->second});
  }
  return list;
}

Json state_size(const StepRunner& runner) {
  return {{"rows", runner.steps_taken()},
          {"numbers", runner.state_numbers()},
          {"bytes", runner.state_numbers() * sizeof(real)}};
}

Json describe_state(const Compiled& compiled, const StepRunner& runner) {
  Json tensors = Json::array();
  const StepProgram& program = runner.program();
  for (const StepState& state : program.states) {
    Shape shape = (*program.graph)[state.leaf].shape;
    if (state.grows) {
      for (std::size_t& extent : shape) {
        if (extent != program.count) continue;
        extent = runner.steps_taken();
        break;
      }
    }
    tensors.push_back({{"name", state.name},
                       {"module", compiled.module_name(state.module)},
                       {"shape", shape},
                       {"grows", state.grows}});
  }
  Json state = state_size(runner);
  state["tensors"] = std::move(tensors);
  return state;
}

std::string stepped_input(const Compiled& compiled, const std::string& over) {
  return chosen_input(compiled, find_answer(compiled, [](const std::string&) { return true; }),
                      over);
}

std::optional<Compiled> two_for_one(const Compiled& compiled, const std::string& input) {
  const Shape& shape = compiled.document().inputs.at(input).tensor.shape;
  if (!shape.empty() && shape[0] != 1) return std::nullopt;
  std::optional<Compiled> two = with_a_row_more(compiled, input);
  if (two) check_a_row_more(compiled, *two);
  return two;
}

StepProgram stepwise_or_blamed(const Compiled& compiled, const std::string& input,
                               const std::vector<std::string>& results, bool with_reads) {
  try {
    return stepwise_of(compiled, input, results, with_reads);
  } catch (const Error& error) {
    const auto* const refused = dynamic_cast<const StepRefused*>(&error);
    if (refused != nullptr && helped_by_a_mask(refused->reason)) throw;
    const auto works = [&](const Compiled& other) {
      return !depends_on_row_count(other, input, results) &&
             !steps_of(other, input, results, false).results.empty();
    };
    // Where the row count is to blame, check_row_count has tried every setting.
    const auto setting = refused == nullptr ? responsible_choice(compiled, error.path, works)
                                            : responsible_setting(compiled, error.path, works);
    if (!setting) throw;
    refuse(*setting, error.what());
  }
}

std::string stepwise_text(std::string_view text, const std::string& over) {
  Json document = with_task(parse_json(text));
  const Compiled given = compile_row_by_row(read_document(std::move(document)));
  const std::string input = stepped_input(given, over);
  const auto two = two_for_one(given, input);
  const Compiled& compiled = two ? *two : given;
  const auto answer = find_answer(compiled, [](const std::string&) { return true; });
  StepRunner runner(stepwise_or_blamed(compiled, input, wanted_outputs(compiled, answer)));
  const StepProgram& program = runner.program();
  std::vector<std::vector<real>> whole, outputs;
  for (const SteppedLeaf& one : stepped_leaves(compiled, program))
    whole.push_back(compiled.leaf_data(*one.leaf));
  for (const StepResult& result : program.results)
    outputs.emplace_back(element_count(result.shape));
  const std::size_t count = two ? 1 : program.count;
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t k = 0; k < program.inputs.size(); ++k) {
      const std::span<real> room = runner.row(k);
      if (!room.empty())
        std::copy_n(whole[k].begin() + static_cast<long>(t * room.size()), room.size(),
                    room.begin());
    }
    runner.step();
    for (std::size_t k = 0; k < outputs.size(); ++k)
      put_row(program.results[k], runner.result(k), t, outputs[k]);
  }
  Json json{{"over", input}, {"rows", count}, {"outputs", Json::object()}};
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const auto& [name, shape] = std::tie(program.results[k].name, program.results[k].shape);
    json["outputs"][name] = to_json(shape, outputs[k], given.shape_of(given.find(name)));
  }
  for (const std::string& name : program.fixed) {
    const NodeId one = compiled.find(name);
    json["outputs"][name] =
        to_json(compiled.shape_of(one), (*program.whole)[one], given.shape_of(given.find(name)));
  }
  json["state"] = describe_state(compiled, runner);
  std::vector<NodeId> wanted;
  for (const StepState& state : program.states) wanted.push_back(state.next);
  for (const StepResult& result : program.results) wanted.push_back(result.node);
  const Cost cost = cost_of(*program.graph, needed_for(*program.graph, wanted));
  json["cost"] = {{"multiply_adds", cost.multiply_adds},
                  {"exponentials", cost.exponentials},
                  {"bytes", cost.bytes},
                  {"exact", cost.exact}};
  return json.dump();
}

}  // namespace attend
