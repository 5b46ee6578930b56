// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "ops/graph.h"
#include "ops/values.h"

namespace attend {

// Which rows each entry of an axis of keys is made of: block c of two keys of rows 2c and 2c + 1, key j of row j.
struct Reach {
  std::vector<std::size_t> first, last;

  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  void add(std::size_t from, std::size_t to) {
    first.push_back(from);
    last.push_back(to);
  }
  // Of what depends on no row, and of what is known like the keys that come later.
  void add_fixed() { add(never, 0); }
  void add_never() { add(never, never); }
  bool operator==(const Reach&) const = default;
};
using SharedReach = std::shared_ptr<const Reach>;  // null: entry j is made of row j

// The numbers that a query has where rows that it cannot know yet would count, where that is one number: at keys of
// later rows, and at blocks that are there in part. Of single keys both are the same.
struct Beyond {
  std::optional<double> later = {}, partly = {};

  static Beyond all(std::optional<double> number) { return {number, number}; }
  [[nodiscard]] bool known() const { return later && partly; }
  [[nodiscard]] bool is(double number) const { return later == number && partly == number; }
};

// What a tensor of a program is to one step of it.
struct RowValue {
  enum class Kind {
    fixed,  // depends on no row
    rows,   // has one axis of rows, of which the step computes its own
    pairs,  // has an axis of queries, of which the step computes its row, and one of keys behind it, which is whole
    keys,   // has an axis of keys, all of them, each made of some rows; no axis of queries
    parts,  // the flat result of a scan
    shifted,  // rows with fixed ones in front, or without the last ones: only a slice or a join may read it
  };
  Kind kind = Kind::fixed;
  std::size_t row = 0, key = 0;  // axes, from the front
  SharedReach reach = {};        // of the axis of keys
  std::size_t lead = 0;  // of pairs: columns in front of the keys that are no keys, such as a sink
  std::size_t fixed_rows = 0;  // of shifted rows: how many fixed ones are in front
  NodeId base = 0, front = 0;  // of shifted rows: the tensor whose rows follow, and the fixed ones
  // Of pairs: what is known of keys that the query cannot see. Of rows where it is known: the columns along `key` that
  // lie behind the row, as in a choice of keys without the later ones.
  Beyond beyond = {};
  Var var = {};                  // in the step's graph; none of what is fixed or parts
  std::vector<Var> parts = {};   // of a scan: the states after the step, then its outputs
  std::vector<Var> before = {};  // of a scan: the states before the step
  bool kept = false;  // the states of a scan, with the one before the first step in front

  [[nodiscard]] bool depends() const { return kind != Kind::fixed; }
  [[nodiscard]] bool has_columns() const { return kind == Kind::rows && beyond.known(); }
};

// An axis of keys as an operation reads it: counted from the end (0: none), with so many entries. The first `lead` of
// them are no keys.
struct KeyAxis {
  std::size_t from_end = 0, extent = 0, lead = 0;
  SharedReach reach = {};
};

// The numbers that all keys behind a query share in a tensor with axes of queries and keys; of a tensor without these
// axes the number that all its cells share.
Beyond beyond_of(const Shape& shape, Numbers numbers, std::size_t row_from_end,
                 const KeyAxis& keys);

// The same of a primitive that computes each cell from one cell of each operand.
std::optional<double> beyond_of(const Node& node, const std::vector<std::optional<double>>& in);
Beyond beyond_of(const Node& node, const std::vector<Beyond>& in);

// What is known of entries with one reach, for an axis whose entries have another: none of theirs that is not there
// yet may have been there by the first.
Beyond seen_through(const Beyond& beyond, const SharedReach& own, const SharedReach& other,
                    std::size_t extent);

// The rows of entry j.
std::size_t first_row(const SharedReach& reach, std::size_t j);
std::size_t last_row(const SharedReach& reach, std::size_t j);
// Null where each entry is made of the row of its number.
SharedReach shared(Reach reach);

// Where an axis of `extent` entries of one shape is in another that has the same numbers in the same order.
std::optional<std::size_t> axis_after_reshape(const Shape& from, std::size_t axis, const Shape& to);
// The axis that starts where the other did, of more or fewer entries; and the rows of its entries, which may be cut or
// joined.
std::optional<std::size_t> axis_split_by_reshape(const Shape& from, std::size_t axis,
                                                 const Shape& to);
SharedReach reach_after_reshape(const SharedReach& reach, std::size_t from, std::size_t to);

}  // namespace attend
