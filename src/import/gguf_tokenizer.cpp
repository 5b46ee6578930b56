// SPDX-License-Identifier: Apache-2.0
// The tokenizer that llama.cpp keeps among the metadata, in the form of a tokenizer.json.
#include <algorithm>
#include <array>

#include "import/checkpoint.h"
#include "import/text_units.h"
#include "ops/error.h"

namespace attend {
namespace {

// What "tokenizer.ggml.token_type" says of a token.
enum class Role : std::uint8_t { unknown = 2, control = 3, user_defined = 4 };

bool is_utf8(const std::string& text) { return utf8_of(characters_of(text)) == text; }

class Settings {
 public:
  Settings(const ByteSource& file, const Json& meta) : file_(file), meta_(meta) {}

  [[nodiscard]] Json at(const char* name) const {
    const std::string key = key_of(name);
    return meta_.contains(key) ? meta_[key] : Json();
  }
  [[nodiscard]] bool flag(const char* name, bool otherwise) const {
    const Json value = at(name);
    if (!value.is_null() && !value.is_boolean())
      refuse_file(file_, "its setting \"" + key_of(name) + "\" should be true or false, found " +
                             describe(value));
    return value.is_null() ? otherwise : value.get<bool>();
  }
  // The texts of a list. JSON holds no others than UTF-8.
  [[nodiscard]] Json texts(const char* name) const {
    Json list = at(name);
    if (!list.is_array()) return nullptr;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_string() || !is_utf8(list[i].get_ref<const std::string&>()))
        refuse_file(file_, "entry " + std::to_string(i) + " of its setting \"" + key_of(name) +
                               "\" should be text in UTF-8");
    }
    return list;
  }

 private:
  static std::string key_of(const char* name) { return std::string("tokenizer.ggml.") + name; }

  const ByteSource& file_;
  const Json& meta_;
};

// How llama.cpp splits a text for the tokenizers of a name in "tokenizer.ggml.pre".
const std::string gpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
// Both with how many digits stay together.
std::string like_llama3(const std::string& digits) {
  return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})" + digits +
         R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
}

Json split_step(const std::string& pattern) {
  return {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}};
}

// The steps before the bytes; null where the name is not known.
Json splitting_of(const std::string& name) {
  const auto among = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (among({"gpt-2", "mpt", "olmo"})) return Json::array({split_step(gpt2)});
  if (among({"smollm", "starcoder", "refact", "command-r"}))
    return Json::array({{{"type", "Digits"}, {"individual_digits", true}}, split_step(gpt2)});
  if (among({"qwen2", "stablelm2", "deepseek-r1-qwen"}))
    return Json::array({split_step(like_llama3(""))});
  if (among({"llama3", "llama-v3", "llama-bpe"}))
    return Json::array({split_step(like_llama3("{1,3}"))});
  if (among({"default", ""}))
    return Json::array({split_step(R"([\p{P}\$\+<=>\^~\|]+)"), split_step(gpt2),
                        split_step(R"(\p{N}+)"), split_step("[0-9][0-9][0-9]")});
  return nullptr;
}

// Tokens that stand in a text as they are, each with whether it is left out where a text is shown.
Json added_tokens(const Json& tokens, const Json& types, bool scored) {
  Json added = Json::array();
  for (std::size_t i = 0; i < std::min(tokens.size(), types.size()); ++i) {
    if (!types[i].is_number_integer()) continue;
    const auto type = static_cast<Role>(types[i].get<std::int64_t>());
    const bool control = type == Role::control || (scored && type == Role::unknown);
    if (control || type == Role::user_defined)
      added.push_back({{"id", i}, {"content", tokens[i]}, {"special", control}});
  }
  return added;
}

}  // namespace

void read_gguf_tokenizer(const SharedSource& file, const Json& meta, Checkpoint& into) {
  const Settings settings(*file, meta);
  const Json kind = settings.at("model"), tokens = settings.texts("tokens");
  if (!tokens.is_array() || !kind.is_string()) return;
  into.tokenizer_name = file->name();
  const Json scores = settings.at("scores"), types = settings.at("token_type");
  const bool scored = kind == "llama";
  const Json named = settings.at("pre");
  const std::string pre = named.is_string() ? named.get<std::string>() : "";
  Json model{{"end", settings.at("eos_token_id")}};
  const bool begins = scored || pre == "llama-bpe" || pre == "llama3" || pre == "llama-v3";
  const Json begin = settings.at("bos_token_id");
  if (settings.flag("add_bos_token", begins))
    model["begin"] = begin.is_null() && scored ? Json(1) : begin;
  if (settings.flag("add_eos_token", false)) model["close"] = model["end"];
  Json tokenizer{{"added_tokens", added_tokens(tokens, types, scored)}};
  if (scored && scores.is_array() && scores.size() == tokens.size()) {
    model["type"] = "Scored";
    model["pieces"] = Json::array();
    for (std::size_t i = 0; i < tokens.size(); ++i)
      model["pieces"].push_back({tokens[i], scores[i]});
    model["space"] = "\xe2\x96\x81";
    model["add_prefix_space"] = settings.flag("add_space_prefix", true);
    model["late_bytes"] = true;
  } else if (const Json merges = settings.texts("merges"), steps = splitting_of(pre);
             kind == "gpt2" && merges.is_array() && !steps.is_null()) {
    model["type"] = "BPE";
    model["vocab"] = Json::object();
    for (std::size_t i = 0; i < tokens.size(); ++i)
      model["vocab"][tokens[i].get<std::string>()] = i;
    model["merges"] = merges;
    model["ignore_merges"] = pre == "llama-bpe" || pre == "llama3" || pre == "llama-v3";
    Json list = steps;
    list.push_back({{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}});
    tokenizer["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", std::move(list)}};
    tokenizer["decoder"] = {{"type", "ByteLevel"}};
  } else {
    into.tokenizer_left =
        kind == "gpt2" && merges.is_array()
            ? "its setting \"tokenizer.ggml.pre\" is \"" + pre + "\", which is not known"
            : "its setting \"tokenizer.ggml.model\" is " + describe(kind) +
                  ", whose settings are not known; only \"llama\" with scores and \"gpt2\" with "
                  "merges can be read";
    return;
  }
  tokenizer["model"] = std::move(model);
  into.tokenizer = std::move(tokenizer);
}

}  // namespace attend
