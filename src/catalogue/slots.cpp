// SPDX-License-Identifier: Apache-2.0
#include "catalogue/slots.h"

#include "catalogue/parts/heads/shared_keys.h"
#include "catalogue/preparation.h"

namespace attend {

namespace {
Past past_of(Rows* rows, const Choice& choice, std::optional<std::size_t> head) {
  if (rows != nullptr) return {*rows, choice.path, head};
  refuse("each row needs the rows before it, but here all rows are computed at once");
}

// [.. 1 last] in the batch of x [.. n d], which heads that share it have each.
Shape row_in_batch(Var x, const Family& family, std::size_t last) {
  Shape shape = x.shape();
  shape.end()[-2] = 1;
  shape.back() = last;
  if (family.shares_keys()) shape.end()[-3] = family.heads / family.key_heads;
  return shape;
}
}  // namespace

Past ScoreIn::past() const { return past_of(rows, choice, std::nullopt); }

Var ScoreIn::weights_like(Var one) const {
  return broadcast_to(one, row_in_batch(k, family, k.extent(-2)));
}
Var ScoreIn::no_context() const { return zeros(graph(), row_in_batch(v, family, v.extent(-1))); }

Past AlignmentIn::past() const { return past_of(rows, choice, head); }

namespace {
// Where each feature has a map of its own, their axis is in front; a result has it last.
void output_of_rows(Assembler& at, const Choice& by, const Family& family, OutputKind kind, Var all,
                    bool by_feature) {
  std::string axes = family.heads > 0 ? "h m" : "m";
  if (by_feature) {
    std::vector<long> order;
    for (std::size_t i = 1; i < all.rank(); ++i) order.push_back(static_cast<long>(i));
    order.push_back(0);
    all = permute(all, order);
    axes += " dv";
  }
  const Named named = as_named(all, family, axes);
  at.output(by, kind, named.var, named.axes);
}
}  // namespace

void AlignmentIn::output_rows(OutputKind kind, Var of_rows) const {
  const std::size_t plain = family.shares_keys() ? 3 : family.heads > 0 ? 2 : 1;
  const bool by_feature = of_rows.rank() > plain;
  if (rows == nullptr) return output_of_rows(assembler, choice, family, kind, of_rows, by_feature);
  rows->afterwards(of_rows,
                   [&at = assembler, &by = choice, own = family, kind, by_feature](Var all, Var) {
                     std::vector<long> axes;  // [m .. 1] -> [.. m]
                     for (std::size_t i = 1; i + 1 < all.rank(); ++i)
                       axes.push_back(static_cast<long>(i));
                     axes.push_back(0);
                     output_of_rows(at, by, own, kind, permute(squeeze(all, -1), axes), by_feature);
                   });
}

void ScoreIn::need_same_width() const {
  if (q.extent(-1) == k.extent(-1)) return;
  refuse("queries and keys must be equally wide; they are " + std::to_string(q.extent(-1)) +
         " and " + std::to_string(k.extent(-1)) + " wide");
}

void CoreIn::need_same_width() const {
  if (p() == k.extent(-1)) return;
  refuse("queries and keys must be equally wide; they are " + std::to_string(p()) + " and " +
         std::to_string(k.extent(-1)) + " wide");
}

void CoreIn::need_same_length(const std::string& why) const {
  if (m() == n()) return;
  refuse(why + ", so there must be as many keys as queries; there are " + std::to_string(m()) +
         " queries and " + std::to_string(n()) + " keys");
}

Var ScoreIn::product() const {
  const Var all = matmul(q, k, false, true);
  return changed ? all : let("Q K^{\\top}", all);
}

Var CoreIn::row_index() const { return rows != nullptr ? rows->index() : iota(graph(), m(), 2); }

Var CoreIn::past_pairs() const {
  const Var next = row_index() + 1;
  if (keys_per_query != 1) return greater(next * static_cast<double>(keys_per_query), key_index());
  return stated(greater(next, key_index()), causal_intent());
}

Var CoreIn::stated(Var pairs, MaybeIntent intent, const std::vector<Var>& operands) const {
  return rows != nullptr ? pairs : attend::stated(pairs, std::move(intent), operands);
}

Var AlignmentIn::query() const {
  if (!inputs.q) refuse("it reads the query, but this module has none");
  return inputs.q;
}

Var AlignmentIn::row_index() const {
  return rows != nullptr ? rows->index() : iota(graph(), scores.extent(-2), 2);
}

namespace {
// A slot inside a slot is sized by the module, not by the symbols of what surrounds it.
Dimensions of_module(const Dimensions& all) {
  Dimensions d;
  for (const std::string_view symbol : {"m", "n", "dq", "dk", "dv"}) {
    if (const auto value = all.get(symbol)) d.set(symbol, *value);
  }
  return d;
}

// Of a table with a row for each query the one that comes, or the first `count`; a table of one
// row serves all.
Var rows_from(Var table, Rows* rows, std::size_t count) {
  if (rows != nullptr) return rows->row_of(table);
  return table.extent(-2) <= 1 || table.extent(-2) == count ? table : slice(table, -2, 0, count);
}
}  // namespace

Var ScoreIn::rows_of(Var input) const { return q ? rows_from(input, rows, q.extent(-2)) : input; }

Var ScoreIn::base(Var query, std::map<std::string, Var, std::less<>> instead) const {
  const Choice& inner = *choice.in("base");
  Dimensions d = of_module(dimensions);
  d.set("dq", query.extent(-1));
  return within(inner, [&] {
    ScoreIn in{assembler.enter(inner, d, family, std::move(instead)), query, k, v, rows, changed};
    return std::get<Score>(inner.mechanism->behaviour).build(in);
  });
}

Var AlignmentIn::rows_of(Var table) const { return rows_from(table, rows, scores.extent(-2)); }

Var AlignmentIn::base() const {
  const Choice& inner = *choice.in("base");
  return within(inner, [&] {
    const AlignmentIn in{
        assembler.enter(inner, of_module(dimensions), family), scores, mask, inputs, rows, head};
    return std::get<Alignment>(inner.mechanism->behaviour).build(in);
  });
}

Var MaskIn::columns() const {
  const Var all = iota(graph(), n);
  return inputs.memory == 0 ? all : all - static_cast<double>(inputs.memory);
}

Var MaskIn::stated(Var pairs, MaybeIntent intent, const std::vector<Var>& operands) const {
  if (!intent || inputs.memory == 0) return attend::stated(pairs, intent, operands);
  // Key j is at the position j - memory; patterns and blocks that begin elsewhere have no intent.
  if (intent->kind != Intent::band || intent->block != 0) return pairs;
  const auto memory = static_cast<std::ptrdiff_t>(inputs.memory);
  if (intent->before != unbounded) intent->before -= memory;
  if (intent->after != unbounded) intent->after += memory;
  return attend::stated(pairs, intent);
}

Var MaskIn::rows_of(Var table, Var energies) const {
  return rows_from(table, one_row, energies.extent(-2));
}

Var MaskIn::base() const {
  const Choice& inner = *choice.in("base");
  return within(inner, [&] {
    const MaskIn in{assembler.enter(inner, of_module(dimensions)), m, n, inputs};
    const Mask& record = std::get<Mask>(inner.mechanism->behaviour);
    if (record.build == nullptr) refuse("it excludes no pair, so it cannot be the base mask here");
    return broadcast_to(record.build(in), {m, n});
  });
}

Intent::Part sparse_part(const Scope& in) {
  const std::string& part = in.text("part");
  if (part == "first") return Intent::Part::first;
  return part == "second" ? Intent::Part::second : Intent::Part::both;
}

std::size_t PositionIn::row_count() const {
  if (rows != nullptr) return rows->count();
  // Without a query there is one row, or as many as the score brings.
  return inputs.q ? inputs.q.extent(-2) : dimensions.get("m").value_or(1);
}

Var PositionIn::rows_of(Var table, Var scores) const {
  return rows_from(table, rows, scores.extent(-2));
}

Var PositionIn::for_heads(Var table) const {
  Family heads = family;  // whose own parameters serve all heads
  heads.heads = dimensions.get("h").value_or(0);
  return table.rank() > 2 && heads.shares_keys() ? in_groups(table, heads, 0) : table;
}

Var PositionIn::row_index() const {
  return rows != nullptr ? rows->index() : iota(graph(), row_count(), 2);
}

Var PositionIn::key_index() const {
  const Var all = iota(graph(), inputs.k.extent(-2));
  return inputs.memory == 0 ? all : all - static_cast<double>(inputs.memory);
}

Var PositionIn::by_gap(const OfPair& of, const OfPair& table) const {
  if (rows != nullptr) return of(row_index(), key_index());
  const std::size_t m = row_count(), n = inputs.k.extent(-2);
  const Var last = iota(graph(), 1, 2) + static_cast<double>(m - 1);  // [1 1]
  const Var keys = iota(graph(), m + n - 1) - static_cast<double>(inputs.memory);
  // Before the bias, so that passes that record in order know it when they come to the bias.
  const Var gaps = (table ? table : of)(last, keys);
  return stated(of(row_index(), key_index()), gaps_intent(), {gaps});
}

// Rows of a memory lie before position 0.
std::ptrdiff_t PositionIn::shift_of_rows(double shift) const {
  return static_cast<std::ptrdiff_t>(shift) - static_cast<std::ptrdiff_t>(inputs.memory);
}

Var PositionIn::relative(Var term, double shift, std::vector<Var> kernel,
                         const std::vector<Var>& reads) const {
  if (rows != nullptr) return term;
  const MaybeIntent intent = relative_intent(shift_of_rows(shift), kernel.size());
  kernel.insert(kernel.end(), reads.begin(), reads.end());
  return stated(term, intent, kernel);
}

Var PositionIn::relative_values(Var sum, double shift, Var context, Var weights, Var V) const {
  if (rows != nullptr) return sum;
  return stated(sum, relative_values_intent(shift_of_rows(shift)), {context, weights, V});
}

Triple QueryIn::ready(Triple given) const { return prepare.ready(given); }

}  // namespace attend
