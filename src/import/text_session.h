// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "experiment/recording/compile.h"
#include "import/sampling.h"
#include "import/source_text.h"
#include "import/store.h"
#include "import/tokenizer.h"
#include "ops/stepwise.h"

namespace attend {

// What comes after the pieces: `step` is which word of the text it is, so that a seed gives the same text, and `also`
// are tokens whose probabilities are asked for beside those of the likeliest.
struct NextRequest {
  PieceIds ids;
  Sampling sampling;
  std::size_t step = 0;
  PieceIds also = {};
};

// An imported model that a page keeps while somebody reads what comes next: the rows that were run stay, with
// their keys and values, so that one more word costs one more row.
class TextSession {
 public:
  // `metadata` is what the weights' file says. Throws Error where the document predicts no words.
  TextSession(Json document, Metadata metadata);
  ~TextSession();
  TextSession(const TextSession&) = delete;
  TextSession& operator=(const TextSession&) = delete;

  // Takes the source of a model with an encoder from a document that differs from the session's in its inputs alone.
  void take_source(const Json& document);
  // The likeliest words after these pieces and those that are asked for, as ListedWords gives them, and the one that is
  // chosen: {"next", "also", "id", "token", "ended", "full", "rows", "state"}. Where the model fills in masked words:
  // {"masked"}. Throws Error where the pieces are too many, or none.
  [[nodiscard]] Json next(NextRequest request);

 private:
  struct Rows;  // the program of one row, and the rows that were run

  [[nodiscard]] std::size_t length() const;
  [[nodiscard]] std::string shown(std::size_t id) const;
  void check(const PieceIds& ids) const;
  Json by_rows(const NextRequest& request);
  Json by_whole_text(const NextRequest& asked) const;
  void prepare_rows(std::size_t count);
  // The document for so many pieces.
  [[nodiscard]] Document of_rows(std::size_t count) const;

  Json document_;
  Metadata metadata_;
  Json writes_;
  TwoTexts texts_;
  PieceIds source_;
  std::string input_, predicts_;
  std::optional<Tokenizer> tokenizer_;
  std::unique_ptr<Rows> rows_;
  bool refused_ = false;  // it cannot run one row at a time; `why_` says why
  Json why_;
};

// {"ids", "labels"} of a text, as the model reads it, and of numbers: {"text", "labels"}.
Json text_as_pieces(const Tokenizer& tokenizer, std::string_view text);
Json pieces_as_text(const Tokenizer& tokenizer, const PieceIds& ids);

}  // namespace attend
