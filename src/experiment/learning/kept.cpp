// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/kept.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "experiment/learning/learn_program.h"
#include "experiment/learning/stepwise.h"
#include "experiment/recording/row_count.h"
#include "ops/error.h"

namespace attend {
namespace {

// A tensor that is held: all of it, or so many of its rows.
struct Held {
  std::string name, module;
  std::size_t numbers = 0;  // of all of it, or of one row
  std::vector<std::size_t> rows = {};
  std::size_t back = 0;   // of one row that came so many words before
  std::string made = {};  // where it has no name: the first tensor with a name that is made of it
  std::string from =
      {};  // where what grows has no name: the last tensor with a name that it is made of
};

// How many rows are held once each row has been computed: those that it or a later one may read. Room that was needed
// once stays.
std::vector<std::size_t> rows_held(const Marks& reads, std::size_t count) {
  std::vector<std::size_t> held(count);
  std::vector<bool> wanted(count, false);
  for (std::size_t t = count; t-- > 0;) {
    for (std::size_t j = 0; j <= t; ++j) wanted[j] = wanted[j] || reads[t * count + j] != 0;
    held[t] = static_cast<std::size_t>(
        std::count(wanted.begin(), wanted.begin() + static_cast<long>(t) + 1, true));
  }
  for (std::size_t t = 1; t < count; ++t) held[t] = std::max(held[t], held[t - 1]);
  return held;
}

// The step of the last result that has one, and that result's name.
std::pair<StepProgram, std::string> last_step(const Compiled& compiled, const std::string& input) {
  const Directory& directory = compiled.directory();
  constexpr std::array order{MainResult::output, MainResult::context};
  std::vector<std::string> names;
  if (const KnownTensor* main = directory.main_result(order)) names.push_back(main->record->name);
  for (std::size_t at = directory.modules().size(); at-- > 0;) {
    if (const KnownTensor* main = directory.main_result(at, order))
      names.push_back(main->record->name);
  }
  for (const std::string& name : names) {
    try {
      return {stepwise_of(compiled, input, {name}, true), name};
    } catch (const Error&) {
      continue;
    }
  }
  if (names.empty()) refuse("", "the document has no result with a row for each word");
  return {stepwise_or_blamed(compiled, input, {names.front()}, true), names.front()};
}

// Finds the outputs of a module from whose rows others of its tensors can be computed again.
class Makers {
 public:
  Makers(const Compiled& compiled, const StepProgram& program)
      : graph_(compiled.graph()), by_row_(program.by_row), depends_(graph_.size(), false) {
    for (const StepInput& input : program.inputs) depends_[input.source] = true;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      const auto& inputs = graph_[id].inputs;
      depends_[id] = depends_[id] || std::any_of(inputs.begin(), inputs.end(),
                                                 [&](NodeId in) { return depends_[in]; });
    }
    for (const KnownTensor& output : compiled.outputs())
      if (output.record->module) outputs_[*output.record->module].insert(output.node);
  }

  // Nothing where some of it comes from elsewhere.
  [[nodiscard]] std::optional<std::set<NodeId>> of(const std::vector<NodeId>& kept,
                                                   std::uint32_t module) const {
    const auto known = outputs_.find(module);
    if (known == outputs_.end()) return std::nullopt;
    std::set<NodeId> makers, seen;
    std::vector<NodeId> open;
    for (const NodeId id : kept) {
      if (!by_row_[id]) return std::nullopt;
      open.insert(open.end(), graph_[id].inputs.begin(), graph_[id].inputs.end());
    }
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (!depends_[id] || !seen.insert(id).second) continue;
      if (known->second.contains(id)) {
        makers.insert(id);
        continue;
      }
      if (!by_row_[id]) return std::nullopt;
      open.insert(open.end(), graph_[id].inputs.begin(), graph_[id].inputs.end());
    }
    return makers;
  }

  // The last tensor with a name that a node is made of in its module; empty where there is none. What is the same
  // for all words, such as the angles of positions, says nothing of what the node is.
  [[nodiscard]] std::string last_named(NodeId node) const {
    std::set<NodeId, std::greater<>> open{node};
    while (!open.empty()) {
      const Node& last = graph_[*open.begin()];
      open.erase(open.begin());
      if (last.module != graph_[node].module || !depends_[last.id]) continue;
      if (!last.name.empty()) return last.name;
      open.insert(last.inputs.begin(), last.inputs.end());
    }
    return "";
  }

 private:
  const Graph& graph_;
  const std::vector<bool>& by_row_;
  std::vector<bool> depends_;
  std::map<std::size_t, std::set<NodeId>> outputs_;
};

