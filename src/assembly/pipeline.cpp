// SPDX-License-Identifier: Apache-2.0
#include "assembly/pipeline.h"

#include "assembly/general_module.h"
#include "catalogue/penalties.h"
#include "catalogue/preparation.h"

namespace attend {

ModuleResult GeneralModule::run() {
  if (in_.v.extent(-2) != in_.k.extent(-2)) {
    refuse("there are " + std::to_string(in_.k.extent(-2)) + " keys, but " +
           std::to_string(in_.v.extent(-2)) + " values");
  }
  if (splits()) split();
  if (!is_recurrent_slot("score")) {
    const Var e = score(in_.q, nullptr);
    drop_query_beside(e);
    scores_ = let("E", for_every_row(positioned(e, in_.q, nullptr)));
  }
  output_inputs();
  mask_ = build_mask();
  if (mask_) b_.output(choice_, out::mask, mask_, "m n");
  if (is_recurrent_slot("score") || is_recurrent_slot("alignment") || is_recurrent_slot("heads")) {
    row_by_row();
  } else {
    weights_ = let("A", align(scores_, mask_, in_.q, nullptr));
    context_ = let("C", aggregate(weights_, in_.q, nullptr));
  }
  return results();
}

ModuleResult GeneralModule::results() {
  ModuleResult result{by_feature_last(scores_), by_feature_last(weights_), context_, {}};
  const std::string front = splits() ? "h " : "";
  const std::string back = feature_wise() ? " dv" : "";
  b_.output(choice_, out::scores, result.scores, front + "m n" + back);
  b_.output(choice_, out::weights, result.weights, front + "m n" + back);
  output_state(front);
  output_penalty(b_, choice_, {in_.q, weights_, in_.v, context_});
  result.output = aggregated(result, front + "m");
  if (splits()) {
    result.context = merged(result.output);
    result.output = result.context;
  }
  b_.output(choice_, out::context, result.context, std::string("m") + (splits() ? " dc" : " dv"));
  if (choice_.in("aggregate") != nullptr && choice_.in("output") == nullptr)
    b_.output(choice_, out::output, result.output, std::string("m") + (splits() ? " dc" : " dv"));
  return result;
}

void GeneralModule::output_inputs() {
  const std::string front = family_.heads > 0 ? "h " : "";
  if (in_.q) b_.output(choice_, out::query, in_.q, front + "m dq");
  b_.output(choice_, out::key, in_.k, front + "n dk");
  b_.output(choice_, out::value, in_.v, front + "n dv");
}

<<<<<<< HEAD
// What recurrent rows end with: the score's own state, or else what the alignment left.
void output_state(const std::string& front) {
  if (const Var own = score_state()) {
    const bool wide = own.rank() > (front.empty() ? 1 : 2);
    return b_.output(choice_, out::state, own, front + "n" + (wide ? " state" : ""));
  }
  const auto state = history_.state.find("state");
  if (state == history_.state.end()) return;
  const Var last = squeeze(state->second, -2);
  b_.output(choice_, out::state, last,
            last.extent(-1) == in_.k.extent(-2) ? front + "n" : front + "state");
}

Var score_state() {
  const Choice* choice = choice_.in("score");
  if (feature_wise() || choice == nullptr || !is_recurrent(*choice)) return {};
  const Score& record = std::get<Score>(choice->mechanism->behaviour);
  if (record.state == nullptr) return {};
  return within(*choice, [&] {
    return record.state({enter_score(*choice), in_.q, in_.k, in_.v, rows(), &history_});
  });
}

// The gate or other model in the slot `aggregate`, of each head.
Var aggregated(const ModuleResult& result, const std::string& axes) {
  const Choice* choice = choice_.in("aggregate");
  if (choice == nullptr) return context_;
  return within(*choice, [&] {
    const AggregateIn in{b_.enter(*choice, dimensions(), family_), in_, result.weights, context_,
                         axes};
    return let("U", std::get<Aggregate>(choice->mechanism->behaviour).build(in));
  });
}

Var merged(Var heads) {
  const Choice& choice = *choice_.in("heads");
  const Heads& record = std::get<Heads>(choice.mechanism->behaviour);
  return within(choice, [&] {
    const HeadsIn in{head_in(choice), whole_, mask_};
    if (record.heads != nullptr) heads = record.heads(in, heads);
    b_.output(choice_, out::heads, heads, "h m pv");
    return let("O", record.merge(in, heads));
  });
}

// Whether the heads stand side by side, as a batch; some only name the module's shape.
[[nodiscard]] bool splits() const {
  const Choice* heads = choice_.in("heads");
  return heads != nullptr && std::get<Heads>(heads->mechanism->behaviour).split != nullptr;
}

// Without a query there is one row, or as many as the score brings.
[[nodiscard]] std::size_t rows() const {
  return in_.q ? in_.q.extent(-2) : std::max<std::size_t>(scores_rows_, 1);
}

[[nodiscard]] Dimensions dimensions() const {
  Dimensions d;
  if (in_.q) d.set("dq", in_.q.extent(-1));
  if (in_.q || scores_rows_ > 0) d.set("m", rows());
  d.set("n", in_.k.extent(-2));
  d.set("dk", in_.k.extent(-1));
  d.set("dv", in_.v.extent(-1));
  return d;
}

// The heads' own parameters are sized by what comes in, before it is split; the family axis is
// part of their shapes.
Scope head_in(const Choice& heads) {
  if (!head_dimensions_set_) {
    head_dimensions_ = dimensions();
    head_dimensions_set_ = true;
  }
  if (const std::string_view list = mixed_alignments(); !list.empty() && !heads.all(list).empty())
    head_dimensions_.set("h", heads.all(list).size());
  Family outer = family_;
  outer.heads = 0;
  return b_.enter(heads, head_dimensions_, outer);
}

void split() {
  const Choice& heads = *choice_.in("heads");
  within(heads, [&] {
    if (!in_.q) refuse("heads project queries, and this module reads none");
    const HeadsIn in{head_in(heads), whole_, {}};
    in_ = std::get<Heads>(heads.mechanism->behaviour).split(in, in_);
    in_.memory = whole_.memory;
    family_.heads = in_.q.extent(0);
  });
}

void output_inputs() {
  const std::string front = family_.heads > 0 ? "h " : "";
  if (in_.q) b_.output(choice_, out::query, in_.q, front + "m dq");
  b_.output(choice_, out::key, in_.k, front + "n dk");
  b_.output(choice_, out::value, in_.v, front + "n dv");
}

bool is_recurrent_slot(std::string_view slot) {
  const Choice* choice = choice_.in(slot);
  return choice != nullptr && is_recurrent(*choice);
}

// A score with rows of its own leaves nothing for the query to do.
void drop_query_beside(Var e) {
  const Choice* choice = choice_.in("score");
  if (choice == nullptr || feature_wise()) return;
  const Score& record = std::get<Score>(choice->mechanism->behaviour);
  if (record.drops_query == nullptr) return;
  if (!record.drops_query(enter_score(*choice))) return;
  in_.q = whole_.q = {};
  scores_rows_ = e.extent(-2);
}

// A dimensionality that makes a score for every feature of the value.
[[nodiscard]] bool feature_wise() const {
  const Choice* dim = choice_.in("dimensionality");
  return dim != nullptr && std::get<Dimensionality>(dim->mechanism->behaviour).scores != nullptr;
}

// Heads that split nothing may name a size of the score, the filters of a convolution; what the
// score makes of it holds for both.
Scope enter_score(const Choice& choice) {
  Dimensions d = dimensions();
  const Choice* heads = choice_.in("heads");
  if (heads == nullptr || splits()) return b_.enter(choice, d, family_);
  const Dimensions named = b_.enter(*heads, d).dimensions;
  for (const Knob& knob : heads->mechanism->knobs) {
    if (!knob.symbol.empty() && heads->knobs.contains(knob.name))
      d.set(knob.symbol, *named.get(knob.symbol));
  }
  Scope in = b_.enter(choice, d, family_);
  b_.enter(*heads, in.dimensions);
  return in;
}

Var score(Var q, std::size_t first_row, History* history) {
  if (feature_wise()) {
    const Choice& dim = *choice_.in("dimensionality");
    return within(dim, [&] {
      const DimensionalityIn in{b_.enter(dim, dimensions(), family_), {q, in_.k, in_.v}};
      return std::get<Dimensionality>(dim.mechanism->behaviour).scores(in);
    });
  }
  const Choice& choice = *choice_.in("score");
  const Score& record = std::get<Score>(choice.mechanism->behaviour);
  return within(choice, [&] {
    if (!q && record.reads_query) {
      refuse("/inputs",
             "\"" + std::string(choice.mechanism->id) +
                 "\" compares keys with a query, and the document has no input \"query\"");
    }
    const Var e = record.build({enter_score(choice), q, in_.k, in_.v, first_row, history});
    if (!q) scores_rows_ = e.extent(-2);
    return e;
  });
}

PositionIn position_in(const Choice& choice, Var q, std::size_t first_row) {
  Family shared = family_;  // tables serve every head
  shared.heads = 0;
  Dimensions d = dimensions();
  if (splits()) d.set("h", family_.heads);
  d.set("p", in_.k.extent(-1));     // the width of a head,
  d.set("d", whole_.k.extent(-1));  // and of the whole
  PositionIn in{b_.enter(choice, d, shared),
                {q, in_.k, in_.v, in_.memory},
                fill(b_.graph(), {}, 1),
                first_row};
  const Choice* scored = choice_.in("score");
  if (!feature_wise() && scored != nullptr) {
    const Score& record = std::get<Score>(scored->mechanism->behaviour);
    if (record.scale != nullptr)
      in.score_scale = record.scale({enter_score(*scored), q, in_.k, in_.v});
  }
  return in;
}

Var positioned(Var e, Var q, std::size_t first_row) {
  for (const Choice& choice : choice_.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.score == nullptr) continue;
    e = within(choice, [&] { return record.score(position_in(choice, q, first_row), e); });
  }
  return e;
}

