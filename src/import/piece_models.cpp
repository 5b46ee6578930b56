// SPDX-License-Identifier: Apache-2.0
// The models of a tokenizer: byte-pair encoding, WordPiece, Unigram, and scored merges.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "import/text_units.h"
#include "import/tokenizer.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::size_t most_pieces = std::size_t{1} << 21U;
constexpr std::size_t longest_word = 100;  // of WordPiece: longer ones are unknown

std::size_t number_of(const Json& json, const std::string& what) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 0 ||
      json.get<std::uint64_t>() >= most_pieces)
    refuse("", "the tokenizer gives the number of " + what + " as " + describe(json) +
                   "; expected a whole number of at least 0 and below " +
                   std::to_string(most_pieces));
  return json.get<std::size_t>();
}

void read_vocabulary(const Json& model, PieceModel& into) {
  const Json vocabulary = model.value("vocab", Json());
  if (!vocabulary.is_object()) refuse("", "the tokenizer has no vocabulary");
  for (const auto& [piece, id] : vocabulary.items())
    into.put(number_of(id, "the piece \"" + piece + "\""), piece);
}

std::string text_at(const Json& model, const char* name, const std::string& fallback = "") {
  const Json value = model.value(name, Json());
  return value.is_string() ? value.get<std::string>() : fallback;
}

std::vector<std::string> characters_as_text(const std::string& part) {
  std::vector<std::string> list;
  for (const char32_t c : characters_of(part)) list.push_back(utf8_of(c));
  return list;
}

class BytePairs : public PieceModel {
 public:
  BytePairs(const Json& model, bool byte_level) : byte_level_(byte_level) {
    read_vocabulary(model, *this);
    unknown_ = find(text_at(model, "unk_token"));
    fallback_ = flag_of(model, "byte_fallback", false);
    fuse_ = flag_of(model, "fuse_unk", false);
    whole_first_ = flag_of(model, "ignore_merges", false);
    prefix_ = text_at(model, "continuing_subword_prefix");
    suffix_ = text_at(model, "end_of_word_suffix");
    const Json merges = model.value("merges", Json());
    if (!merges.is_array()) refuse("", "the tokenizer has no merges");
    for (const Json& merge : merges) {
      std::string left, right;
      if (merge.is_string()) {
        const auto text = merge.get<std::string>();
        const std::size_t space = text.find(' ', 1);
        if (space == std::string::npos)
          refuse("", "expected a merge of two pieces, found \"" + text + "\"");
        left = text.substr(0, space);
        right = text.substr(space + 1);
      } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() &&
                 merge[1].is_string()) {
        left = merge[0];
        right = merge[1];
      } else {
        refuse("", "expected a merge of two pieces, found " + describe(merge));
      }
      ranks_.emplace(left + '\0' + right, ranks_.size());
    }
  }

  [[nodiscard]] PieceIds pieces_of(const std::string& part) const override {
    if (whole_first_) {
      if (const auto id = find(part)) return {*id};
    }
    std::vector<std::string> pieces = characters_as_text(part);
    for (std::size_t i = 1; !prefix_.empty() && i < pieces.size(); ++i)
      pieces[i] = prefix_ + pieces[i];
    if (!suffix_.empty() && !pieces.empty()) pieces.back() += suffix_;
    merge(pieces);
    PieceIds ids;
    bool was_unknown = false;
    for (const std::string& piece : pieces) {
      const auto id = find(piece);
      const PieceIds bytes = id || !fallback_ || byte_level_ ? PieceIds{} : byte_pieces(piece);
      const bool is_unknown = !id && bytes.empty();
      if (id) ids.push_back(*id);
      ids.insert(ids.end(), bytes.begin(), bytes.end());
      if (is_unknown && unknown_ && !(fuse_ && was_unknown)) ids.push_back(*unknown_);
      was_unknown = is_unknown;
    }
    return ids;
  }

 private:
  // The pair that comes first among the merges, again and again.
  void merge(std::vector<std::string>& pieces) const {
    while (pieces.size() > 1) {
      std::size_t best = ranks_.size(), at = 0;
      for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        const auto rank = ranks_.find(pieces[i] + '\0' + pieces[i + 1]);
        if (rank == ranks_.end() || rank->second >= best) continue;
        best = rank->second;
        at = i;
      }
      if (best == ranks_.size()) return;
      pieces[at] += pieces[at + 1].substr(prefix_.size());
      pieces.erase(pieces.begin() + static_cast<long>(at) + 1);
    }
  }

  bool byte_level_, fallback_ = false, fuse_ = false, whole_first_ = false;
  std::string prefix_, suffix_;
  std::optional<std::size_t> unknown_;
  std::unordered_map<std::string, std::size_t> ranks_;
};

