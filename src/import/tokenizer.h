// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "experiment/text/json_parse.h"

namespace attend {

using PieceIds = std::vector<std::size_t>;

// What turns a word, or a whole text, into pieces of a vocabulary.
class PieceModel {
 public:
  virtual ~PieceModel() = default;
  // Pieces of one part of the text, after it was normalised and split.
  [[nodiscard]] virtual PieceIds pieces_of(const std::string& part) const = 0;

  [[nodiscard]] std::size_t size() const { return texts.size(); }
  [[nodiscard]] std::optional<std::size_t> find(const std::string& piece) const;
  // Adds a piece at its number; a hole stays an empty text.
  void put(std::size_t id, const std::string& piece);

  std::vector<std::string> texts;  // by number

 protected:
  // The bytes of a character as the pieces <0x00> .. <0xFF>; nothing where the vocabulary lacks one.
  [[nodiscard]] PieceIds byte_pieces(const std::string& bytes) const;

 private:
  std::unordered_map<std::string, std::size_t> ids_;
};

std::unique_ptr<PieceModel> read_bpe(const Json& model, bool byte_level);
std::unique_ptr<PieceModel> read_wordpiece(const Json& model);
std::unique_ptr<PieceModel> read_unigram(const Json& model);
// Pieces with scores, of which neighbours are merged, the best first: llama2.c, and Llama's in GGUF.
std::unique_ptr<PieceModel> read_scored(const Json& model);

// A tokenizer: text to numbers and back, as tokenizer.json describes it.
class Tokenizer {
 public:
  // Throws Error for a kind that is not known, naming it.
  explicit Tokenizer(const Json& json);

  [[nodiscard]] PieceIds encode(std::string_view text) const;
  [[nodiscard]] std::string decode(const PieceIds& ids) const;
  // How a piece is shown: as it stands in the vocabulary.
  [[nodiscard]] std::string shown(std::size_t id) const;
  [[nodiscard]] std::size_t size() const { return model_->size(); }
  // Whether a text ends with this piece.
  [[nodiscard]] bool is_end(std::size_t id) const;
  [[nodiscard]] std::optional<std::size_t> find(const std::string& piece) const {
    return model_->find(piece);
  }

 private:
  struct Added {
    std::string text;
    std::size_t id;
    bool special;
  };
  void read_added(const Json& json);
  void read_ends(const Json& json);
  void encode_part(std::string_view text, bool first, PieceIds& ids) const;
  [[nodiscard]] const Added* added_at(std::string_view text) const;
  [[nodiscard]] bool is_special(std::size_t id) const;

  Json normaliser_, splitter_, decoder_;
  bool byte_level_ = false, scored_ = false;
  std::unique_ptr<PieceModel> model_;
  std::vector<Added> added_;
  PieceIds before_, after_;  // of a single text
  PieceIds ends_;
};

// The steps of a tokenizer.json's "normalizer". Throws Error naming one that is not known.
std::string normalised(std::string text, const Json& step);
// Those of its "pre_tokenizer"; `first` is whether the text begins here.
std::vector<std::string> split_text(const std::string& text, const Json& step, bool first);
// GPT-2's pattern: contractions, words with the space before them, numbers, signs.
std::vector<std::string> split_like_gpt2(const std::string& text);
// Whether a step, or one of a sequence of steps, is of this type.
bool has_step(const Json& step, std::string_view type);

}  // namespace attend