[[nodiscard]] Masking masking() const { return {b_, choice_, whole_}; }

// The mask items' product with what the score itself rules out, [m n].
Var build_mask() {
  Var all = masking().mask(rows());
  const Choice* choice = choice_.in("score");
  if (choice != nullptr && !feature_wise()) {
    const Score& record = std::get<Score>(choice->mechanism->behaviour);
    if (record.mask != nullptr) {
      const Var own = within(*choice, [&] {
        return record.mask({enter_score(*choice), rows(), whole_.k.extent(-2), whole_});
      });
      if (own) all = all ? all * own : own;
    }
  }
  return all ? let("M", all) : all;
}

Var align(Var e, Var mask, Var q, std::size_t first_row, History* history) {
  e = masking().energies(e, rows(), first_row);
  const Triple inputs{q, in_.k, in_.v, in_.memory};
  const Var a = mixed_alignments().empty() ? align_with(*choice_.in("alignment"), e, mask, inputs,
                                                        first_row, history, family_)
                                           : align_each_head(e, mask, inputs, first_row, history);
  return masking().weights(a, rows(), first_row);
}

Var align_with(const Choice& choice, Var e, Var mask, const Triple& inputs, std::size_t first_row,
               History* history, const Family& family) {
  return within(choice, [&] {
    const AlignmentIn in{
        b_.enter(choice, dimensions(), family), e, mask, inputs, first_row, history};
    return std::get<Alignment>(choice.mechanism->behaviour).build(in);
  });
}

