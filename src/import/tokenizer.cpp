// SPDX-License-Identifier: Apache-2.0
#include "import/tokenizer.h"

#include <algorithm>
#include <array>

#include "import/text_units.h"
#include "ops/error.h"

namespace attend {
namespace {

Json member_of(const Json& json, const char* name) {
  return json.is_object() ? json.value(name, Json()) : Json();
}

bool is_count(const Json& json) {
  return json.is_number_integer() && json.get<std::int64_t>() >= 0;
}

// <0x0A> as its byte; -1 for any other piece.
int byte_of_piece(const std::string& piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>') return -1;
  const std::string_view digits = "0123456789ABCDEF";
  const std::size_t high = digits.find(piece[3]), low = digits.find(piece[4]);
  if (high == std::string_view::npos || low == std::string_view::npos) return -1;
  return static_cast<int>(16 * high + low);
}

// llama2.c writes its marks as "\n<s>\n".
std::string without_breaks(const std::string& piece) {
  const bool mark = piece.starts_with("\n<") && piece.ends_with(">\n");
  return mark ? piece.substr(1, piece.size() - 2) : piece;
}

// How many bytes of white space a text begins with.
std::size_t leading_space(std::string_view text) {
  std::size_t bytes = 0;
  for (const char32_t c : characters_of(text)) {
    if (!is_space(c)) break;
    bytes += utf8_of(c).size();
  }
  return bytes;
}

// How many bytes of a text are before the white space that it ends with.
std::size_t before_space(std::string_view text) {
  std::size_t bytes = text.size();
  const std::u32string all = characters_of(text);
  for (auto c = all.rbegin(); c != all.rend() && is_space(*c); ++c) bytes -= utf8_of(*c).size();
  return bytes;
}

bool is_of_word(char32_t c) { return is_letter(c) || is_number(c) || is_mark(c) || c == '_'; }

bool begins_word(std::string_view text) {
  const std::u32string first = characters_of(text.substr(0, 4));
  return !first.empty() && is_of_word(first.front());
}

bool ends_in_word(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xc0U) == 0x80) {
  }
  return begins_word(text.substr(at));
}

// What a template puts around a single text: {"SpecialToken": {"id": "[CLS]"}} before and after {"Sequence": ..}.
void read_template(const Json& step, const PieceModel& model, PieceIds& before, PieceIds& after) {
  const Json said = member_of(step, "type");
  const std::string type = said.is_string() ? said.get<std::string>() : "";
  if (type == "Sequence") {
    for (const Json& one : steps_of(step, "processors")) read_template(one, model, before, after);
  } else if (type == "BertProcessing" || type == "RobertaProcessing") {
    for (const auto& [name, ids] : {std::pair{"cls", &before}, std::pair{"sep", &after}}) {
      const Json pair = member_of(step, name);
      if (pair.is_array() && pair.size() == 2 && is_count(pair[1])) ids->push_back(pair[1]);
    }
  } else if (type == "TemplateProcessing") {
    PieceIds* into = &before;
    for (const Json& one : member_of(step, "single")) {
      if (one.contains("Sequence")) into = &after;
      const Json name = member_of(member_of(one, "SpecialToken"), "id");
      if (!name.is_string()) continue;
      const auto id = model.find(name.get<std::string>());
      if (id) into->push_back(*id);
    }
  }
}

}  // namespace

Tokenizer::Tokenizer(const Json& json)
    : normaliser_(member_of(json, "normalizer")),
      splitter_(member_of(json, "pre_tokenizer")),
      decoder_(member_of(json, "decoder")) {
  const Json model = member_of(json, "model");
  if (!model.is_object()) refuse("", "the tokenizer has no \"model\"");
  const Json said = member_of(model, "type");
  // Older files of BPE and WordPiece do not say their type.
  const std::string type = said.is_string()           ? said.get<std::string>()
                           : model.contains("merges") ? "BPE"
                                                      : "WordPiece";
  byte_level_ = has_step(splitter_, "ByteLevel");
  scored_ = type == "Scored";
  model_ = type == "BPE"         ? read_bpe(model, byte_level_)
           : type == "WordPiece" ? read_wordpiece(model)
           : type == "Unigram"   ? read_unigram(model)
           : scored_             ? read_scored(model)
                                 : nullptr;
  if (model_ == nullptr)
    throw UnknownTokenizer(
        "the tokenizer is of the type \"" + type +
        "\"; the known types are BPE, WordPiece, Unigram, and llama2.c's scored pieces");
  read_added(json);
  read_template(member_of(json, "post_processor"), *model_, before_, after_);
  const Json opens = member_of(model, "begin");
  if (is_count(opens)) before_.push_back(opens);
  const Json closes = member_of(model, "close");
  if (is_count(closes)) after_.push_back(closes);
  adds_space_ = flag_of(model, "add_prefix_space", true);
  read_ends(json);
  for (const PieceIds* ids : {&before_, &after_, &ends_}) {
    for (const std::size_t id : *ids) {
      if (id >= size())
        refuse("", "the tokenizer has " + std::to_string(size()) +
                       " pieces, but it refers to piece number " + std::to_string(id));
    }
  }
  // Every step is taken once, so that what is wrong with one is said here and not at the first text.
  PieceIds trial;
  encode_part("a", true, trial);
}

