// SPDX-License-Identifier: Apache-2.0
#include "catalogue/slots.h"

#include "catalogue/preparation.h"

namespace attend {

History& ScoreIn::past() const {
  if (history != nullptr) return *history;
  refuse("each row needs the rows before it, and here all rows are scored at once");
}

void ScoreIn::need_same_width() const {
  if (q.extent(-1) == k.extent(-1)) return;
  refuse("queries and keys must be equally wide; they are " + std::to_string(q.extent(-1)) +
         " and " + std::to_string(k.extent(-1)) + " wide");
}

Var AlignmentIn::query() const {
  if (!inputs.q) refuse("it reads the query, and this module has none");
  return inputs.q;
}

Var AlignmentIn::row_index() const {
  const Var rows = iota(graph(), scores.extent(-2), 2);
  return first_row == 0 ? rows : rows + static_cast<double>(first_row);
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

// Of a table with a row for each query the rows [first, first + count); any other serves all.
Var rows_from(Var table, std::size_t first, std::size_t count) {
  return table.extent(-2) <= 1 || table.extent(-2) == count
             ? table
             : slice(table, -2, first, first + count);
}
}  // namespace

Var ScoreIn::rows_of(Var input) const {
  return q ? rows_from(input, first_row, q.extent(-2)) : input;
}

Var ScoreIn::base(Var query, std::map<std::string, Var, std::less<>> instead) const {
  const Choice& inner = *choice.in("base");
  Dimensions d = of_module(dimensions);
  d.set("dq", query.extent(-1));
  return within(inner, [&] {
    ScoreIn in{
        assembler.enter(inner, d, family, std::move(instead)), query, k, v, first_row, history};
    return std::get<Score>(inner.mechanism->behaviour).build(in);
  });
}

Var AlignmentIn::rows_of(Var table) const { return rows_from(table, first_row, scores.extent(-2)); }

Var AlignmentIn::base() const {
  const Choice& inner = *choice.in("base");
  return within(inner, [&] {
    const AlignmentIn in{assembler.enter(inner, of_module(dimensions), family),
                         scores,
                         mask,
                         inputs,
                         first_row,
                         history};
    return std::get<Alignment>(inner.mechanism->behaviour).build(in);
  });
}

Var MaskIn::columns() const {
  const Var all = iota(graph(), n);
  return inputs.memory == 0 ? all : all - static_cast<double>(inputs.memory);
}

Var MaskIn::rows_of(Var table, Var part) const {
  return rows_from(table, first_row, part.extent(-2));
}

Var MaskIn::base() const {
  const Choice& inner = *choice.in("base");
  return within(inner, [&] {
    const MaskIn in{assembler.enter(inner, of_module(dimensions)), m, n, inputs, 0};
    const Mask& record = std::get<Mask>(inner.mechanism->behaviour);
    if (record.build == nullptr) refuse("it rules no pair out, so it cannot be a base here");
    return broadcast_to(record.build(in), {m, n});
  });
}

Var PositionIn::row_index() const {
  const Var rows = iota(graph(), inputs.q.extent(-2), 2);
  return first_row == 0 ? rows : rows + static_cast<double>(first_row);
}

Var PositionIn::key_index() const {
  const Var all = iota(graph(), inputs.k.extent(-2));
  return inputs.memory == 0 ? all : all - static_cast<double>(inputs.memory);
}

Triple QueryIn::ready(Triple given) const { return prepare.ready(given); }

void ModuleIn::result(Var context, const std::string& axes) const {
  output("context", context, axes);
  output("output", context, axes);
}

}  // namespace attend