[[nodiscard]] std::string_view mixed_alignments() const {
  const Choice* heads = choice_.in("heads");
  return heads == nullptr ? "" : std::get<Heads>(heads->mechanism->behaviour).alignments;
}

// Head by head, each with the alignment of its place in the list.
Var align_each_head(Var e, Var mask, const Triple& inputs, std::size_t first_row,
                    History* history) {
  const std::vector<Choice>& list = choice_.in("heads")->all(mixed_alignments());
  Family alone = family_;
  alone.heads = 0;
  const long axis = static_cast<long>(e.rank()) - 3;  // features stand in front of the heads
  std::vector<Var> weights;
  for (std::size_t t = 0; t < list.size(); ++t) {
    const auto of_head = [&](Var x, long from_end) {
      const auto at = static_cast<long>(x.rank()) - from_end;
      return squeeze(slice(x, at, t, t + 1), at);
    };
    History own;
    if (history != nullptr) {
      for (const Var a : history->weights) own.weights.push_back(of_head(a, 3));
      for (const Var c : history->contexts) own.contexts.push_back(of_head(c, 3));
      own.state = head_states_[t];
    }
    const Triple part{inputs.q ? of_head(inputs.q, 3) : Var{}, of_head(inputs.k, 3),
                      of_head(inputs.v, 3), inputs.memory};
    weights.push_back(expand(align_with(list[t], of_head(e, 3), mask, part, first_row,
                                        history == nullptr ? nullptr : &own, alone),
                             axis));
    head_states_[t] = own.state;
  }
  return concat(weights, axis);
}

