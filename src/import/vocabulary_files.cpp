// SPDX-License-Identifier: Apache-2.0
// The older form of a tokenizer, as a tokenizer.json: vocab.txt of BERT (WordPiece), and vocab.json with merges.txt of
// GPT-2 and RoBERTa (BPE over bytes). tokenizer_config.json and added_tokens.json beside them complete it.
#include <algorithm>
#include <limits>
#include <set>

#include "import/checkpoint.h"
#include "import/text_units.h"
#include "import/tokenizer.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::uint64_t most_vocabulary_bytes = std::uint64_t{64} << 20U;
constexpr std::size_t longest_piece = 4096, most_lines = std::size_t{1} << 21U;

// A file with this name can hold another kind of vocabulary. The model can be imported without it, so only what is no
// text is refused.
[[noreturn]] void leave_out(const std::string& name, const std::string& why) {
  throw UnknownTokenizer("\"" + name + "\": " + why);
}

std::vector<std::string> lines_of(const ByteSource& file) {
  if (file.size() > most_vocabulary_bytes)
    leave_out(file.name(), "it has " + std::to_string(file.size()) + " bytes; at most " +
                               std::to_string(most_vocabulary_bytes) + " are read");
  const std::string text = file.text(0, file.size());
  if (utf8_of(characters_of(text)) != text) refuse_file(file, "it is not text in UTF-8");
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end - at > longest_piece)
      leave_out(file.name(), "a line of more than " + std::to_string(longest_piece) +
                                 " bytes begins at byte " + std::to_string(at));
    lines.push_back(text.substr(at, end - at));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    if (lines.size() > most_lines) leave_out(file.name(), "it has too many pieces");
    at = end + 1;
  }
  return lines;
}

