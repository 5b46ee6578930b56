// SPDX-License-Identifier: Apache-2.0
// SentencePiece's files of pieces (a protocol buffer) in the form of a tokenizer.json: of models whose pieces have the
// file's own numbers, and of Marian, whose vocab.json numbers the pieces of two files.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "import/architecture.h"
#include "import/character_map.h"
#include "import/checkpoint.h"
#include "import/text_units.h"
#include "import/tokenizer.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;
constexpr std::size_t most_unigram_pieces = std::size_t{1} << 21U;

// The fields of a message, one after another, as the format's encoding has them: a key, then a number, four or eight
// bytes, or a stretch of so many bytes.
class MessageFields {
 public:
  MessageFields(const ByteSource& file, std::string_view bytes) : file_(file), bytes_(bytes) {}

  // Moves to the next field; false at the end.
  bool next() {
    if (bytes_.empty()) return false;
    const std::uint64_t key = varint();
    number = key >> 3U;
    value = 0;
    inside = {};
    constexpr std::uint64_t kind_bits = 7;
    const std::uint64_t kind = key & kind_bits;
    if (kind == 0) {
      value = varint();
    } else if (kind == 1 || kind == 5) {
      inside = take(kind == 1 ? 8 : 4);
    } else if (kind == 2) {
      inside = take(varint());
    } else {
      refuse_file(file_, "it is damaged: a field has the unknown type " + std::to_string(kind));
    }
    return true;
  }
  // Four bytes as a number of single precision.
  [[nodiscard]] double single() const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < inside.size() && i < 4; ++i)
      bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(inside[i])) << (8 * i);
    return static_cast<double>(std::bit_cast<float>(bits));
  }

  std::uint64_t number = 0, value = 0;
  std::string_view inside;

 private:
  std::uint64_t varint() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      result |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return result;
    }
    refuse_file(file_, "it is damaged: a number takes more than ten bytes");
  }
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size())
      refuse_file(file_, "it is cut short: " + std::to_string(count) + " bytes are expected, " +
                             std::to_string(bytes_.size()) + " are left");
    const std::string_view taken = bytes_.substr(0, static_cast<std::size_t>(count));
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  const ByteSource& file_;
  std::string_view bytes_;
};

enum class PieceRole : std::uint8_t { normal = 1, unknown = 2, control = 3, user_defined = 4 };

struct StoredPiece {
  std::string text;
  double score = 0;
  std::uint64_t role = 1;
  [[nodiscard]] bool is(PieceRole one) const { return role == static_cast<std::uint64_t>(one); }
};

struct PieceFile {
  std::vector<StoredPiece> pieces;
  std::uint64_t model = 1;  // unigram
  bool falls_back = false, prefix = true, trims = true;
  std::string table;  // what becomes of characters
};

// The numbers of the fields that are read.
namespace piece_field {
constexpr std::uint64_t piece = 1, trainer = 2, normaliser = 3;
constexpr std::uint64_t text = 1, score = 2, role = 3;
constexpr std::uint64_t model = 3, byte_fallback = 35;
constexpr std::uint64_t table = 2, dummy_prefix = 3, removes_spaces = 4;
}  // namespace piece_field

StoredPiece read_piece(const ByteSource& file, std::string_view bytes) {
  StoredPiece piece;
  for (MessageFields fields(file, bytes); fields.next();) {
    if (fields.number == piece_field::text) piece.text = fields.inside;
    if (fields.number == piece_field::score) piece.score = fields.single();
    if (fields.number == piece_field::role) piece.role = fields.value;
  }
  // JSON holds no other texts than UTF-8, and no other numbers than finite ones.
  if (utf8_of(characters_of(piece.text)) != piece.text)
    refuse_file(file, "a piece of its vocabulary is not text in UTF-8");
  if (!std::isfinite(piece.score))
    refuse_file(file, "the score of the piece \"" + piece.text + "\" is not a finite number");
  return piece;
}

PieceFile read_piece_file(const ByteSource& file) {
  if (file.size() > most_bytes)
    refuse_file(file, "it has " + std::to_string(file.size()) + " bytes; at most " +
                          std::to_string(most_bytes) + " are read");
  const std::string bytes = file.text(0, file.size());
  PieceFile read;
  for (MessageFields fields(file, bytes); fields.next();) {
    if (fields.number == piece_field::piece) read.pieces.push_back(read_piece(file, fields.inside));
    if (read.pieces.size() > most_unigram_pieces) refuse_file(file, "it has too many pieces");
    const bool trainer = fields.number == piece_field::trainer;
    if (!trainer && fields.number != piece_field::normaliser) continue;
    for (MessageFields inner(file, fields.inside); inner.next();) {
      if (trainer && inner.number == piece_field::model) read.model = inner.value;
      if (trainer && inner.number == piece_field::byte_fallback) read.falls_back = inner.value != 0;
      if (!trainer && inner.number == piece_field::table) read.table = inner.inside;
      if (!trainer && inner.number == piece_field::dummy_prefix) read.prefix = inner.value != 0;
      if (!trainer && inner.number == piece_field::removes_spaces) read.trims = inner.value != 0;
    }
  }
  if (read.pieces.empty()) refuse_file(file, "it has no pieces: it is not a file of SentencePiece");
  if (read.model != 1)
    throw UnknownTokenizer("\"" + file.name() +
                           "\" merges pairs of pieces (BPE); of SentencePiece's files, only those "
                           "of the type unigram are read. Give tokenizer.json");
  return read;
}

