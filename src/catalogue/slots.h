// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/rows.h"
#include "catalogue/scope.h"
#include "ops/intent.h"

// What the build of each kind of mechanism is handed. m queries, n keys; [..] is the batch:
// nothing, heads, or features and heads.
namespace attend {

struct ScoreIn : Scope {
  Var q, k, v;  // [.. m dq] (one row when recurrent) [.. n dk] [.. n dv]; q is empty where no query
                // is read
  Rows* rows = nullptr;  // where rows come one after another
  bool changed = false;  // q and k were turned or normed after they were projected

  // What earlier rows left; Error where all rows are scored at once.
  [[nodiscard]] Past past() const;
  // [.. 1 n] and [.. 1 dv] in the batch of the keys, repeated from `one` row.
  [[nodiscard]] Var weights_like(Var one) const;
  [[nodiscard]] Var no_context() const;
  // For scores that compare coordinate with coordinate: Error unless queries and keys are as wide.
  void need_same_width() const;
  // q k^T [.. m n]. It is named after queries and keys, unless these were changed: then a formula reads what they
  // became.
  [[nodiscard]] Var product() const;
  // The rows of an input that go with q's rows: [m d], or its one row for all.
  [[nodiscard]] Var rows_of(Var input) const;
  // The score in slot `base`, with another query; `instead` replaces its parameters.
  [[nodiscard]] Var base(Var query, std::map<std::string, Var, std::less<>> instead = {}) const;
};

struct AlignmentIn : Scope {
  Var scores;            // [.. m n]
  Var mask;              // [m n] of 0 and 1, or empty: every key is allowed
  Triple inputs;         // what entered the score
  Rows* rows = nullptr;  // where rows come one after another
  std::optional<std::size_t> head = std::nullopt;  // where heads align apart

  // What earlier rows left; Error where all rows are aligned at once.
  [[nodiscard]] Past past() const;
  // What this alignment says of its rows [.. m]: an output of that name.
  void output_rows(OutputKind kind, Var rows) const;
  // The queries; Error when the module reads none.
  [[nodiscard]] Var query() const;
  // [m 1] the index of each row, [n] the index of each key.
  [[nodiscard]] Var row_index() const;
  [[nodiscard]] Var key_index() const { return iota(graph(), scores.extent(-1)); }
  // The mask and a further condition [.. m n], both of 0 and 1.
  [[nodiscard]] Var and_mask(Var condition) const { return mask ? mask * condition : condition; }
  // The rows of a table [.. M n] or [.. 1 n] that go with these scores.
  [[nodiscard]] Var rows_of(Var table) const;
  // The weights of the alignment in slot `base`.
  [[nodiscard]] Var base() const;
};

// Masks serve all heads: they see the module's rows before the heads split them.
struct MaskIn : Scope {
  std::size_t m, n;         // n counts the memory rows too
  Triple inputs;            // [m dq] [n dk] [n dv]
  Rows* one_row = nullptr;  // energies and weights come row by row when the module is recurrent

  [[nodiscard]] Var rows() const { return iota(graph(), m, 2); }  // [m 1] positions of the queries
  // [n] positions of the keys: rows of a memory lie before 0.
  [[nodiscard]] Var columns() const;
  // States what the pairs [m n] are, in the positions that rows() and columns() give.
  Var stated(Var pairs, MaybeIntent intent, const std::vector<Var>& operands = {}) const;
  // The rows of a table [M n] or [1 n] that go with `part`, energies or weights [.. m' n].
  [[nodiscard]] Var rows_of(Var table, Var part) const;
  // The mask in slot `base`, [m n].
  [[nodiscard]] Var base() const;
};

// Which part of a sparse pattern the knob `part` of a mask or a core names.
Intent::Part sparse_part(const Scope& in);

struct PositionIn : Scope {
  Triple inputs;         // what enters the score; empty while rows are encoded
  Var score_scale;       // of the score that the term joins; empty where no score is at hand
  Rows* rows = nullptr;  // where rows come one after another
  Triple whole = {};     // the module's rows before any projection: [m dx] [n dx] [n ..]