Var aggregate(Var weights, Var q, std::size_t first_row) {
  Var c = feature_wise() ? sum(by_feature_last(weights) * pair_columns(in_.v), -2)
                         : matmul(weights, in_.v);
  for (const Choice& choice : choice_.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.context == nullptr) continue;
    c = within(choice,
               [&] { return record.context(position_in(choice, q, first_row), weights, c); });
  }
  return gated_by_penalties(b_, choice_, q, c);
}

// A query-independent score has one row, which serves all queries; one without heads serves all
// heads.
[[nodiscard]] Var for_every_row(Var e) const {
  Shape whole(in_.v.shape().begin(), in_.v.shape().end() - 2);
  whole.push_back(rows());
  whole.push_back(in_.k.extent(-2));
  return broadcast_to(e, broadcast_shapes(e.shape(), whole));
}

// [dv .. m n] -> [.. m n dv]; anything else as it is.
Var by_feature_last(Var x) {
  if (!feature_wise()) return x;
  std::vector<long> axes;
  for (std::size_t i = 1; i < x.rank(); ++i) axes.push_back(static_cast<long>(i));
  axes.push_back(0);
  return permute(x, axes);
}

void row_by_row() {
  std::vector<Var> scores;
  for (std::size_t t = 0; t < rows(); ++t) {
    b_.graph().step_suffix = "^{(" + std::to_string(t) + ")}";
    const Var q = in_.q ? row(in_.q, t) : in_.q;
    const Var e = scores_ ? row(scores_, t) : positioned(score(q, t, &history_), q, t);
    const Var a = let("a", align(e, mask_ ? row(mask_, t) : mask_, q, t, &history_));
    scores.push_back(e);
    history_.weights.push_back(a);
    history_.contexts.push_back(let("c", aggregate(a, q, t)));
  }
  b_.graph().step_suffix.clear();
  if (!scores_) scores_ = let("E", concat(scores, -2));
  weights_ = let("A", concat(history_.weights, -2));
  context_ = let("C", concat(history_.contexts, -2));
}

Assembler& b_;
const Choice& choice_;
Triple whole_, in_;  // the rows before and after the heads split them
Family family_;
Dimensions head_dimensions_;
bool head_dimensions_set_ = false;
std::size_t scores_rows_ = 0;
Var mask_, scores_, weights_, context_;
History history_;
std::map<std::size_t, std::map<std::string, Var>> head_states_;  // where heads align apart
};

}  // namespace
=======
// What recurrent rows end with, where the score says it.
void GeneralModule::output_state(const std::string& front) {
  const Var own = score_state();
  if (!own) return;
  const bool wide = own.rank() > (front.empty() ? 1 : 2);
  b_.output(choice_, out::state, own, front + "n" + (wide ? " state" : ""));
}
>>>>>>> wt-scan-next

void attend_generally(Assembler& assembler, const Scope& in) {
  Preparation prepare(assembler, in.choice);
  const Choice& choice = *in.choice.in("query");
  const Choice* heads = in.choice.in("heads");
  const QueryIn query{
      assembler.enter(choice, {}).sized(), prepare,
      heads != nullptr && std::get<Heads>(heads->mechanism->behaviour).split != nullptr};
  const Triple triple =
      within(choice, [&] { return std::get<Query>(choice.mechanism->behaviour).build(query); });
  const ModuleResult result = GeneralModule(assembler, in.choice, triple, in.family).run();
  const Choice* model = in.choice.in("output");
  if (model == nullptr) return;
  within(*model, [&] {
    Dimensions d;
    if (prepare.features()) d.set("df", prepare.features().extent(-1));
    d.set("m", result.output.extent(-2));
    d.set("dv", result.output.extent(-1));
    std::get<OutputModel>(model->mechanism->behaviour)
        .build({assembler.enter(*model, d), prepare.features(), result.weights, result.output});
  });
}

}  // namespace attend