void Tokenizer::read_added(const Json& json) {
  for (const Json& one : member_of(json, "added_tokens")) {
    const Json id = member_of(one, "id"), content = member_of(one, "content");
    if (!is_count(id) || !content.is_string() || id.get<std::size_t>() > size() + 100'000) continue;
    added_.push_back({content, id, flag_of(one, "special", false), flag_of(one, "lstrip", false),
                      flag_of(one, "rstrip", false), flag_of(one, "single_word", false)});
    model_->put(id, content);
  }
  // A longer one is looked for first.
  std::ranges::stable_sort(
      added_, [](const Added& a, const Added& b) { return a.text.size() > b.text.size(); });
}

void Tokenizer::read_ends(const Json& json) {
  const Json end = member_of(member_of(json, "model"), "end");
  if (is_count(end)) ends_.push_back(end);
  // llama2.c also ends where a new text begins.
  if (scored_) ends_.insert(ends_.end(), before_.begin(), before_.end());
  for (const char* const name :
       {"</s>", "<|endoftext|>", "<|im_end|>", "<|end_of_text|>", "<|eot_id|>", "[SEP]"}) {
    if (const auto id = find(name)) ends_.push_back(*id);
  }
}

bool Tokenizer::is_end(std::size_t id) const { return std::ranges::find(ends_, id) != ends_.end(); }

const Tokenizer::Added* Tokenizer::added_token(std::size_t id) const {
  const auto found = std::ranges::find(added_, id, &Added::id);
  return found == added_.end() ? nullptr : &*found;
}

bool Tokenizer::is_special(std::size_t id) const {
  if (scored_ && added_.empty()) return id < 3;  // llama2.c has no list of them
  const Added* const added = added_token(id);
  return added != nullptr && added->special;
}

const Tokenizer::Added* Tokenizer::added_at(std::string_view text, std::size_t at) const {
  const auto found = std::ranges::find_if(added_, [&](const Added& one) {
    if (one.text.empty() || !text.substr(at).starts_with(one.text)) return false;
    return !one.word ||
           (!ends_in_word(text.substr(0, at)) && !begins_word(text.substr(at + one.text.size())));
  });
  return found == added_.end() ? nullptr : &*found;
}

Tokenizer::Found Tokenizer::find_added(std::string_view text, std::size_t from) const {
  for (std::size_t at = from; at < text.size(); ++at) {
    const Added* const added = added_at(text, at);
    if (added == nullptr) continue;
    const std::size_t end = at + added->text.size();
    return {added, added->left ? from + before_space(text.substr(from, at - from)) : at,
            added->right ? end + leading_space(text.substr(end)) : end};
  }
  return {nullptr, text.size(), text.size()};
}

void Tokenizer::encode_part(std::string_view text, bool first, PieceIds& ids) const {
  const std::string whole = normalised(std::string(text), normaliser_);
  if (whole.empty()) return;
  for (const std::string& part : split_text(whole, splitter_, first)) {
    const PieceIds pieces = model_->pieces_of(part);
    ids.insert(ids.end(), pieces.begin(), pieces.end());
  }
}

PieceIds Tokenizer::encode(std::string_view text) const {
  PieceIds ids = before_;
  std::size_t begin = 0;
  while (true) {
    const Found found = find_added(text, begin);
    encode_part(text.substr(begin, found.begin - begin), begin == 0, ids);
    if (found.token == nullptr) break;
    ids.push_back(found.token->id);
    begin = found.end;
  }
  ids.insert(ids.end(), after_.begin(), after_.end());
  return ids;
}

std::string Tokenizer::shown(std::size_t id) const {
  if (id >= size()) return "#" + std::to_string(id);
  if (!byte_level_) return without_breaks(model_->texts[id]);
  // A space as it is shown everywhere, and bytes that make no character by their numbers.
  const auto bytes = bytes_of_stand_ins(id);
  return bytes ? shown_bytes(*bytes) : model_->texts[id];
}

std::optional<std::string> Tokenizer::bytes_of_stand_ins(std::size_t id) const {
  std::string bytes;
  for (const char32_t c : characters_of(model_->texts[id])) {
    const int byte = byte_of(c);
    if (byte < 0) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string Tokenizer::partial_bytes(std::size_t id) const {
  if (id >= size() || added_token(id) != nullptr) return "";
  std::string bytes;
  if (const int byte = byte_of_piece(model_->texts[id]); byte >= 0)
    bytes = static_cast<char>(byte);
  else if (byte_level_)
    bytes = bytes_of_stand_ins(id).value_or("");
  return is_whole_text(bytes) ? "" : bytes;
}

std::string Tokenizer::decode(const PieceIds& ids) const {
  const std::string block = "\xe2\x96\x81";
  const bool words = has_step(decoder_, "WordPiece");
  std::string text;
  for (const std::size_t id : ids) {
    if (id >= size() || is_special(id)) continue;
    std::string piece = model_->texts[id];
    const int byte = byte_of_piece(piece);
    if (byte >= 0) {
      text += static_cast<char>(byte);
    } else if (byte_level_ && added_token(id) != nullptr) {
      text += piece;  // these are written as they are
    } else if (byte_level_) {
      for (const char32_t c : characters_of(piece)) {
        const int one = byte_of(c);
        text += one < 0 ? utf8_of(c) : std::string(1, static_cast<char>(one));
      }
    } else if (words) {
      const bool inner = piece.starts_with("##");
      text += inner ? piece.substr(2) : (text.empty() ? "" : " ") + piece;
    } else {
      for (std::size_t at = piece.find(block); at != std::string::npos;
           at = piece.find(block, at + 1))
        piece.replace(at, block.size(), " ");
      text += piece;
    }
  }
  // The space in front of the first word was put there when the text was read.
  if (!byte_level_ && !words && adds_space_ && text.starts_with(" ")) text.erase(0, 1);
  return text;
}

}  // namespace attend
