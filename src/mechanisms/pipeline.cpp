// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/pipeline.h"

namespace attend {
namespace {

// One module while it is being recorded.
class Module {
 public:
  Module(Builder& builder, const Choice& choice, Triple inputs, Family family)
      : b_(builder), choice_(choice), in_(inputs), family_(family) {}

  ModuleResult run(const ModuleAxes& axes) {
    if (in_.v.extent(-2) != in_.k.extent(-2)) {
      throw Error("there are " + std::to_string(in_.k.extent(-2)) + " keys, but " +
                  std::to_string(in_.v.extent(-2)) + " values");
    }
    const Choice* heads = choice_.in("heads");
    if (heads != nullptr) split(*heads);
    output_inputs(axes);
    if (!is_recurrent("score"))
      scores_ = let("E", for_every_row(positioned(score(in_.q, 0, nullptr), in_.q, 0)));
    mask_ = build_mask();
    if (mask_) b_.output("mask", mask_, axes.m + " " + axes.n);
    if (is_recurrent("score") || is_recurrent("alignment")) {
      row_by_row();
    } else {
      weights_ = let("A", align(scores_, mask_, in_.q, 0, nullptr));
      context_ = let("C", aggregate(weights_, in_.q, 0));
    }
    ModuleResult result{by_feature_last(scores_), by_feature_last(weights_), context_};
    const std::string front = heads != nullptr ? "h " : "";
    const std::string back = feature_wise() ? " dv" : "";
    b_.output("scores", result.scores, front + axes.m + " " + axes.n + back);
    b_.output("weights", result.weights, front + axes.m + " " + axes.n + back);
    if (heads != nullptr) {
      b_.output("heads", context_, "h " + axes.m + " pv");
      result.context = within(*heads, [&] {
        return std::get<Heads>(heads->mechanism->behaviour)
            .merge(HeadsIn{head_in(*heads)}, context_);
      });
      result.context = let("O", result.context);
    }
    b_.output("context", result.context, axes.m + (heads != nullptr ? " dc" : " dv"));
    return result;
  }

 private:
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
  BuildIn head_in(const Choice& heads) {
    if (!head_dimensions_set_) {
      head_dimensions_ = dimensions();
      head_dimensions_set_ = true;
    }
    Family outer = family_;
    outer.heads = 0;
    return b_.enter(heads, head_dimensions_, outer);
  }

  void split(const Choice& heads) {
    within(heads, [&] {
      if (!in_.q) throw Error("heads project queries, and this module reads none");
      const HeadsIn in{head_in(heads)};
      in_ = std::get<Heads>(heads.mechanism->behaviour).split(in, in_);
      family_.heads = in_.q.extent(0);
    });
  }

  void output_inputs(const ModuleAxes& axes) {
    const std::string front = family_.heads > 0 ? "h " : "";
    if (in_.q) b_.output("query", in_.q, front + axes.m + " dq");
    b_.output("key", in_.k, front + axes.n + " dk");
    b_.output("value", in_.v, front + axes.n + " dv");
  }

  bool is_recurrent(std::string_view slot) {
    const Choice* choice = choice_.in(slot);
    return choice != nullptr && choice->mechanism->recurrent;
  }

  // A dimensionality that makes a score for every feature of the value.
  [[nodiscard]] bool feature_wise() const {
    const Choice* dim = choice_.in("dimensionality");
    return dim != nullptr && std::get<Dimensionality>(dim->mechanism->behaviour).scores != nullptr;
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
        throw Error("/inputs",
                    "\"" + std::string(choice.mechanism->id) +
                        "\" compares keys with a query, and the document has no input \"query\"");
      }
      const Var e = record.build(
          {b_.enter(choice, dimensions(), family_), q, in_.k, in_.v, first_row, history});
      if (!q) scores_rows_ = e.extent(-2);
      return e;
    });
  }

  PositionIn position_in(const Choice& choice, Var q, std::size_t first_row) {
    Family shared = family_;  // tables serve every head
    shared.heads = 0;
    PositionIn in{b_.enter(choice, dimensions(), shared), {q, in_.k, in_.v}, 1, first_row};
    const Choice* scored = choice_.in("score");
    if (!feature_wise() && scored != nullptr) {
      const Score& record = std::get<Score>(scored->mechanism->behaviour);
      if (record.scale != nullptr)
        in.score_scale = record.scale({b_.enter(*scored, dimensions(), family_), q, in_.k, in_.v});
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

  Var build_mask() {
    Var all;
    for (const Choice& choice : choice_.all("mask")) {
      const Mask& record = std::get<Mask>(choice.mechanism->behaviour);
      const Var one = within(choice, [&] {
        const MaskIn in{b_.enter(choice, dimensions()), rows(), in_.k.extent(-2)};
        return broadcast_to(record.build(in), {in.m, in.n});
      });
      all = all ? all * one : one;
    }
    return all ? let("M", all) : all;
  }

  Var align(Var e, Var mask, Var q, std::size_t first_row, History* history) {
    const Choice& choice = *choice_.in("alignment");
    return within(choice, [&] {
      const AlignmentIn in{
          b_.enter(choice, dimensions(), family_), e, mask, {q, in_.k, in_.v}, first_row, history};
      return std::get<Alignment>(choice.mechanism->behaviour).build(in);
    });
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
    return c;
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
    History history;
    std::vector<Var> scores;
    for (std::size_t t = 0; t < rows(); ++t) {
      b_.graph.step_suffix = "^{(" + std::to_string(t) + ")}";
      const Var q = in_.q ? row(in_.q, t) : in_.q;
      const Var e = scores_ ? row(scores_, t) : positioned(score(q, t, &history), q, t);
      const Var a = let("a", align(e, mask_ ? row(mask_, t) : mask_, q, t, &history));
      scores.push_back(e);
      history.weights.push_back(a);
      history.contexts.push_back(let("c", aggregate(a, q, t)));
    }
    b_.graph.step_suffix.clear();
    if (!scores_) scores_ = let("E", concat(scores, -2));
    weights_ = let("A", concat(history.weights, -2));
    context_ = let("C", concat(history.contexts, -2));
  }

  Builder& b_;
  const Choice& choice_;
  Triple in_;
  Family family_;
  Dimensions head_dimensions_;
  bool head_dimensions_set_ = false;
  std::size_t scores_rows_ = 0;
  Var mask_, scores_, weights_, context_;
};

}  // namespace

ModuleResult attend_module(Builder& builder, const Choice& module, const Triple& inputs,
                           const ModuleAxes& axes, Family family) {
  return Module(builder, module, inputs, family).run(axes);
}

Var encode_rows(Builder& builder, const Choice& module, Var rows) {
  for (const Choice& choice : module.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.encode == nullptr) continue;
    rows = within(choice, [&] {
      Dimensions d;
      d.set("n", rows.extent(-2));
      d.set("d", rows.extent(-1));
      const Var added = record.encode(PositionIn{builder.enter(choice, d), {}}, rows);
      builder.output("position", added, "n d");
      return rows + added;
    });
  }
  return rows;
}

}  // namespace attend