// A member of tokenizer_config.json that is true or false.
bool setting(const Checkpoint& from, const char* name, bool otherwise) {
  const Json value = from.tokenizer_settings.value(name, Json());
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

// A token is a text, or an object with its "content".
std::string token_text(const Json& token, const std::string& otherwise) {
  const Json text = token.is_object() ? token.value("content", Json()) : token;
  return text.is_string() ? text.get<std::string>() : otherwise;
}

// A token of tokenizer_config.json.
std::string token(const Checkpoint& from, const char* name, const std::string& otherwise) {
  return token_text(from.tokenizer_settings.value(name, Json()), otherwise);
}

// The tokens that tokenizer_config.json declares special: a decoded text omits them.
std::set<std::string> declared_special(const Checkpoint& from) {
  std::set<std::string> special;
  for (const char* const name :
       {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
    special.insert(token(from, name, ""));
  const Json& settings = from.tokenizer_settings;
  for (const char* const list : {"additional_special_tokens", "extra_special_tokens"}) {
    for (const Json& one : settings.value(list, Json())) special.insert(token_text(one, ""));
  }
  for (const Json& one : settings.value("added_tokens_decoder", Json())) {
    if (one.is_object() && one.value("special", Json()) == true)
      special.insert(token_text(one, ""));
  }
  return special;
}

// The tokens that are found before a text is split: those of a list of special tokens that the vocabulary has, and
// those of added_tokens.json. Many of the latter are ordinary text, such as runs of spaces.
Json added_tokens(const Checkpoint& from, const Json& vocabulary,
                  std::initializer_list<const char*> listed) {
  Json added = Json::array();
  std::set<std::string> special = declared_special(from);
  special.insert(listed.begin(), listed.end());
  const auto add = [&](const std::string& text, const Json& id) {
    Json one;
    one["id"] = id;
    one["content"] = text;
    one["special"] = special.contains(text);
    one["lstrip"] = text == "<mask>";
    added.push_back(std::move(one));
  };
  for (const char* const text : listed) {
    if (vocabulary.contains(text)) add(text, vocabulary[text]);
  }
  for (const auto& [text, id] : from.added_tokens.items()) {
    if (id.is_number_unsigned() && !vocabulary.contains(text)) add(text, id);
  }
  return added;
}

// Puts a token in front of every text, or behind it; none where it has no name. The token can be one that was added.
void put_around(Json& json, const char* place, const Checkpoint& from, const Json& vocabulary,
                const std::string& text) {
  if (text.empty()) return;
  const Json id =
      vocabulary.contains(text) ? vocabulary[text] : from.added_tokens.value(text, Json());
  if (!id.is_number_unsigned())
    throw UnknownTokenizer("the vocabulary has no piece \"" + text +
                           "\", which every text needs; give tokenizer.json");
  json["post_processor"]["type"] = "BertProcessing";
  json["post_processor"][place] = Json::array({text, id});
}

// Weights that were saved before tokens were added have no rows for these.
void check_rows(const Checkpoint& from, const Json& tokenizer) {
  const Json rows = from.config.value("vocab_size", Json());
  if (!rows.is_number_unsigned()) return;
  std::uint64_t last = 0;
  const auto take = [&](const Json& id) {
    if (id.is_number_unsigned()) last = std::max(last, id.get<std::uint64_t>());
  };
  for (const Json& id : tokenizer["model"]["vocab"]) take(id);
  for (const Json& one : tokenizer["added_tokens"]) take(one["id"]);
  if (last >= rows.get<std::uint64_t>())
    throw UnknownTokenizer("a piece of the vocabulary has the number " + std::to_string(last) +
                           ", but the model has " + rows.dump() + " rows; give tokenizer.json");
}

// Classes of tokenizers split words in their own ways, such as into characters. These do it as BERT does.
void check_splits_as_bert(const Checkpoint& from) {
  Json given = from.tokenizer_settings.value("tokenizer_class", Json());
  if (!given.is_string()) given = from.config.value("tokenizer_class", Json());
  if (!given.is_string()) return;
  const std::string name = given;
  for (const std::string one :
       {"BertTokenizer", "DistilBertTokenizer", "MPNetTokenizer", "ElectraTokenizer"}) {
    if (name == one || name == one + "Fast") return;
  }
  throw UnknownTokenizer("vocab.txt does not tell how the tokenizer_class " + given.dump() +
                         " splits a text; give tokenizer.json");
}

// Words with capitals are of no use to a model whose texts are made lower-case first.
bool has_capitals(const std::vector<std::string>& pieces) {
  return std::ranges::any_of(pieces, [](const std::string& piece) {
    return !piece.empty() && piece[0] >= 'A' && piece[0] <= 'Z';
  });
}

Json word_pieces(const Checkpoint& from, const ByteSource& file) {
  check_splits_as_bert(from);
  const std::vector<std::string> pieces = lines_of(file);
  Json vocabulary = Json::object();
  for (std::size_t id = 0; id < pieces.size(); ++id)
    vocabulary[pieces[id].empty() ? "[line " + std::to_string(id) + "]" : pieces[id]] = id;
  const bool bert = vocabulary.contains("[CLS]");
  const std::string unknown = token(from, "unk_token", "[UNK]");
  const std::string before = token(from, "cls_token", bert ? "[CLS]" : "<s>");
  const std::string after = token(from, "sep_token", bert ? "[SEP]" : "</s>");
  if (!vocabulary.contains(unknown))
    leave_out(file.name(), "it has no line \"" + unknown + "\"; give tokenizer.json");
  const Json accents = from.tokenizer_settings.value("strip_accents", Json());
  Json json = parse_foreign_json(
      R"({"normalizer": {"type": "BertNormalizer", "clean_text": true},
          "pre_tokenizer": {"type": "BertPreTokenizer"},
          "decoder": {"type": "WordPiece", "prefix": "##"},
          "model": {"type": "WordPiece", "continuing_subword_prefix": "##",
                    "max_input_chars_per_word": 100}})",
      "");
  Json& normaliser = json["normalizer"];
  normaliser["handle_chinese_chars"] = setting(from, "tokenize_chinese_chars", true);
  normaliser["lowercase"] = setting(from, "do_lower_case", !has_capitals(pieces));
  if (accents.is_boolean()) normaliser["strip_accents"] = accents;
  put_around(json, "cls", from, vocabulary, before);
  put_around(json, "sep", from, vocabulary, after);
  json["added_tokens"] = added_tokens(
      from, vocabulary,
      {"[PAD]", "<pad>", "<s>", "</s>", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<mask>"});
  json["model"]["unk_token"] = unknown;
  json["model"]["vocab"] = std::move(vocabulary);
  return json;
}

// How Qwen splits a text; GPT-2's way is that of the step ByteLevel itself.
constexpr const char* pattern_of_qwen =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* splitter_of_qwen = R"({"type": "Sequence", "pretokenizers": [
    {"type": "Split", "behavior": "Isolated", "pattern": {}},
    {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]})";

// How a kind of models splits a text, and whether marks are around it.
struct ByteTokens {
  std::string before, after;
  bool qwen = false;
};

// Throws UnknownTokenizer for models of which these two files do not tell how they split a text.
ByteTokens byte_tokens_of(const Checkpoint& from) {
  const Json type = from.config.value("model_type", Json());
  const auto is = [&](std::initializer_list<const char*> types) {
    return std::ranges::any_of(types, [&](const char* one) { return type == one; });
  };
  if (is({"roberta", "bart"}))
    return {.before = token(from, "cls_token", "<s>"), .after = token(from, "sep_token", "</s>")};
  if (is({"opt"})) return {.before = token(from, "bos_token", "</s>"), .after = ""};
  if (is({"qwen2", "qwen3"})) return {.before = "", .after = "", .qwen = true};
  if (type.is_null() || is({"gpt2", "gpt_neo", "gptj", "codegen", "phi"}))
    return {.before = setting(from, "add_bos_token", false) ? token(from, "bos_token", "") : "",
            .after = ""};
  throw UnknownTokenizer("vocab.json and merges.txt do not tell how texts of the model_type " +
                         type.dump() + " are split; give tokenizer.json");
}

Json merged_bytes(const Checkpoint& from, const ByteSource& file) {
  const ByteTokens how = byte_tokens_of(from);
  const Json& vocabulary = from.vocabulary;
  const bool bytes = std::ranges::any_of(vocabulary.items(), [](const auto& one) {
    return one.key().starts_with("\xc4\xa0");  // the stand-in for a space
  });
  if (!bytes)
    throw UnknownTokenizer("\"" + from.vocabulary_name +
                           "\" has no pieces of bytes as GPT-2 has them; give tokenizer.json");
  Json merges = Json::array();
  for (std::string& line : lines_of(file)) {
    if (line.empty() || line.starts_with("#version")) continue;
    if (line.find(' ', 1) == std::string::npos)
      leave_out(file.name(), "expected a merge of two pieces, found \"" + line + "\"");
    merges.push_back(std::move(line));
  }
  Json json =
      parse_foreign_json(R"({"decoder": {"type": "ByteLevel"}, "model": {"type": "BPE"}})", "");
  if (how.qwen) {
    json["normalizer"]["type"] = "NFC";
    json["pre_tokenizer"] = parse_foreign_json(splitter_of_qwen, "");
    json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = pattern_of_qwen;
  } else {
    json["pre_tokenizer"]["type"] = "ByteLevel";
    json["pre_tokenizer"]["add_prefix_space"] = setting(from, "add_prefix_space", false);
  }
  put_around(json, "cls", from, vocabulary, how.before);
  put_around(json, "sep", from, vocabulary, how.after);
  json["added_tokens"] =
      added_tokens(from, vocabulary, {"<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>"});
  json["model"]["vocab"] = vocabulary;
  json["model"]["merges"] = std::move(merges);
  return json;
}

}  // namespace

bool is_vocabulary_file(std::string_view name) {
  return name == "vocab.txt" || name == "merges.txt";
}

void settle_vocabulary_files(Checkpoint& into) {
  const ByteSource* const file = into.vocabulary_file.get();
  if (!into.tokenizer.is_null() || file == nullptr) return;
  const bool merges = file->name().ends_with("merges.txt");
  try {
    if (merges && !into.vocabulary.is_object())
      throw UnknownTokenizer("\"" + file->name() + "\" needs vocab.json, which numbers the pieces");
    if (!into.tokenizer_damage.empty()) throw UnknownTokenizer(into.tokenizer_damage);
    Json tokenizer = merges ? merged_bytes(into, *file) : word_pieces(into, *file);
    check_rows(into, tokenizer);
    into.tokenizer = std::move(tokenizer);
    into.tokenizer_name = merges ? into.vocabulary_name : file->name();
  } catch (const UnknownTokenizer& unknown) {
    into.tokenizer_left = unknown.what();
  }
}

}  // namespace attend