// What grows in one module: as it is read, or as fewer numbers.
std::vector<Held> growing(const Compiled& compiled, const StepProgram& program,
                          const std::vector<const StepState*>& states, const Makers& makers) {
  const std::uint32_t module = states.front()->module;
  const std::string name = compiled.module_name(module);
  const auto of_row = [&](NodeId id) {
    return element_count(compiled.graph()[id].shape) / program.count;
  };
  std::vector<Held> held;
  std::vector<NodeId> kept;
  std::size_t sum = 0;
  Marks reads(program.count * program.count, 0);
  for (const StepState* state : states) {
    held.push_back(
        {state->name, name, of_row(state->source), rows_held(state->reads, program.count)});
    if (state->name.empty()) held.back().from = makers.last_named(state->source);
    kept.push_back(state->source);
    sum += held.back().numbers;
    for (std::size_t at = 0; at < reads.size(); ++at) reads[at] |= state->reads[at];
  }
  const auto made_of = makers.of(kept, module);
  if (!made_of) return held;
  std::vector<Held> fewer;
  std::size_t smaller = 0;
  for (const KnownTensor& output : compiled.outputs()) {
    if (output.record->module != module || !made_of->contains(output.node)) continue;
    fewer.push_back(
        {output.record->name, name, of_row(output.node), rows_held(reads, program.count)});
    smaller += fewer.back().numbers;
  }
  return !fewer.empty() && smaller < sum ? fewer : held;
}

// The first tensor with a name that is computed from a node in its module; empty where there is none.
std::string first_named_after(const Graph& graph, NodeId from, std::uint32_t module) {
  std::vector<bool> reached(graph.size(), false);
  reached[from] = true;
  for (NodeId id = from + 1; id < graph.size(); ++id) {
    const Node& node = graph[id];
    reached[id] = node.module == module && std::any_of(node.inputs.begin(), node.inputs.end(),
                                                       [&](NodeId in) { return reached[in]; });
    if (reached[id] && !node.name.empty()) return node.name;
  }
  return "";
}

std::vector<Held> held_by(const Compiled& compiled, const StepProgram& program) {
  std::vector<Held> held;
  std::map<std::uint32_t, std::vector<const StepState*>> by_module;
  for (const StepState& state : program.states) {
    if (state.grows) {
      by_module[state.module].push_back(&state);
      continue;
    }
    held.push_back({state.name, compiled.module_name(state.module),
                    element_count((*program.graph)[state.leaf].shape)});
    held.back().back = state.back;
    if (state.back > 0 && state.name.empty())
      held.back().made = first_named_after(compiled.graph(), state.source, state.module);
  }
  const Makers makers(compiled, program);
  for (const auto& [module, states] : by_module) {
    for (Held& one : growing(compiled, program, states, makers)) held.push_back(std::move(one));
  }
  return held;
}

}  // namespace

std::string kept_text(std::string_view text, const std::string& over) {
  Json document = with_task(parse_json(text));
  for (const char* name : {"outputs", "gradient"}) document.erase(name);
  const Compiled given = compile_row_by_row(read_document(std::move(document)));
  const std::string input = stepped_input(given, over);
  const auto two = two_for_one(given, input);
  const Compiled& compiled = two ? *two : given;
  const auto [program, until] = last_step(compiled, input);
  const std::size_t count = two ? 1 : program.count;
  std::vector<std::size_t> numbers(count, 0), bytes;
  Json tensors = Json::array();
  std::vector<Held> all = held_by(compiled, program);
  for (Held& one : all) {
    if (!one.rows.empty()) one.rows.resize(count);
    for (std::size_t t = 0; t < count; ++t)
      numbers[t] += one.rows.empty() ? one.numbers : one.numbers * one.rows[t];
    tensors.push_back({{"name", one.name},
                       {"module", one.module},
                       {"numbers", one.numbers},
                       {"grows", !one.rows.empty()}});
    if (!one.rows.empty()) tensors.back()["rows"] = one.rows;
    if (one.back > 0) tensors.back()["back"] = one.back;
    if (!one.made.empty()) tensors.back()["for"] = one.made;
    if (!one.from.empty()) tensors.back()["from"] = one.from;
  }
  for (const std::size_t one : numbers) bytes.push_back(one * sizeof(real));
  return Json{{"over", input},      {"until", until}, {"rows", count},
              {"numbers", numbers}, {"bytes", bytes}, {"tensors", std::move(tensors)}}
      .dump();
}

}  // namespace attend
