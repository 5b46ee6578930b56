// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "catalogue/masking.h"
#include "catalogue/slots.h"

// The general attention module as stages: functions that take the tensors of a module and give them on. pipeline.cpp
// says in which order they come.
namespace attend::stages {

// What every stage reads and none changes: where it records, and what the document chose.
struct Module {
  Assembler& assembler;
  const Choice& choice;

  // Whether the heads stand side by side, as a batch; some only name the module's shape.
  [[nodiscard]] bool splits() const;
  // Null without heads.
  [[nodiscard]] const Heads* heads() const;
  // A dimensionality that makes a score for every feature of the value.
  [[nodiscard]] bool feature_wise() const;
  // The score, where it is one for all features; null otherwise.
  [[nodiscard]] const Choice* score() const;
  // Whether a slot's mechanism, or anything inside it, needs the rows before each row.
  [[nodiscard]] bool is_recurrent(std::string_view slot) const;
  // The slot of the heads that lists an alignment for each of them; empty where there is none.
  [[nodiscard]] std::string_view alignment_of_each_head() const;
};

// The tensors of a module on their way from the query model to the results.
struct Flow {
  Triple ready;      // the rows before any projection,
  Triple whole;      // before the heads project and split them,
  Triple projected;  // after that,
  Triple in;         // and after the slots `value` and `qk` and rotations
  Family family;
  Dimensions before_heads;      // the sizes by which heads size their own parameters
  bool changed = false;         // queries and keys, by those slots and rotations
  std::size_t scored_rows = 0;  // of a score that reads no query
  Var mask = {}, scores = {}, weights = {}, context = {};
  Var stream_weights = {},
      stream_values = {};   // [s m n] and [s n dv], where the heads can join contexts instead
  std::size_t streams = 1;  // of each head, side by side in its query and its key
  bool causal = false;      // of a core in the order of time whose mask would be too large
  std::shared_ptr<Rows> rows = nullptr;  // where rows come one after another

  // Without a query there is one row, or as many as the score brings.
  [[nodiscard]] std::size_t row_count() const;
  // In the steps of a decoder what masks has a row for each of them.
  [[nodiscard]] std::size_t masked_rows() const;
  [[nodiscard]] Dimensions dimensions() const;
  // Heads in one row again, where the two axes of shared keys stand before the last two.
  // `behind`: how many axes follow those of the heads.
  [[nodiscard]] Var in_one_row(Var x, std::size_t behind = 2) const;
  // Names a tensor by its heads in one row; gives it in the form that came in.
  [[nodiscard]] Var named(std::string_view name, Var x, std::size_t behind = 2) const;
};

// The tensors of a module before its first stage. `ready` is the rows before the query model projected them to
// `inputs`.
Flow begin(const Triple& inputs, const Triple& ready, const Family& family);

// Heads (heads.cpp): the projections, then keys that several heads share.
Flow split_heads(const Module& module, Flow flow);
Flow share_keys(const Module& module, Flow flow);
// The heads' own scope: their parameters are sized by what comes in, before it is split.
Scope scope_of_heads(const Module& module, const Flow& flow);
// With the values of each stream, which its weights are to meet; recorded before these.
Flow with_stream_values(const Module& module, Flow flow);
// Scores after heads have mixed them, where they do.
Var mixed_scores(const Module& module, const Flow& flow, Var scores);
// The same of weights; where heads are made of several streams, the flow's queries and keys are those of the heads
// then.
Flow with_joined_weights(const Module& module, Flow flow, Var weights);
// What heads do with their contexts before anything outside of them reads these, such as a norm. Where one is made of
// several streams, the flow's contexts are those of the heads then, and its queries those of their first streams.
Flow with_finished_heads(const Module& module, Flow flow);
Var merged(const Module& module, const Flow& flow, Var heads);

// Between the projections and the scores (projected.cpp).
Flow change_values(const Module& module, Flow flow);
Flow change_queries_and_keys(const Module& module, Flow flow);
Flow turn(const Module& module, Flow flow);

// Scores (scoring.cpp). Of the rows of `q`, or of one of them in a step of `rows`.
Flow score_rows(const Module& module, Flow flow);
Var score_of(const Module& module, const Flow& flow, Var q, Rows* rows);
Var with_positions(const Module& module, const Flow& flow, Var scores, Var q, Rows* rows);
// The scope of the score; module.score() must be there.
Scope scope_of_score(const Module& module, const Flow& flow);

// Positions (placing.cpp).
PositionIn position_in(const Module& module, const Flow& flow, const Choice& choice, Var q,
                       Rows* rows);
// The same with the score's scale.
PositionIn scored_position_in(const Module& module, const Flow& flow, const Choice& choice, Var q,
                              Rows* rows);

// Which pairs may attend (pairs.cpp): the mask items' product with what the score itself rules out, [m n].
Flow mask_pairs(const Module& module, Flow flow);
Masking masking(const Module& module, const Flow& flow);

// Weights (aligning.cpp): into flow.weights, from scores of all rows or of one.
Flow align(const Module& module, Flow flow, Var scores, Var mask, Var q, Rows* rows);

// Context (weighing.cpp).
Var context_of(const Module& module, const Flow& flow, Var weights, Var q, Rows* rows);
// The gate or other model in the slot `aggregate`, of each head.
Var aggregated(const Module& module, const Flow& flow, const std::string& axes);
// [dv .. m n] -> [.. m n dv] where every feature has scores of its own; anything else as it is.
Var by_feature_last(const Module& module, Var x);

// From scores to the context (row_by_row.cpp): all rows at once or, where a part needs the row before, one after
// another.
Flow weigh_rows(const Module& module, Flow flow);
// Where one row is asked for in each step around the module, it is a row of those steps.
Flow with_rows_around(const Module& module, Flow flow);

// A core in place of score, alignment and aggregate (cored.cpp).
Flow through_core(const Module& module, Flow flow);

// What the module has made.
struct Result {
  Var scores, weights, context;  // [h? m n] (or [h? m n dv]), the same, [m dc]
  Var output;                    // what an aggregate made of the context; the context without one
};

// What comes out (results.cpp).
Flow output_inputs(const Module& module, Flow flow);
Result results(const Module& module, const Flow& flow);
Result results_of_core(const Module& module, const Flow& flow);
// Outputs a tensor of heads by its heads in one row.
void output(const Module& module, const Flow& flow, OutputKind kind, Var var,
            const std::string& axes);

}  // namespace attend::stages
