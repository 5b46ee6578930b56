// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "experiment/text/json_parse.h"
#include "ops/error.h"

namespace attend {

using PieceIds = std::vector<std::size_t>;

// A tokenizer that is valid but of an unknown kind: the model can be used without it.
class UnknownTokenizer : public Error {
 public:
  explicit UnknownTokenizer(const std::string& message) : Error("", message) {}
};

// Turns a word, or a whole text, into pieces of a vocabulary.
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
// The score of a piece that is never read in a text, because only the other of two texts has it.
inline constexpr double score_of_unread = -1e30;
// Pieces with scores, of which neighbours are merged, the best first: llama2.c, and Llama's in GGUF.
std::unique_ptr<PieceModel> read_scored(const Json& model);

// A tokenizer: text to numbers and back, as tokenizer.json describes it.
class Tokenizer {
 public:
  // Throws UnknownTokenizer for a kind that is not known, naming it, and Error for one that is damaged.
  explicit Tokenizer(const Json& json);

  [[nodiscard]] PieceIds encode(std::string_view text) const;
  [[nodiscard]] std::string decode(const PieceIds& ids) const;
  // How a piece is shown: as it is written in the vocabulary.
  [[nodiscard]] std::string shown(std::size_t id) const;
  // The bytes of a piece that holds only a part of a character, so that they are no text by themselves; else empty.
  [[nodiscard]] std::string partial_bytes(std::size_t id) const;
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
    bool left, right;  // takes the white space on this side
    bool word;         // only where no letter or digit is beside it
  };
  // Where an added token was found in a text.
  struct Found {
    const Added* token;
    std::size_t begin, end;  // with the white space that it takes
  };
  void read_added(const Json& json);
  void read_ends(const Json& json);
  void encode_part(std::string_view text, bool first, PieceIds& ids) const;
  [[nodiscard]] const Added* added_at(std::string_view text, std::size_t at) const;
  // The first added token from `from` on; none, at the end of the text, where there is none.
  [[nodiscard]] Found find_added(std::string_view text, std::size_t from) const;
  [[nodiscard]] const Added* added_token(std::size_t id) const;
  // What a piece of stand-ins for bytes stands for; nothing where one of its characters is no stand-in.
  [[nodiscard]] std::optional<std::string> bytes_of_stand_ins(std::size_t id) const;
  [[nodiscard]] bool is_special(std::size_t id) const;

  Json normaliser_, splitter_, decoder_;
  bool byte_level_ = false, scored_ = false, adds_space_ = true;
  std::unique_ptr<PieceModel> model_;
  std::vector<Added> added_;
  PieceIds before_, after_;  // of a single text
  PieceIds ends_;
};

// The steps of a tokenizer.json's "normalizer". Throws UnknownTokenizer naming one that is not known.
std::string normalised(std::string text, const Json& step);
// Those of its "pre_tokenizer"; `first` is whether the text begins here.
std::vector<std::string> split_text(const std::string& text, const Json& step, bool first);
// A part of a text, and whether it is what a pattern describes or what lies between.
struct Stretch {
  std::string text;
  bool matches;
};
// The text cut before and after each match of a regular expression; nothing where the expression is not known.
std::optional<std::vector<Stretch>> stretches_by_pattern(const std::string& text,
                                                         std::string_view pattern);
// The same without what matches.
std::optional<std::vector<std::string>> split_by_pattern(const std::string& text,
                                                         std::string_view pattern);
// GPT-2's pattern: contractions, words with the space before them, numbers, signs.
std::vector<std::string> split_like_gpt2(const std::string& text);
// A member that is true or false. Throws Error where it is anything else.
bool flag_of(const Json& step, const char* name, bool otherwise);
// The steps of a sequence. Throws Error where it has no such list.
Json steps_of(const Json& step, const char* name);
// Whether a step, or one of a sequence of steps, is of this type.
bool has_step(const Json& step, std::string_view type);

}  // namespace attend
