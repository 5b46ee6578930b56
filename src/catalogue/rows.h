// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ops/scan.h"

namespace attend {

// Steps that are being recorded: which one it is, [1 1], of how many.
struct Steps {
  Graph& graph;
  ScanRecorder& recorder;
  Var index;
  std::size_t count;
};

// The rows of a module one after another, where row t needs the rows before it: a scan, whose step
// is one row. While it is recorded, mechanisms ask for the row of a table and for what the row
// before has left; afterwards they may ask what the last row leaves.
class Rows {
 public:
  Rows(Graph& graph, std::size_t count);
  // This row of the steps around it: what it carries on is carried from step to step.
  explicit Rows(const Steps& around);

  [[nodiscard]] std::size_t count() const { return count_; }
  // [1 1], which row this is.
  Var index();
  // This row [.. 1 c] of a table [.. M c]; of a table with one row, that row. Its symbol is the
  // table's with a t below.
  Var row_of(Var table, std::string symbol = "");

  // A state of its own, identified by `key`: `initial` before the first row. `next` says what it is
  // after this row; without that it stays.
  Var state(const std::string& key, const std::string& symbol, Var initial);
  void next(const std::string& key, Var value);
  // Weights [.. 1 n] and context [.. 1 dv] of the row before; of one head where heads stand apart.
  Var weights_before(const std::string& key, Var initial, std::optional<std::size_t> head);
  Var context_before(const std::string& key, Var initial, std::optional<std::size_t> head);

  // Something of each row that is to be seen outside: `use` gets all of them [T ..].
  void afterwards(Var value, std::function<void(Var all, Var whole)> use);

  // Ends the rows: what this row attends with and to. Gives all rows of the values that are to be
  // put together, [.. 1 c] -> [.. T c].
  std::vector<Var> finish(Var weights, Var context, const std::vector<Var>& values);

 private:
  enum class Kind { own, weights, context };
  struct State {
    Var var;  // before the row; after the rows, after the last
    Kind kind;
    std::optional<std::size_t> head;
  };
  Var state(const std::string& key, const ScanOperand& initial, Kind kind,
            std::optional<std::size_t> head);

  Graph& graph_;
  std::size_t count_;
  std::optional<ScanRecorder> own_;
  ScanRecorder* steps_;             // its own, or those around it; null after the last row
  Var index_;                       // of the steps around it
  std::vector<std::string> order_;  // of the states' keys
  std::map<std::string, State> states_;
  std::map<NodeId, Var> tables_;  // rows in front, by the table
  std::vector<std::pair<Var, std::function<void(Var, Var)>>> later_;
};

// What one mechanism sees of the rows before.
struct Past {
  Rows& rows;
  std::string key;  // the mechanism's place in the document
  std::optional<std::size_t> head = std::nullopt;

  // Of the row before; before the first row what is given, [.. 1 n] and [.. 1 dv].
  [[nodiscard]] Var weights(Var initial) const {
    return rows.weights_before(key + " weights", initial, head);
  }
  [[nodiscard]] Var context(Var initial) const {
    return rows.context_before(key + " context", initial, head);
  }
  // What the mechanism itself carries on.
  [[nodiscard]] Var state(const std::string& symbol, Var initial) const {
    return rows.state(key + " " + symbol, symbol, initial);
  }
  void keep(const std::string& symbol, Var next) const { rows.next(key + " " + symbol, next); }
};

// Head `head` of [.. h rows columns], without an axis of heads.
Var one_head(Var x, std::size_t head);

}  // namespace attend
