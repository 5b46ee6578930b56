// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
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
};

// Throws Error where a token is none of a model's words.
void check_tokens(const PieceIds& ids, std::size_t words, const std::string& path = "");

// The likeliest words as JSON: [{"token", "id", "probability"}], at most ten.
Json listed_words(const std::vector<NextWord>& words,
                  const std::function<std::string(std::size_t)>& shown);

// What an imported model answers, as JSON. One that predicts the next word writes on, word after word: {"text",
// "tokens", "ids", "ended", "next"}. One with an encoder reads the prompt as its source and begins a text of its own;
// {"source": {"input", "tokens", "ids"}} is added. One that fills in masked words gives the likeliest for each:
// {"masked"}. Throws Error where the document answers no words, or the text does not fit.
std::string continue_text(Json document, const Metadata& metadata, const WriteRequest& request);

}  // namespace attend
