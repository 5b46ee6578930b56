// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/reading/document.h"
#include "import/tokenizer.h"

// Models with an encoder and a decoder: they read one text, the source, and write another from its start tokens to its
// end token.
namespace attend {

// What a family's `writes` says of the two texts.
struct TwoTexts {
  std::string source;      // the input that the encoder reads; empty: the model has one text
  std::size_t length = 0;  // the most tokens of the source; 0: as many as there are
  PieceIds start;          // the first tokens of the decoder
  PieceIds ends;           // tokens that end the text; none: the tokenizer knows them
  PieceIds never;          // tokens that are not written, such as the padding

  explicit TwoTexts(const Json& writes);
  // Error where the source is empty or too long; `path` is where it comes from.
  void check_source(const PieceIds& ids, const std::string& path) const;
};

// Whether a text ends with this piece.
bool is_end(const TwoTexts& texts, const std::optional<Tokenizer>& tokenizer, std::size_t id);

// The pieces that an input of a document holds. Throws Error where there is no such input.
PieceIds pieces_in(const Document& document, const std::string& input);
// The same input with other pieces.
void put_pieces(Document& document, const std::string& input, const PieceIds& ids,
                std::vector<std::string> labels = {});

}  // namespace attend
