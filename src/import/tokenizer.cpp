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

// What a template puts around a single text: {"SpecialToken": {"id": "[CLS]"}} before and after {"Sequence": ..}.
void read_template(const Json& step, const PieceModel& model, PieceIds& before, PieceIds& after) {
  const std::string type = step.is_object() ? step.value("type", "") : "";
  if (type == "Sequence") {
    for (const Json& one : step["processors"]) read_template(one, model, before, after);
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
    refuse("", "the tokenizer is of the type \"" + type +
                   "\"; the known types are BPE, WordPiece, Unigram, and llama2.c's scored pieces");
  read_added(json);
  read_template(member_of(json, "post_processor"), *model_, before_, after_);
  const Json begin = member_of(model, "begin");
  if (is_count(begin)) before_.push_back(begin);
  read_ends(json);
  for (const PieceIds* ids : {&before_, &after_, &ends_}) {
    for (const std::size_t id : *ids) {
      if (id >= size())
        refuse("", "the tokenizer has " + std::to_string(size()) + " pieces, and names number " +
                       std::to_string(id));
    }
  }
}

void Tokenizer::read_added(const Json& json) {
  for (const Json& one : member_of(json, "added_tokens")) {
    const Json id = member_of(one, "id"), content = member_of(one, "content");
    if (!is_count(id) || !content.is_string() || id.get<std::size_t>() > size() + 100'000) continue;
    added_.push_back({content, id, one.value("special", false)});
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

bool Tokenizer::is_special(std::size_t id) const {
  if (scored_) return id < 3;
  return std::ranges::any_of(added_, [&](const Added& one) { return one.id == id && one.special; });
}

const Tokenizer::Added* Tokenizer::added_at(std::string_view text) const {
  const auto found = std::ranges::find_if(
      added_, [&](const Added& one) { return !one.text.empty() && text.starts_with(one.text); });
  return found == added_.end() ? nullptr : &*found;
}

void Tokenizer::encode_part(std::string_view text, bool first, PieceIds& ids) const {
  if (text.empty()) return;
  for (const std::string& part :
       split_text(normalised(std::string(text), normaliser_), splitter_, first)) {
    const PieceIds pieces = model_->pieces_of(part);
    ids.insert(ids.end(), pieces.begin(), pieces.end());
  }
}

PieceIds Tokenizer::encode(std::string_view text) const {
  PieceIds ids = before_;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Added* added = added_at(text.substr(at));
    if (added == nullptr) {
      ++at;
      continue;
    }
    encode_part(text.substr(begin, at - begin), begin == 0, ids);
    ids.push_back(added->id);
    at += added->text.size();
    begin = at;
  }
  encode_part(text.substr(begin), begin == 0, ids);
  ids.insert(ids.end(), after_.begin(), after_.end());
  return ids;
}

std::string Tokenizer::shown(std::size_t id) const {
  if (id >= size()) return "#" + std::to_string(id);
  if (!byte_level_) return without_breaks(model_->texts[id]);
  // A space as it is shown everywhere; other bytes as they are where they make characters.
  std::string bytes;
  for (const char32_t c : characters_of(model_->texts[id])) {
    const int byte = byte_of(c);
    if (byte < 0) return model_->texts[id];
    bytes += static_cast<char>(byte);
  }
  return utf8_of(characters_of(bytes));
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
  if (!byte_level_ && !words && text.starts_with(" ")) text.erase(0, 1);
  return text;
}

}  // namespace attend
