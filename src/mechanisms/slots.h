// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mechanisms/builder.h"

// What the build of each kind of mechanism is handed. m queries, n keys; [..] is the batch:
// nothing, heads, or features and heads.
namespace attend {

// What earlier rows left, for mechanisms whose row t needs the rows before it.
struct History {
  std::vector<Var> weights;          // [.. 1 n], one a row done
  std::vector<Var> contexts;         // [.. 1 dv]
  std::map<std::string, Var> state;  // whatever a mechanism carries on, by a name of its own
};

struct ScoreIn : BuildIn {
  Var q, k, v;  // [.. m dq] (one row when recurrent) [.. n dk] [.. n dv]; q is empty where no query
                // is read
  std::size_t first_row = 0;   // the row of q's first row
  History* history = nullptr;  // recurrent only

  // For scores that compare coordinate with coordinate: Error unless queries and keys are as wide.
  void need_same_width() const;
};

struct AlignmentIn : BuildIn {
  Var scores;     // [.. m n]
  Var mask;       // [m n] of 0 and 1, or empty: every key is allowed
  Triple inputs;  // what entered the score
  std::size_t first_row = 0;
  History* history = nullptr;

  // The queries; Error when the module reads none.
  [[nodiscard]] Var query() const;
  // [m 1] the index of each row, [n] the index of each key.
  [[nodiscard]] Var row_index() const;
  [[nodiscard]] Var key_index() const { return iota(graph(), scores.extent(-1)); }
  // The mask and a further condition [.. m n], both of 0 and 1.
  [[nodiscard]] Var and_mask(Var condition) const { return mask ? mask * condition : condition; }
};

struct MaskIn : BuildIn {
  std::size_t m, n;

  [[nodiscard]] Var rows() const { return iota(graph(), m, 2); }  // [m 1]
  [[nodiscard]] Var columns() const { return iota(graph(), n); }  // [n]
};

struct PositionIn : BuildIn {
  Triple inputs;           // what enters the score; empty while rows are encoded
  double score_scale = 1;  // of the score that the term joins
  std::size_t first_row = 0;
};

struct QueryIn : BuildIn {
  std::function<Var(Var)> encode;  // adds the position encodings to rows
  bool projected_by_heads = false;

  // The input of a role with its encodings, empty when the document has none.
  [[nodiscard]] Var encoded(std::string_view role_name) const;
};

struct HeadsIn : BuildIn {};

struct DimensionalityIn : BuildIn {
  Triple inputs;
};

struct StructureIn : BuildIn {
  // The one result of an efficient or a vision mechanism, which answers to `context` and to
  // `output` alike.
  void result(Var context, const std::string& axes) const;
};

}  // namespace attend
