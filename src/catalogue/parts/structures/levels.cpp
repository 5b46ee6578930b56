// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/levels.h"

#include <cmath>

#include "catalogue/module_results.h"
#include "ops/text.h"

namespace attend {
namespace {

std::string as_text(double start, double stop) {
  return "[" + number_exact(start) + ", " + number_exact(stop) + "]";
}

std::size_t whole(double number, const std::string& path) {
  if (number >= 0 && number == std::floor(number) && number < 1e9)
    return static_cast<std::size_t>(number);
  refuse(path, "expected whole numbers of at least 0, found " + number_exact(number));
}

void check_next(const Span& span, std::size_t at, std::size_t count, const std::string& things,
                const std::string& path) {
  const std::string found =
      as_text(static_cast<double>(span.start), static_cast<double>(span.stop));
  const std::string expected = "expected a span that begins at " + std::to_string(at) +
                               (at == 0 ? "" : ", where the one before it ends") + "; found " +
                               found;
  if (span.start < at) refuse(path, expected + ", which overlaps it");
  if (span.start > at) refuse(path, expected + ", which leaves a gap");
  if (span.stop <= span.start)
    refuse(path, "expected a span [start, end) that holds at least one of the " + things +
                     ": its end must come after its start; found " + found);
  if (span.stop > count)
    refuse(path, "there are " + std::to_string(count) + " " + things + ", but the span " + found +
                     " goes past the end");
}

// A map of one span [.. m' n'], with 0 for the rows before and behind it along `axis`.
Var widened(Var map, const Span& span, std::size_t count, long axis) {
  std::vector<Var> parts;
  const auto nothing = [&](std::size_t rows) {
    if (rows == 0) return;
    Shape shape = map.shape();
    shape.end()[axis] = rows;
    parts.push_back(zeros(map.graph(), shape));
  };
  nothing(span.start);
  parts.push_back(map);
  nothing(count - span.stop);
  return parts.size() == 1 ? map : concat(parts, axis);
}

Var joined(const std::vector<Var>& parts, long axis) {
  return parts.size() == 1 ? parts.front() : concat(parts, axis);
}

}  // namespace

std::vector<Span> spans_of(const Scope& in, std::string_view knob, std::size_t count,
                           const char* things, std::vector<Span> otherwise) {
  if (!in.has(knob)) return otherwise;
  const Tensor& table = in.matrix(knob);
  const std::string path = in.choice.path + "/" + std::string(knob);
  if (table.shape.back() != 2)
    refuse(path, "expected rows of two numbers, [start, end), found rows of " +
                     std::to_string(table.shape.back()) + " numbers");
  std::vector<Span> spans;
  std::size_t at = 0;
  for (std::size_t i = 0; i < table.shape[0]; ++i) {
    const std::string here = path + "/" + std::to_string(i);
    const Span span{whole(table.data[2 * i], here), whole(table.data[2 * i + 1], here)};
    check_next(span, at, count, things, here);
    spans.push_back(span);
    at = span.stop;
  }
  if (at == count) return spans;
  refuse(path, "the spans end at " + std::to_string(at) + ", but there are " +
                   std::to_string(count) + " " + things + "; the last span must reach the end");
}

std::vector<Span> sentences_of(const std::vector<std::string>& tokens, std::size_t count) {
  std::vector<Span> spans;
  std::size_t start = 0;
  for (std::size_t i = 0; i < tokens.size() && i < count; ++i) {
    const bool ends = tokens[i] == "." || tokens[i] == "!" || tokens[i] == "?";
    if (!ends) continue;
    spans.push_back({start, i + 1});
    start = i + 1;
  }
  if (start < count) spans.push_back({start, count});
  return spans;
}

namespace {

std::vector<std::size_t> sentence_ends(const std::vector<std::string>& tokens) {
  std::vector<std::size_t> ends;
  for (const Span& span : sentences_of(tokens, tokens.size())) ends.push_back(span.stop);
  return ends;
}

}  // namespace

std::vector<Span> sentence_spans(const Scope& in, Var rows) {
  const std::size_t count = rows.extent(-2);
  if (!in.has("spans"))
    in.assembler.note_form(
        rows, {sentence_ends,
               "its sentences end after other tokens than those of the first example; run them "
               "separately, or give \"spans\""});
  return spans_of(in, "spans", count, "tokens", sentences_of(in.tokens_of(rows), count));
}

Tensors ask_each(const Scope& in, const char* slot, Var rows, const std::vector<Span>& spans,
                 const std::string& m, const std::string& n) {
  const std::size_t count = rows.extent(-2);
  std::vector<Var> scores, weights, contexts;
  long keys = -1;  // the axis of the rows; features may stand behind it
  for (const Span& span : spans) {
    const Var part = slice(rows, -2, span.start, span.stop);
    const Tensors one =
        with_map(in, slot, ask(in, {.slot = slot, .key = part, .value = part, .quiet = true}));
    keys = has_features_behind(in, slot, one["weights"]) ? -2 : -1;
    scores.push_back(widened(one["scores"], span, count, keys));
    weights.push_back(widened(one["weights"], span, count, keys));
    contexts.push_back(one["context"]);
  }
  const Var map = joined(weights, keys - 1), context = joined(contexts, -2);
  in.label_rows(context, std::string_view(m).substr(0, m.find(':')));
  const std::string axes = map_axes(in, slot, map, m, n);
  return {{out::scores, joined(scores, keys - 1), axes},
          {out::weights, map, axes},
          {out::context, context, m + " dv"}};
}

Var encoded_each(const Scope& in, const char* slot, Var rows, const std::vector<Span>& spans) {
  if (in.choice.in(slot) == nullptr) return rows;
  std::vector<Var> parts;
  for (const Span& span : spans) {
    const Tensors one =
        in.call(slot, {.name = slot, .family = {}, .m = "m", .n = "n", .step = {}, .quiet = true},
                {{"x", slice(rows, -2, span.start, span.stop)}});
    const Var found = one.find(one.lists("output") ? "output" : "context");
    if (!found || found.rank() != 2 || found.extent(-2) != span.stop - span.start)
      refuse(in.choice.in(slot)->path,
             "expected a module that outputs one row for each row that it reads");
    parts.push_back(found);
  }
  return joined(parts, -2);
}

std::vector<std::string> words_of_spans(const std::vector<std::string>& tokens,
                                        const std::vector<Span>& spans) {
  std::vector<std::string> words;
  for (const Span& span : spans) {
    if (span.stop > tokens.size()) return {};
    std::string text;
    for (std::size_t i = span.start; i < span.stop; ++i)
      text += (text.empty() ? "" : " ") + tokens[i];
    words.push_back(text);
  }
  return words;
}

}  // namespace attend