class WordPieces : public PieceModel {
 public:
  explicit WordPieces(const Json& model)
      : prefix_(text_at(model, "continuing_subword_prefix", "##")) {
    read_vocabulary(model, *this);
    unknown_ = find(text_at(model, "unk_token", "[UNK]"));
  }

  // The longest piece that fits, from the left; a word with a rest is unknown.
  [[nodiscard]] PieceIds pieces_of(const std::string& part) const override {
    const std::u32string word = characters_of(part);
    PieceIds ids;
    bool whole = word.size() <= longest_word;
    for (std::size_t begin = 0; whole && begin < word.size();) {
      std::size_t end = word.size();
      std::optional<std::size_t> id;
      for (; end > begin && !id; --end) {
        id = find((begin == 0 ? "" : prefix_) +
                  utf8_of(std::u32string_view(word).substr(begin, end - begin)));
        if (id) break;
      }
      whole = id.has_value();
      if (whole) ids.push_back(*id);
      begin = end;
    }
    if (whole) return ids;
    return unknown_ ? PieceIds{*unknown_} : PieceIds{};
  }

 private:
  std::string prefix_;
  std::optional<std::size_t> unknown_;
};

void read_scores(const Json& list, PieceModel& into, std::vector<double>& scores) {
  if (!list.is_array()) refuse("", "the tokenizer has no vocabulary");
  for (const Json& entry : list) {
    const bool pair = entry.is_array() && entry.size() == 2 && entry[0].is_string() &&
                      (entry[1].is_number() || entry[1].is_null());
    if (!pair) refuse("", "expected a piece and its score, found " + describe(entry));
    into.put(scores.size(), entry[0].get<std::string>());
    scores.push_back(entry[1].is_null() ? 0 : entry[1].get<double>());
  }
}

class Unigram : public PieceModel {
 public:
  explicit Unigram(const Json& model) {
    read_scores(model.value("vocab", Json()), *this, scores_);
    fallback_ = flag_of(model, "byte_fallback", false);
    const Json unknown = model.value("unk_id", Json());
    if (unknown.is_number_integer()) unknown_ = number_of(unknown, "the unknown piece");
    for (const std::string& text : texts) longest_ = std::max(longest_, text.size());
    double least = std::numeric_limits<double>::infinity();
    for (const double score : scores_) {
      if (score != score_of_unread) least = std::min(least, score);
    }
    if (!std::isfinite(least)) least = 0;
    constexpr double unknown_penalty = 10;
    unknown_score_ = least - unknown_penalty;
  }

  // The likeliest way to cut the text, by Viterbi over its bytes.
  [[nodiscard]] PieceIds pieces_of(const std::string& part) const override {
    struct Best {
      double score = -std::numeric_limits<double>::infinity();
      std::size_t from = 0;
      std::optional<std::size_t> id;
    };
    std::vector<Best> best(part.size() + 1);
    best[0].score = 0;
    for (std::size_t begin = 0; begin < part.size();) {
      std::size_t next = begin + 1;
      while (next < part.size() && (static_cast<unsigned char>(part[next]) & 0xc0U) == 0x80) ++next;
      bool single = false;
      for (std::size_t end = next; end <= part.size() && end - begin <= longest_; ++end) {
        const auto id = find(part.substr(begin, end - begin));
        if (!id || scores_[*id] == score_of_unread) continue;
        single = single || end == next;
        const double score = best[begin].score + scores_[*id];
        if (score > best[end].score) best[end] = {score, begin, id};
      }
      const double score = best[begin].score + unknown_score_;
      if (!single && score > best[next].score) best[next] = {score, begin, std::nullopt};
      begin = next;
    }
    PieceIds ids;
    bool was_unknown = false;
    for (std::size_t end = part.size(); end > 0; end = best[end].from) {
      const Best& step = best[end];
      PieceIds bytes;
      if (!step.id && fallback_) bytes = byte_pieces(part.substr(step.from, end - step.from));
      if (step.id) ids.push_back(*step.id);
      ids.insert(ids.end(), bytes.rbegin(), bytes.rend());
      const bool is_unknown = !step.id && bytes.empty();
      if (is_unknown && !was_unknown && unknown_) ids.push_back(*unknown_);  // neighbours are one
      was_unknown = is_unknown;
    }
    std::ranges::reverse(ids);
    return ids;
  }

