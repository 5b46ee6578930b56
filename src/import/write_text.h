// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiment/reading/document.h"
#include "import/sampling.h"
#include "import/store.h"
#include "import/tokenizer.h"

namespace attend {

struct WriteRequest {
  std::optional<std::string> prompt;  // none: what the document's input holds
  std::optional<PieceIds> ids;        // in place of a prompt
  std::optional<PieceIds> target;     // of two texts the second so far; none: its start
  std::size_t words = 64;             // at most so many are written
  Sampling sampling;
  PieceIds also = {};  // tokens whose probabilities are asked for, however likely they are
};

// Throws Error where a token is none of a model's words; `of` is what lists the tokens.
void check_tokens(const PieceIds& ids, std::size_t words, const std::string& path = "",
                  const std::string& of = "the text");

// How a token is shown: by its number where the model came without a tokenizer.
std::string shown_token(const std::optional<Tokenizer>& tokenizer, std::size_t id);

// What comes next as JSON: "next" has the likeliest words [{"token", "id", "probability"}], at most ten, and "also"
// those that were asked for, in their order, with their "rank" among all words: 1 for the likeliest, null for a word
// that the model never writes. A token with a part of a character has its "bytes", too.
struct ListedWords {
  ListedWords(std::span<const real> logits, const Sampling& sampling,
              const std::vector<NextWord>& words, const PieceIds& also,
              const std::optional<Tokenizer>& tokenizer);
  // Puts the likeliest words under this name, and the others beside them, if there are any.
  void put(Json& answer, const char* name) &&;

  Json likeliest, also;
};

// What an imported model answers, as JSON. One that predicts the next word writes on, word after word: {"text",
// "tokens", "ids", "ended", "next", "also"}. One with an encoder reads the prompt as its source and begins a text of
// its own; {"source": {"input", "tokens", "ids"}} is added. One that fills in masked words gives the likeliest for
// each: {"masked"}. Throws Error where the document answers no words, or the text does not fit.
std::string continue_text(Json document, const Metadata& metadata, const WriteRequest& request);

}  // namespace attend
