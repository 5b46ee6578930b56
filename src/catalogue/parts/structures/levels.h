// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalogue/modules.h"

// Levels: rows cut into spans, and a module that looks at each span by itself.
namespace attend {

struct Span {
  std::size_t start, stop;  // rows start .. stop - 1
};

// The spans of a knob [[start, end), ..], which cut 0 .. count-1 without gap and overlap. Throws Error
// at the pair that is wrong; `things` are what is counted, for its sentence. Without the knob: `otherwise`.
std::vector<Span> spans_of(const Scope& in, std::string_view knob, std::size_t count,
                           const char* things, std::vector<Span> otherwise);

// Sentences: each ends behind a token ".", "!" or "?". One span of all where there are no tokens.
std::vector<Span> sentences_of(const std::vector<std::string>& tokens, std::size_t count);

// The spans that the knob `spans` gives the rows, or else the sentences of their tokens, which every example must end
// at the same tokens then.
std::vector<Span> sentence_spans(const Scope& in, Var rows);

// What the module in `slot` makes of each span of the rows [n d]: one row a span. Weights and scores
// are 0 outside of the span. Spans stand along `m`, rows along `n`; both are
// words of a shape, "s:query".
Tensors ask_each(const Scope& in, const char* slot, Var rows, const std::vector<Span>& spans,
                 const std::string& m, const std::string& n);

// The rows of each span by a module of its own that reads `x` (an encoder), put together again; the rows
// as they are where the slot is empty.
Var encoded_each(const Scope& in, const char* slot, Var rows, const std::vector<Span>& spans);

// The words of each span, joined: labels of the level above. Empty without tokens.
std::vector<std::string> words_of_spans(const std::vector<std::string>& tokens,
                                        const std::vector<Span>& spans);

}  // namespace attend