  // How many query rows the module has in all.
  [[nodiscard]] std::size_t row_count() const;
  // The rows of a table [.. M n] or [.. 1 n] that go with `scores`.
  [[nodiscard]] Var rows_of(Var table, Var scores) const;
  // A table for each head [h ..] in the form of the scores; any other as it is.
  [[nodiscard]] Var for_heads(Var table) const;
  // [m 1] the position of each query row, [n] of each key (memory rows before 0).
  [[nodiscard]] Var row_index() const;
  [[nodiscard]] Var key_index() const;
  // A bias [.. m n] that depends on j - i alone, by query i and key j. Fast kernels read it as a table of all gaps,
  // which `table` computes: the same without names. Empty: `of` has none.
  using OfPair = std::function<Var(Var i, Var j)>;
  [[nodiscard]] Var by_gap(const OfPair& of, const OfPair& table = {}) const;
  // States that a term of the scores is p_i . R_c with c = clip(j - i + shift, 0, r - 1), by the positions of query i
  // and key j, plus a number of each key if there is a third operand. `kernel` are p [.. m e], R [.. r e] and that
  // number [.. 1 n], recorded before the term; `reads` are tensors which the term is computed from.
  [[nodiscard]] Var relative(Var term, double shift, std::vector<Var> kernel,
                             const std::vector<Var>& reads) const;
  // The same for a context, a product of weights and values, to which weights times V_c were added.
  [[nodiscard]] Var relative_values(Var sum, double shift, Var context, Var weights, Var V) const;

 private:
  [[nodiscard]] std::ptrdiff_t shift_of_rows(double shift) const;
};

class Preparation;

struct QueryIn : Scope {
  Preparation& prepare;
  bool projected_by_heads = false;

  // The rows that attend, from the rows as given: key model, token masks, position encodings. An
  // An empty v means the keys' own rows.
  [[nodiscard]] Triple ready(Triple given) const;
};

struct KeyIn : Scope {};

// Slots behind the heads' projections. Parameters serve all heads; h heads of queries, G of keys.
struct QkIn : Scope {};
struct ValueIn : Scope {};

struct HeadsIn : Scope {
  Triple whole;         // before the split: [m dq] [n dk] [n dv]
  Var mask;             // [m n] or empty; when the heads are merged
  bool causal = false;  // without a mask: whether each query sees the keys up to its own alone
};

struct DimensionalityIn : Scope {
  Triple inputs;
};

struct AggregateIn : Scope {
  Triple inputs;         // [.. m dq] [.. n dk] [.. n dv]; q and k before `qk` and rotations
  Var weights, context;  // [.. m n] [.. m dv]
  std::string axes;      // in front of m: "h " in heads, for outputs
  Triple whole = {};     // the module's rows before any projection: q [m dx]
};

struct OutputIn : Scope {
  Var features;          // [m df], the rows that ask, with their encodings; may be empty
  Var weights, context;  // [h? m n] [m dc]
};

struct PenaltyIn : Scope {
  Var query;                     // [.. m dq], may be empty
  Var weights, values, outputs;  // [h? m n] [h? n dv] [h? m dv], of each head
};

// How a core weighs values.
struct Weighing {
  std::function<Var(Var v)> context;  // [.. n dv] -> [.. m dv], linear in v
  Var weights = {};                   // the output `weights`; empty: the context at V = I
  std::string_view columns = "n";     // the symbol of its columns
  bool probabilities = true;          // whether each row's weights are positive and sum to 1
  // [.. dv m n], where every feature of the values has a map of its own. Empty: one map for all.
  std::function<Var()> maps = {};
};

// What the records of cores have in common.
inline const List<Role> core_roles = {
    {"query", "m p"}, {"key", "n p", false, "query"}, {"value", "n dv", false, "key"}};
inline const List<std::string_view> causal_mask = {"mask-causal"};
inline const List<Coordinate> core_coordinates = {{"alignment", "global"}};

struct CoreIn : Scope {
  Var q, k;             // [.. m p] [.. n p]; [..] is nothing, or heads
  bool causal = false;  // by its knob, or by the mask
  Triple whole = {};    // the module's rows before any projection: q [m dxq] k [n dx]
  // r keys come with each query: the last key that query i sees is i r + r - 1.
  std::size_t keys_per_query = 1;
  Rows* rows = nullptr;  // where the module is asked for one row of the steps around it

  [[nodiscard]] std::size_t m() const { return q.extent(-2); }
  [[nodiscard]] std::size_t n() const { return k.extent(-2); }
  [[nodiscard]] std::size_t p() const { return q.extent(-1); }
  // [m 1] the index of each query, [n] of each key.
  [[nodiscard]] Var row_index() const;
  [[nodiscard]] Var key_index() const { return iota(graph(), n()); }
  // [m n] of 0 and 1: 1 where no key comes after its query.
  [[nodiscard]] Var past_pairs() const;
  // States what the pairs [.. m n] are, in the positions of queries and keys. Of one row of the steps around it nothing
  // is stated, because that row is at another place each time.
  [[nodiscard]] Var stated(Var pairs, MaybeIntent intent,
                           const std::vector<Var>& operands = {}) const;
  // For cores that compare coordinate with coordinate: Error unless queries and keys are as wide.
  void need_same_width() const;
  // For cores that see one sequence twice: Error unless there are as many keys as queries.
  void need_same_length(const std::string& why) const;
};

}  // namespace attend
