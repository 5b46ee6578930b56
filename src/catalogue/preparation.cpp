// SPDX-License-Identifier: Apache-2.0
#include "catalogue/preparation.h"

#include <algorithm>

namespace attend {
namespace {

// Nodes, not ids: a step of a scan counts its own.
bool same(Var a, Var b) { return &a.node() == &b.node(); }

Dimensions sizes_of(const Triple& rows) {
  Dimensions d;
  if (rows.q) d.set("m", rows.q.extent(-2));
  if (rows.q) d.set("dq", rows.q.extent(-1));
  d.set("n", rows.k.extent(-2));
  d.set("dk", rows.k.extent(-1));
  if (rows.v) d.set("dv", rows.v.extent(-1));
  return d;
}

Dimensions sizes_of(Var rows) {
  Dimensions d;
  d.set("n", rows.extent(-2));
  d.set("d", rows.extent(-1));
  return d;
}

// One change a row of the document: keys that are the queries, and values that are the keys, stay
// the same rows. Other values stay unchanged.
template <typename Change>
Triple each_changed(const Triple& raw, const Change& change) {
  Triple now = raw;
  if (raw.q) now.q = change(raw.q);
  now.k = raw.q && same(raw.k, raw.q) ? now.q : change(raw.k);
  if (raw.q && same(raw.v, raw.q)) {
    now.v = now.q;
  } else if (same(raw.v, raw.k)) {
    now.v = now.k;
  }
  return now;
}

}  // namespace

Triple Preparation::ready(Triple given) {
  if (!given.v) given.v = given.k;
  // Tokens are hidden before anything reads them, also what makes keys of their neighbours.
  Triple now = each_changed(given, [&](Var rows) { return with_tokens_masked(rows, given); });
  if (const Choice* key = module_.in("key")) {
    now = within(*key, [&] {
      const KeyIn in{assembler_.enter(*key, sizes_of(now))};
      return std::get<Key>(key->mechanism->behaviour).build(in, now);
    });
  }
  now = each_changed(now, [&](Var rows) { return encoded(rows); });
  // Of the keys: they came last.
  if (encoding_) assembler_.output(module_, out::position, encoding_, "n d");
  features_ = now.q;
  if (now.q) {
    const Triple plain = now;
    now.q = before_attending(plain.q);
    if (same(plain.k, plain.q)) now.k = now.q;
    if (same(plain.v, plain.q)) now.v = now.q;
  }
  for (const Choice& choice : module_.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.rows == nullptr) continue;
    now = within(choice, [&] {
      return record.rows(PositionIn{assembler_.enter(choice, sizes_of(now)), now, {}}, now);
    });
  }
  return rows_ = now;
}

// Queries and keys are masked as one sequence: N is the length of the longer, D the wider width.
Var Preparation::with_tokens_masked(Var rows, const Triple& all) {
  for (const Choice& choice : module_.all("mask")) {
    const Mask& record = std::get<Mask>(choice.mechanism->behaviour);
    if (record.rows == nullptr) continue;
    rows = within(choice, [&] {
      const std::size_t n = rows.extent(-2);
      Dimensions d = sizes_of(rows);
      d.set("N", std::max(all.k.extent(-2), all.q ? all.q.extent(-2) : 0));
      d.set("D", std::max(all.k.extent(-1), all.q ? all.q.extent(-1) : 0));
      return record.rows(MaskIn{assembler_.enter(choice, d), n, n, {{}, rows, rows}}, rows);
    });
  }
  return rows;
}

Var Preparation::encoded(Var rows) {
  encoding_ = {};
  for (const Choice& choice : module_.all("position")) {
    const Position& record = std::get<Position>(choice.mechanism->behaviour);
    if (record.encode == nullptr) continue;
    rows = within(choice, [&] {
      const Var added =
          record.encode(PositionIn{assembler_.enter(choice, sizes_of(rows)), {}, {}}, rows);
      encoding_ = encoding_ && encoding_.shape() == added.shape() ? encoding_ + added : added;
      return rows + added;
    });
  }
  return rows;
}

Var Preparation::before_attending(Var rows) {
  const Choice* output = module_.in("output");
  if (output == nullptr) return rows;
  const OutputModel& record = std::get<OutputModel>(output->mechanism->behaviour);
  if (record.before == nullptr) return rows;
  return within(*output, [&] {
    Dimensions d = sizes_of(rows);
    d.set("df", rows.extent(-1));
    return record.before(OutputIn{assembler_.enter(*output, d), rows, {}, {}}, rows);
  });
}

}  // namespace attend
