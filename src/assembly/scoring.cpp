// SPDX-License-Identifier: Apache-2.0
// From queries and keys to scores, with the position terms and what may not be seen.
#include "assembly/general_module.h"

namespace attend {

// A score with rows of its own leaves nothing for the query to do.
void GeneralModule::drop_query_beside(Var e) {
  const Choice* choice = choice_.in("score");
  if (choice == nullptr || feature_wise()) return;
  const Score& record = std::get<Score>(choice->mechanism->behaviour);
  if (record.asks_nobody == nullptr) return;
  if (!record.asks_nobody(enter_score(*choice))) return;
  in_.q = projected_.q = whole_.q = ready_.q = {};
  scores_rows_ = e.extent(-2);
}

// Heads that split nothing may name a size of the score, the filters of a convolution; what the
// score makes of it holds for both.
Scope GeneralModule::enter_score(const Choice& choice) {
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

Var GeneralModule::score(Var q, Rows* rows) {
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
    const Var e = record.build({enter_score(choice), q, in_.k, in_.v, rows});
    if (!q) scores_rows_ = e.extent(-2);
    return e;
  });
}

PositionIn GeneralModule::position_in(const Choice& choice, Var q, Rows* rows) {
  Family shared = family_;  // tables serve every head
  shared.heads = 0;
  Dimensions d = dimensions();
  if (splits()) d.set("h", family_.heads);
  d.set("p", in_.k.extent(-1));     // the width of a head,
  d.set("d", whole_.k.extent(-1));  // and of the whole
  d.set("dx", ready_.k.extent(-1));
  return {b_.enter(choice, d, shared), {q, in_.k, in_.v, in_.memory}, {}, rows, ready_};
}

PositionIn GeneralModule::scored_position_in(const Choice& choice, Var q, Rows* rows) {
  PositionIn in = position_in(choice, q, rows);
  in.score_scale = fill(b_.graph(), {}, 1);
  const Choice* scored = choice_.in("score");
  if (!feature_wise() && scored != nullptr) {
    const Score& record = std::get<Score>(scored->mechanism->behaviour);
    if (record.scale != nullptr)
      in.score_scale = record.scale({enter_score(*scored), q, in_.k, in_.v});
  }
  return in;
}

Var GeneralModule::positioned(Var e, Var q, Rows* rows) {
  for (const Choice& choice : choice_.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.score == nullptr) continue;
    e = within(choice, [&] { return record.score(scored_position_in(choice, q, rows), e); });
  }
  return e;
}

// A query-independent score has one row, which serves all queries; one without heads serves all
// heads.
Var GeneralModule::for_every_row(Var e) const {
  Shape whole(in_.v.shape().begin(), in_.v.shape().end() - 2);
  if (family_.shares_keys()) whole.back() = family_.heads / family_.key_heads;
  if (splits() && !family_.shares_keys()) whole.back() = family_.heads;
  whole.push_back(rows());
  whole.push_back(in_.k.extent(-2));
  return broadcast_to(e, broadcast_shapes(e.shape(), whole));
}

// The mask items' product with what the score itself rules out, [m n].
Var GeneralModule::build_mask() {
  const std::size_t m = masked_rows();
  Var all = masking().mask(m);
  const Choice* choice = choice_.in("score");
  if (choice != nullptr && !feature_wise()) {
    const Score& record = std::get<Score>(choice->mechanism->behaviour);
    if (record.mask != nullptr) {
      const Var own = within(*choice, [&] {
        return record.mask({enter_score(*choice), m, whole_.k.extent(-2), whole_});
      });
      if (own) all = all ? all * own : own;
    }
  }
  if (all && rows_) all = rows_->row_of(all, "m_t");
  return all ? let("M", all) : all;
}

Var GeneralModule::score_state() {
  const Choice* choice = choice_.in("score");
  if (feature_wise() || choice == nullptr || !is_recurrent(*choice)) return {};
  const Score& record = std::get<Score>(choice->mechanism->behaviour);
  if (record.state == nullptr) return {};
  return within(*choice, [&] {
    return record.state({enter_score(*choice), in_.q, in_.k, in_.v, &*rows_});
  });
}

// In the steps of a decoder what masks has a row for each of them.
std::size_t GeneralModule::masked_rows() const { return rows_ ? rows_->count() : rows(); }

Masking GeneralModule::masking() const { return {b_, choice_, whole_}; }

}  // namespace attend
