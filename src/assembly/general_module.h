// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "catalogue/masking.h"
#include "catalogue/slots.h"

namespace attend {

// Whether the choice, or anything inside it, needs the rows before each row.
bool is_recurrent(const Choice& choice);

// What the module has made.
struct ModuleResult {
  Var scores, weights, context;  // [h? m n] (or [h? m n dv]), the same, [m dc]
  Var output;                    // what an aggregate made of the context; the context without one
};

// The general attention module while it is being recorded. Its stages stand in files of their own;
// pipeline.cpp says in which order they come.
class GeneralModule {
 public:
  // `ready` is the rows before the query model projected them to `inputs`.
  GeneralModule(Assembler& assembler, const Choice& choice, const Triple& inputs,
                const Triple& ready, Family family)
      : b_(assembler),
        choice_(choice),
        ready_(ready),
        whole_(inputs),
        projected_(inputs),
        in_(inputs),
        family_(family) {}

  ModuleResult run();

 private:
  ModuleResult results();
  void output_inputs();
  // What recurrent rows end with, where the score says it.
  void output_state(const std::string& front);

  // What the stages ask (general_module.cpp).
  // Whether the heads stand side by side, as a batch; some only name the module's shape.
  [[nodiscard]] bool splits() const;
  // Without a query there is one row, or as many as the score brings.
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] Dimensions dimensions() const;
  bool is_recurrent_slot(std::string_view slot);
  // A dimensionality that makes a score for every feature of the value.
  [[nodiscard]] bool feature_wise() const;
  [[nodiscard]] std::string_view mixed_alignments() const;
  // [dv .. m n] -> [.. m n dv]; anything else as it is.
  Var by_feature_last(Var x);

  // Heads (heads.cpp).
  // The heads' own parameters are sized by what comes in, before it is split; the family axis is
  // part of their shapes.
  Scope head_in(const Choice& heads);
  void split();
  // What heads do beside the projections; null without heads.
  [[nodiscard]] const Heads* heads_record() const;
  // Brings queries, keys and values into the form of shared keys where there are fewer key heads.
  void share_keys();
  // Scores and weights after heads have mixed them, where they do.
  Var mixed_scores(Var e);
  Var joined_weights(Var a);
  // Heads in one row again, where the two axes of shared keys stand before the last two.
  [[nodiscard]] Var in_one_row(Var x) const;
  // Names a tensor by its heads in one row; gives it in the form that came in.
  Var named(std::string_view name, Var x) const;
  void output(OutputKind kind, Var var, const std::string& axes);
  Var merged(Var heads);

  // Between the projections and the scores (projected.cpp).
  // The scope of a slot whose parameters serve all heads.
  Scope enter_for_all_heads(const Choice& choice);
  void change_projected();
  void rotate();

  // Scores (scoring.cpp).
  // A score with rows of its own leaves nothing for the query to do.
  void drop_query_beside(Var e);
  // Heads that split nothing may name a size of the score, the filters of a convolution; what the
  // score makes of it holds for both.
  Scope enter_score(const Choice& choice);
  Var score(Var q, Rows* rows);
  PositionIn position_in(const Choice& choice, Var q, Rows* rows);
  // The same with the score's scale.
  PositionIn scored_position_in(const Choice& choice, Var q, Rows* rows);
  Var positioned(Var e, Var q, Rows* rows);
  // A query-independent score has one row, which serves all queries; one without heads serves all
  // heads.
  [[nodiscard]] Var for_every_row(Var e) const;
  // The mask items' product with what the score itself rules out, [m n].
  Var build_mask();
  Var score_state();
  [[nodiscard]] Masking masking() const;
  [[nodiscard]] std::size_t masked_rows() const;

  // Weights (aligning.cpp).
  // What an alignment is handed besides its own parameters.
  struct ToAlign {
    Var scores, mask;
    Triple inputs;
    Rows* rows;
    std::optional<std::size_t> head;
  };
  Var align(Var e, Var mask, Var q, Rows* rows);
  Var align_with(const Choice& choice, const ToAlign& to, const Family& family);
  // Head by head, each with the alignment of its place in the list.
  Var align_each_head(const ToAlign& all);

  // Context (weighing.cpp).
  Var aggregate(Var weights, Var q, Rows* rows);
  // The gate or other model in the slot `aggregate`, of each head.
  Var aggregated(const std::string& axes);

  // A core in place of score, alignment and aggregate (cored.cpp).
  ModuleResult through_core();
  [[nodiscard]] bool is_causal(const Scope& core) const;
  void output_maps(const Weighing& weighing, Var implied);

  // Rows one after another (row_by_row.cpp).
  // An alignment that weighs all rows together has no meaning where rows come one by one.
  static void refuse_all_rows(const Choice& choice);
  Rows* rows_around();
  // One step of a scan is one row.
  void row_by_row();

  Assembler& b_;
  const Choice& choice_;
  Triple ready_;      // the rows before any projection,
  Triple whole_;      // before the heads project and split them,
  Triple projected_;  // after that,
  Triple in_;         // and after the slots `value` and `qk` and rotations
  Family family_;
  Dimensions head_dimensions_;
  bool head_dimensions_set_ = false;
  std::size_t scores_rows_ = 0;
  Var mask_, scores_, weights_, context_;
  std::optional<Rows> rows_;  // where they come one after another
};

}  // namespace attend