 private:
  std::vector<double> scores_;
  double unknown_score_ = 0;
  std::size_t longest_ = 0;
  bool fallback_ = false;
  std::optional<std::size_t> unknown_;
};

class Scored : public PieceModel {
 public:
  explicit Scored(const Json& model)
      : space_(text_at(model, "space", " ")),
        prefix_(flag_of(model, "add_prefix_space", true)),
        late_bytes_(flag_of(model, "late_bytes", false)) {
    read_scores(model.value("pieces", Json()), *this, scores_);
  }

  [[nodiscard]] PieceIds pieces_of(const std::string& part) const override {
    PieceIds ids;
    if (part.empty()) return ids;
    std::string text = prefix_ ? space_ : "";  // a piece of its own in front
    for (const char c : part) text += c == ' ' ? space_ : std::string(1, c);
    // llama2.c makes bytes of a character that is no piece before it merges, and llama.cpp after it.
    std::vector<std::string> pieces;
    for (const std::string& one : characters_as_text(text)) {
      const PieceIds bytes = late_bytes_ || find(one) ? PieceIds{} : byte_pieces(one);
      for (const std::size_t id : bytes) pieces.push_back(texts[id]);
      if (bytes.empty() && (late_bytes_ || find(one))) pieces.push_back(one);
    }
    while (merge_best(pieces)) {
    }
    for (const std::string& piece : pieces) {
      const auto id = find(piece);
      const PieceIds found = id ? PieceIds{*id} : byte_pieces(piece);
      ids.insert(ids.end(), found.begin(), found.end());
    }
    return ids;
  }

 private:
  bool merge_best(std::vector<std::string>& pieces) const {
    double most = -std::numeric_limits<double>::infinity();
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto id = find(pieces[i] + pieces[i + 1]);
      if (!id || scores_[*id] <= most) continue;
      most = scores_[*id];
      at = i;
    }
    if (std::isinf(most)) return false;
    pieces[at] += pieces[at + 1];
    pieces.erase(pieces.begin() + static_cast<long>(at) + 1);
    return true;
  }

  std::string space_;
  bool prefix_, late_bytes_;
  std::vector<double> scores_;
};

}  // namespace

std::optional<std::size_t> PieceModel::find(const std::string& piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

void PieceModel::put(std::size_t id, const std::string& piece) {
  if (id >= texts.size()) texts.resize(id + 1);
  texts[id] = piece;
  ids_.try_emplace(piece, id);
}

PieceIds PieceModel::byte_pieces(const std::string& bytes) const {
  PieceIds ids;
  for (const char c : bytes) {
    std::array<char, 8> name{};
    (void)std::snprintf(name.data(), name.size(), "<0x%02X>", static_cast<unsigned char>(c));
    const auto id = find(name.data());
    if (!id) return {};
    ids.push_back(*id);
  }
  return ids;
}

std::unique_ptr<PieceModel> read_bpe(const Json& model, bool byte_level) {
  return std::make_unique<BytePairs>(model, byte_level);
}
std::unique_ptr<PieceModel> read_wordpiece(const Json& model) {
  return std::make_unique<WordPieces>(model);
}
std::unique_ptr<PieceModel> read_unigram(const Json& model) {
  return std::make_unique<Unigram>(model);
}
std::unique_ptr<PieceModel> read_scored(const Json& model) {
  return std::make_unique<Scored>(model);
}

}  // namespace attend