// Everything but the vocabulary. A text ends with `end`.
Json tokenizer_around(const PieceFile& read, const std::string& end) {
  Json json;
  json["normalizer"] = {
      {"type", "Sequence"},
      {"normalizers",
       {{{"type", "Precompiled"}, {"precompiled_charsmap", base64_of(read.table)}}}}};
  if (read.trims) {
    json["normalizer"]["normalizers"].push_back({{"type", "Strip"}});
    json["normalizer"]["normalizers"].push_back(
        {{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}});
  }
  const char* const scheme = read.prefix ? "always" : "never";
  json["pre_tokenizer"] = {{"type", "Metaspace"}, {"prepend_scheme", scheme}};
  json["decoder"] = {{"type", "Metaspace"}, {"prepend_scheme", scheme}};
  json["post_processor"] = {
      {"type", "TemplateProcessing"},
      {"single", {{{"Sequence", {{"id", "A"}}}}, {{"SpecialToken", {{"id", end}}}}}}};
  json["model"] = {{"type", "Unigram"}, {"byte_fallback", read.falls_back}};
  json["added_tokens"] = Json::array();
  return json;
}

void add_token(Json& json, std::size_t id, const std::string& text, bool special = true) {
  json["added_tokens"].push_back({{"id", id}, {"content", text}, {"special", special}});
}

// Pieces by the file's own numbers, as T5 has them.
Json by_own_numbers(const PieceFile& read) {
  Json json = tokenizer_around(read, "</s>");
  for (std::size_t id = 0; id < read.pieces.size(); ++id) {
    const StoredPiece& piece = read.pieces[id];
    json["model"]["vocab"].push_back({piece.text, piece.score});
    if (piece.is(PieceRole::unknown)) json["model"]["unk_id"] = id;
    if (piece.is(PieceRole::control) || piece.is(PieceRole::unknown))
      add_token(json, id, piece.text);
    if (piece.is(PieceRole::user_defined)) add_token(json, id, piece.text, false);
  }
  return json;
}

// The pieces of Marian's source by the numbers of vocab.json. What only the target has is never read in a source.
Json by_vocabulary(const PieceFile& source, const Json& vocabulary, const std::string& name) {
  Json json = tokenizer_around(source, "</s>");
  std::map<std::string, double> scores;
  for (const StoredPiece& piece : source.pieces) {
    if (piece.is(PieceRole::normal)) scores.emplace(piece.text, piece.score);
  }
  std::vector<std::string> texts;
  for (const auto& [text, id] : vocabulary.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= most_unigram_pieces)
      refuse("", "\"" + name + "\" gives " + describe(id) + " as the number of \"" + text +
                     "\"; expected a whole number below " + std::to_string(most_unigram_pieces));
    const auto at = id.get<std::size_t>();
    if (at >= texts.size()) texts.resize(at + 1);
    if (!texts[at].empty())
      refuse("", "\"" + name + "\" gives the number " + std::to_string(at) + " to \"" + texts[at] +
                     "\" and to \"" + text + "\"; expected a different number for each piece");
    texts[at] = text;
  }
  for (const char* const needed : {"</s>", "<unk>"}) {
    if (std::ranges::find(texts, needed) == texts.end())
      refuse("", "\"" + name + "\" has no piece \"" + needed + "\", which every source needs");
  }
  for (std::size_t id = 0; id < texts.size(); ++id) {
    const auto found = scores.find(texts[id]);
    json["model"]["vocab"].push_back(
        {texts[id], found == scores.end() ? score_of_unread : found->second});
    const bool language = texts[id].starts_with(">>") && texts[id].ends_with("<<");
    if (texts[id] == "<unk>") json["model"]["unk_id"] = id;
    if (language || texts[id] == "</s>" || texts[id] == "<unk>" || texts[id] == "<pad>")
      add_token(json, id, texts[id]);
  }
  return json;
}

// Whether the pieces of this kind of model have the numbers of their file.
bool has_own_numbers(const Json& type) {
  return std::ranges::any_of(all_architectures(), [&](const Json& family) {
    const Json& types = family["recognise"]["model_types"];
    return family.value("pieces", "") == "own" && std::ranges::find(types, type) != types.end();
  });
}

}  // namespace

bool is_piece_file(std::string_view name) {
  return name.ends_with(".spm") || name == "spiece.model" || name == "sentencepiece.model";
}

void settle_piece_files(Checkpoint& into) {
  if (!into.tokenizer.is_null() || into.piece_files.empty()) return;
  const auto named = [&](std::string_view name) -> const ByteSource* {
    for (const SharedSource& file : into.piece_files)
      if (file->name().substr(file->name().find_last_of('/') + 1) == name) return file.get();
    return nullptr;
  };
  try {
    const ByteSource* const source = named("source.spm");
    if (into.config.value("share_encoder_decoder_embeddings", Json()) == false) {
      into.tokenizer_left =
          "the model has a vocabulary for the source and another one for the target, of which only "
          "ids are read";
    } else if (source != nullptr && into.vocabulary.is_object()) {
      into.tokenizer_name = source->name();
      into.tokenizer =
          by_vocabulary(read_piece_file(*source), into.vocabulary, into.vocabulary_name);
    } else if (source == nullptr && into.piece_files.size() == 1 &&
               has_own_numbers(into.config.value("model_type", Json()))) {
      into.tokenizer_name = into.piece_files[0]->name();
      into.tokenizer = by_own_numbers(read_piece_file(*into.piece_files[0]));
    } else {
      into.tokenizer_left =
          source != nullptr
              ? "\"" + source->name() + "\" needs vocab.json, which numbers its pieces"
              : "\"" + into.piece_files[0]->name() +
                    "\" is read only for T5 (with a config.json) and Marian (source.spm); give "
                    "tokenizer.json";
    }
  } catch (const UnknownTokenizer& unknown) {
    into.tokenizer_left = unknown.what();
    into.tokenizer = nullptr;
  }
}

}  // namespace attend
