// SPDX-License-Identifier: Apache-2.0
#include "catalogue/rows.h"

#include <numeric>

#include "ops/compose.h"
#include "ops/error.h"
#include "ops/text.h"

namespace attend {
namespace {

// [.. M c] -> [M .. 1 c]: the axis of rows becomes that of time.
Var rows_in_front(Var x) {
  const std::size_t rank = x.rank();
  std::vector<long> axes{static_cast<long>(rank) - 2};
  for (std::size_t i = 0; i + 2 < rank; ++i) axes.push_back(static_cast<long>(i));
  axes.push_back(static_cast<long>(rank) - 1);
  return expand(rank > 2 ? permute(x, axes) : x, -2);
}

// The name of a tensor, or of the tensor that it only rearranges.
std::string symbol_behind(Var x) {
  while (x.node().name.empty() && x.node().inputs.size() == 1)
    x = x.graph().var(x.node().inputs[0]);
  return x.node().name.empty() ? "r" : x.node().name;
}

// [T .. 1 c] -> [.. T c].
Var rows_in_place(Var x) {
  const Var flat = squeeze(x, -2);
  const std::size_t rank = flat.rank();
  if (rank == 2) return flat;
  std::vector<long> axes;
  for (std::size_t i = 1; i + 1 < rank; ++i) axes.push_back(static_cast<long>(i));
  axes.push_back(0);
  axes.push_back(static_cast<long>(rank) - 1);
  return permute(flat, axes);
}

}  // namespace

Var one_head(Var x, std::size_t head) {
  const auto axis = static_cast<long>(x.rank()) - 3;
  return squeeze(slice(x, axis, head, head + 1), axis);
}

Rows::Rows(Graph& graph, std::size_t count) : graph_(graph), count_(count), steps_(nullptr) {
  steps_ = &own_.emplace(graph, count);
}

Rows::Rows(const Steps& around)
    : graph_(around.graph), count_(around.count), steps_(&around.recorder), index_(around.index) {}

Var Rows::index() { return index_ ? index_ : row_of(iota(graph_, count_, 2), "t"); }

Var Rows::row_of(Var table, std::string symbol) {
  if (steps_ == nullptr || table.extent(-2) == 1) return table;
  if (table.extent(-2) != count_) {
    refuse("a table of " + std::to_string(table.extent(-2)) +
           " rows was given, but it is read row by row and needs " + std::to_string(count_) +
           " rows");
  }
  Var& turned = tables_[table.id()];
  if (!turned) turned = rows_in_front(table);
  if (symbol.empty()) symbol = lowered({symbol_behind(table)}, "t");
  return steps_->row({symbol, turned});
}

Var Rows::state(const std::string& key, const ScanOperand& initial, Kind kind,
                std::optional<std::size_t> head) {
  const auto known = states_.find(key);
  if (known != states_.end()) return known->second.var;
  if (steps_ == nullptr) refuse("after the last row no new state can be added");
  const Var var = steps_->state(initial);
  order_.push_back(key);
  states_[key] = {var, kind, head};
  return var;
}

Var Rows::state(const std::string& key, const std::string& symbol, Var initial) {
  return state(key, {symbol + "_{t-1}", initial}, Kind::own, std::nullopt);
}

void Rows::next(const std::string& key, Var value) {
  if (steps_ != nullptr) steps_->next(states_.at(key).var, value);
}

Var Rows::weights_before(const std::string& key, Var initial, std::optional<std::size_t> head) {
  return state(key, {"a_{t-1}", initial}, Kind::weights, head);
}

Var Rows::context_before(const std::string& key, Var initial, std::optional<std::size_t> head) {
  return state(key, {"c_{t-1}", initial}, Kind::context, head);
}

void Rows::afterwards(Var value, std::function<void(Var all, Var whole)> use) {
  later_.emplace_back(value, std::move(use));
}

std::vector<Var> Rows::finish(Var weights, Var context, const std::vector<Var>& values) {
  for (auto& [key, state] : states_) {
    if (state.kind == Kind::own) continue;
    const Var done = state.kind == Kind::weights ? weights : context;
    steps_->next(state.var, state.head ? one_head(done, *state.head) : done);
  }
  if (!own_) {  // one row of others' steps, which say themselves what is to be seen
    steps_ = nullptr;
    return values;
  }
  for (const Var& value : values) steps_->output(value);
  for (const auto& [value, use] : later_) steps_->output(value);
  const Scanned all = steps_->finish();
  own_.reset();
  steps_ = nullptr;
  for (std::size_t k = 0; k < order_.size(); ++k) states_.at(order_[k]).var = all.last[k];
  for (std::size_t k = 0; k < later_.size(); ++k)
    later_[k].second(all.outputs[values.size() + k], all.whole);
  std::vector<Var> rows;
  for (std::size_t k = 0; k < values.size(); ++k) rows.push_back(rows_in_place(all.outputs[k]));
  return rows;
}

}  // namespace attend
