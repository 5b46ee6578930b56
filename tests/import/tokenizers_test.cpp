// SPDX-License-Identifier: Apache-2.0
// Tokenizers of published models: how they split, fold and mark a text, and which of them are left out.
#include <doctest/doctest.h>

#include "import/choose_files.h"
#include "import/example_text.h"
#include "import/normal_forms.h"
#include "import/write_text.h"
#include "ops/error.h"
#include "tests/import/made_files.h"

namespace attend::tokenizers_test {
namespace {

using namespace testing;
using Parts = std::vector<std::string>;

const std::string llama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";
const std::string qwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";

Parts parts(const std::string& text, const std::string& pattern) {
  return split_by_pattern(text, pattern).value_or(Parts{"the pattern is not known"});
}

// A vocabulary of the characters of a text, after those of a WordPiece tokenizer's own.
Json word_pieces(const std::string& normaliser, const std::vector<std::string>& words) {
  Json json = Json::parse(R"({"pre_tokenizer": {"type": "BertPreTokenizer"},
                              "model": {"type": "WordPiece", "vocab": {"[UNK]": 0}}})");
  json["normalizer"] = Json::parse(normaliser);
  for (std::size_t i = 0; i < words.size(); ++i) json["model"]["vocab"][words[i]] = i + 1;
  return json;
}

Json bytes() {
  return Json::parse(R"({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4}, "merges": ["a b", "Ġ ab"]}})");
}

Checkpoint with(Json tokenizer) {
  Checkpoint checkpoint;
  checkpoint.tokenizer = std::move(tokenizer);
  checkpoint.tokenizer_name = "tokenizer.json";
  settle_tokenizer(checkpoint);
  return checkpoint;
}

// The settings of a GGUF file with a tokenizer of bytes: a, b, a space, "ab", " ab", digits, and two marks.
Json gguf_settings(const std::string& pre) {
  return {
      {"tokenizer.ggml.model", "gpt2"},
      {"tokenizer.ggml.pre", pre},
      {"tokenizer.ggml.tokens", {"a", "b", "Ġ", "ab", "Ġab", "1", "2", "12", "<|end|>", "<|x|>"}},
      {"tokenizer.ggml.token_type", {1, 1, 1, 1, 1, 1, 1, 1, 3, 4}},
      {"tokenizer.ggml.merges", {"a b", "Ġ ab", "1 2"}},
      {"tokenizer.ggml.bos_token_id", 8},
      {"tokenizer.ggml.eos_token_id", 8}};
}

Checkpoint of_gguf(const Json& settings) {
  Checkpoint checkpoint;
  read_gguf_tokenizer(in_memory("m.gguf", ""), settings, checkpoint);
  settle_tokenizer(checkpoint);
  return checkpoint;
}

PieceIds encoded(const Json& settings, const std::string& text) {
  const Checkpoint checkpoint = of_gguf(settings);
  REQUIRE(checkpoint.tokenizer_read != nullptr);
  return checkpoint.tokenizer_read->encode(text);
}

}  // namespace

TEST_CASE("import: a text is split as Llama 3 and Qwen 2 split it") {
  CHECK(parts("Hello  world, IT'S 2024!\n\n ok", llama3) ==
        Parts{"Hello", " ", " world", ",", " IT", "'S", " ", "202", "4", "!\n\n", " ok"});
  CHECK(parts("in 2024", qwen2) == Parts{"in", " ", "2", "0", "2", "4"});
  CHECK(parts("(x)\t\ty\r\n  \n  z  ", llama3) ==
        Parts{"(x", ")", "\t", "\ty", "\r\n  \n", " ", " z", "  "});
  CHECK(parts("\xc3\xa9t\xc3\xa9's #1", qwen2) == Parts{"\xc3\xa9t\xc3\xa9", "'s", " #", "1"});
}

// Published patterns are compared with another library's parts in tests/python/test_import_patterns.py.
TEST_CASE("import: patterns of tokenizers may be any that refer to nothing they matched") {
  CHECK(parts("aXb1--c", R"(\p{Lu}|-+)") == Parts{"a", "X", "b1", "--", "c"});
  CHECK(parts("aaab", "a{2}") == Parts{"aa", "ab"});
  CHECK(parts("aaaab", "a{1,3}") == Parts{"aaa", "a", "b"});
  CHECK(parts("aaab", "(?:ab|a)") == Parts{"a", "a", "ab"});
  CHECK(parts("aaab", "a*?b") == Parts{"aaab"});
  CHECK(parts("aaab", "a++ab").size() == 1);
  CHECK(parts("aaab", "a+ab") == Parts{"aaab"});
  CHECK(parts("Ab aB", "(?i:ab)") == Parts{"Ab", " ", "aB"});
  CHECK(parts("a b  c", R"(\s+(?!\S)|\s+)") == Parts{"a", " ", "b", " ", " ", "c"});
  CHECK(parts("x(y|z", R"([^(\s|[.,]])") == Parts{"x", "(", "y", "|", "z"});
  CHECK(parts("一龥a", R"([一-龥]+)") == Parts{"一龥", "a"});
  CHECK(parts("aab b", "(?<=a)b") == Parts{"aa", "b", " b"});
  CHECK(parts("aab b", R"((?<!\S)b)") == Parts{"aab ", "b"});
  CHECK(parts("ab\nab", "^a") == Parts{"a", "b\n", "a", "b"});
  CHECK(parts("ab\nab", R"(\Aa)") == Parts{"a", "b\nab"});
  CHECK(parts("ba\nba", "a$") == Parts{"b", "a", "\nb", "a"});
  CHECK(parts("ba\nba\n", R"(a\Z)") == Parts{"ba\nb", "a", "\n"});
  CHECK(parts("ba\nba", R"(a\z)") == Parts{"ba\nb", "a"});
  CHECK(parts("a ba", R"(\ba|a\b)") == Parts{"a", " b", "a"});
  CHECK(parts("a bab", R"(\Ba)") == Parts{"a b", "a", "b"});
  CHECK(parts("漢字かなabжш", R"(\p{Han}+|\p{Latin}+|\p{Script=Cyrillic}+)") ==
        Parts{"漢字", "かな", "ab", "жш"});
  CHECK(parts("ab漢cd", R"([\p{L}&&[^\p{Han}]]+)") == Parts{"ab", "漢", "cd"});
  for (const char* const unknown :
       {"(?<=a+)b", "(a", "a)", "[a", R"(\p{Klingon})", "a{3,1}", "(a*)*", "(^)*", "[a&&^b]",
        R"(\1)", "[[:alpha:]]", "a{1,2}+", "a{0,2000}", "*"}) {
    CAPTURE(unknown);
    CHECK(!split_by_pattern("a", unknown));
  }
  // Short patterns of long programs are left before these are made.
  CHECK(!split_by_pattern("a", "(?:(?:(?:a?){1000}){9}){1000}"));
  std::string many = "b", some = "b";
  for (int i = 0; i < 30'000; ++i) many = i < 5'000 ? some = "a|" + some : "a|" + many;
  CHECK(!split_by_pattern("a", many));
  CHECK(parts("acb", some) == Parts{"a", "c", "b"});
  CHECK(parts("aaacaaacc", "(?:a|aa|aaac)c|a") == Parts{"a", "aac", "aaacc"});
  CHECK_THROWS_AS((void)split_by_pattern(std::string(40, 'a'), "(?:(?:a|a)(?:a|a))+b"), Error);
}

TEST_CASE("import: signs side by side stay together where a tokenizer says so") {
  const auto split = [](const char* behaviour) {
    return split_text("Wait... what?!", {{"type", "Punctuation"}, {"behavior", behaviour}}, true);
  };
  CHECK(split("Contiguous") == Parts{"Wait", "...", " what", "?!"});
  CHECK(split("Isolated") == Parts{"Wait", ".", ".", ".", " what", "?", "!"});
  CHECK_THROWS_AS((void)split("Scattered"), Error);
}

TEST_CASE("import: a tokenizer that splits by an unknown pattern is left out with its reason") {
  Json json = bytes();
  json["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", R"((x)\1)"}}}};
  const Checkpoint unknown = with(json);
  CHECK(unknown.tokenizer.is_null());
  CHECK(unknown.tokenizer_text.empty());
  CHECK(doctest::String(unknown.tokenizer_left.c_str()) == doctest::Contains("(x)"));
  json["pre_tokenizer"]["pattern"]["Regex"] = qwen2;
  json["pre_tokenizer"]["behavior"] = "Isolated";
  CHECK(with(json).tokenizer_left.empty());
  json["pre_tokenizer"]["behavior"] = "Scattered";
  CHECK(!with(json).tokenizer_left.empty());
  // Merges as pairs are written as texts, which take less room.
  Json pairs = bytes();
  pairs["model"]["merges"] = Json::parse(R"([["a", "b"], ["Ġ", "ab"]])");
  CHECK(with(pairs).tokenizer["model"]["merges"][1] == "Ġ ab");
}

TEST_CASE("import: a text is split at a string in each of the known ways") {
  const auto split = [](const char* behaviour, bool inverted = false) {
    return split_text("the-final--countdown",
                      {{"type", "Split"},
                       {"pattern", {{"String", "-"}}},
                       {"behavior", behaviour},
                       {"invert", inverted}},
                      true);
  };
  CHECK(split("Removed") == Parts{"the", "final", "countdown"});
  CHECK(split("Removed", true) == Parts{"-", "-", "-"});
  CHECK(split("Isolated") == Parts{"the", "-", "final", "-", "-", "countdown"});
  CHECK(split("MergedWithPrevious") == Parts{"the-", "final-", "-", "countdown"});
  CHECK(split("MergedWithNext") == Parts{"the", "-final", "-", "-countdown"});
  CHECK(split("Contiguous") == Parts{"the", "-", "final", "--", "countdown"});
  CHECK_THROWS_AS((void)split("Scattered"), Error);
}

// Spaces become blocks before the text is split at spaces, of which none is left.
TEST_CASE("import: a tokenizer as Gemma has it reads and writes a text") {
  const Tokenizer tokenizer(Json::parse(R"({
    "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious",
                      "invert": false},
    "decoder": {"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
      {"type": "Fuse"}]},
    "model": {"type": "BPE", "byte_fallback": true, "unk_token": "<unk>",
      "vocab": {"<unk>": 0, "a": 1, "b": 2, "▁": 3, "ab": 4, "▁ab": 5, "<0xC3>": 6, "<0xA9>": 7},
      "merges": ["a b", "▁ ab"]}})"));
  CHECK(tokenizer.encode("ab ab") == PieceIds{4, 5});
  CHECK(tokenizer.encode("b \xc3\xa9") == PieceIds{2, 3, 6, 7});
  CHECK(tokenizer.decode({4, 5, 3, 6, 7}) == "ab ab \xc3\xa9");
}

TEST_CASE("import: letters of all scripts become lower case, with accents and without") {
  const Parts words{"é", "É", "e", "E", "ж", "Ж"};
  const std::string upper = "É Ж E";
  const auto ids = [&](const char* normaliser) {
    return Tokenizer(word_pieces(normaliser, words)).encode(upper);
  };
  CHECK(ids(R"({"type": "BertNormalizer", "lowercase": true, "strip_accents": false})") ==
        PieceIds{1, 5, 3});
  CHECK(ids(R"({"type": "BertNormalizer", "lowercase": true})") == PieceIds{3, 5, 3});
  CHECK(ids(R"({"type": "BertNormalizer", "lowercase": false, "strip_accents": true})") ==
        PieceIds{4, 6, 4});
  CHECK(ids(R"({"type": "Lowercase"})") == PieceIds{1, 5, 3});
  CHECK(ids(R"({"type": "StripAccents"})") == PieceIds{2, 6, 4});
  CHECK(
      ids(R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]})") ==
      PieceIds{4, 6, 4});
  CHECK(normalised("ⅧİΣ", Json{{"type", "Lowercase"}}) == "ⅷi\u0307σ");
}

// All characters and orders of marks are compared with another library in tests/python/test_import_forms.py.
TEST_CASE("import: a text takes the normal form that its tokenizer names") {
  const auto form = [](const char* text, const char* name) {
    return normalised(text, Json{{"type", name}});
  };
  CHECK(form("한글", "NFD") == "\u1112\u1161\u11ab\u1100\u1173\u11af");
  CHECK(form("\u1112\u1161\u11ab\u1100\u1173\u11af", "NFC") == "한글");
  CHECK(form("e\u0301\u0323", "NFC") == "ẹ\u0301");
  CHECK(form("e\u0302\u0301", "NFC") == "ế");
  CHECK(form("ﬁ②Ａ", "NFC") == "ﬁ②Ａ");
  CHECK(form("ﬁ②Ａ", "NFKC") == "fi2A");
  CHECK(form("ǆé", "NFKD") == "dz\u030ce\u0301");
  CHECK(form("\u0958", "NFC") == "\u0915\u093c");  // is never composed
}

// The same of some 65,000 characters by Python's unicodedata, each between a letter and two marks, as one number.
TEST_CASE("import: normal forms of all characters are those of another library") {
  const auto all = [](const auto& form) {
    std::uint32_t sum = 0x811c9dc5;
    for (const auto& [first, end] : {std::pair<char32_t, char32_t>{0x80, 0xa7c0},
                                     {0xa800, 0xd800},
                                     {0xe000, 0x10000},
                                     {0x1d100, 0x1d800},
                                     {0x1f100, 0x1f270},
                                     {0x2f800, 0x2fa1e}}) {
      for (char32_t c = first; c < end; ++c) {
        for (const char32_t one : form(std::u32string{U'e', c, 0x323, 0x301}))
          sum = (sum ^ static_cast<std::uint32_t>(one)) * 16777619U;
      }
    }
    return sum;
  };
  CHECK(all([](const std::u32string& text) { return composed(text, false); }) == 0xf3637f31U);
  CHECK(all([](const std::u32string& text) { return composed(text, true); }) == 0xb7d8e58cU);
  CHECK(all([](const std::u32string& text) { return decomposed(text, false); }) == 0xa6133051U);
  CHECK(all([](const std::u32string& text) { return decomposed(text, true); }) == 0x81284d57U);
}

TEST_CASE("import: an added token takes the white space at its side, and may be a whole word") {
  Json json = bytes();
  json["added_tokens"] = {{{"id", 5}, {"content", "<m>"}, {"lstrip", true}, {"rstrip", true}},
                          {{"id", 6}, {"content", "b"}, {"single_word", true}}};
  const Tokenizer both(json);
  CHECK(both.encode("ab  <m> \n ab") == PieceIds{3, 5, 3});
  CHECK(both.encode(" <m><m> ") == PieceIds{5, 5});
  CHECK(both.encode("ab b") == PieceIds{3, 2, 6});
  json["added_tokens"][0]["lstrip"] = json["added_tokens"][0]["rstrip"] = false;
  CHECK(Tokenizer(json).encode("ab <m> ab") == PieceIds{3, 2, 5, 4});
}

TEST_CASE("import: settings of a tokenizer that have a wrong type are named") {
  const auto says = [](const Json& json) { return refused([&] { (void)with(json); }); };
  for (const char* const flag : {"lowercase", "strip_accents", "clean_text"}) {
    const std::string step = R"({"type": "BertNormalizer", ")" + std::string(flag) + R"(": 3})";
    const std::string message = says(word_pieces(step, {"a"}));
    CAPTURE(message);
    for (const char* const word : {"tokenizer.json", flag, "true or false", "3"})
      CHECK(message.find(word) != std::string::npos);
  }
  Json json = bytes();
  json["pre_tokenizer"]["add_prefix_space"] = "yes";
  CHECK(says(json).find("add_prefix_space") != std::string::npos);
  json = bytes();
  json["model"]["byte_fallback"] = 1;
  CHECK(says(json).find("byte_fallback") != std::string::npos);
  json = bytes();
  json["added_tokens"] = {{{"id", 1}, {"content", "x"}, {"special", "no"}}};
  CHECK(says(json).find("special") != std::string::npos);
  json = bytes();
  json["post_processor"] = {{"type", "Sequence"}};
  CHECK(says(json).find("processors") != std::string::npos);
}

TEST_CASE("import: GGUF's tokenizer splits by its name, and begins as it says") {
  CHECK(encoded(gguf_settings("gpt-2"), "ab 12") == PieceIds{3, 2, 7});
  CHECK(encoded(gguf_settings("smollm"), "ab 12") == PieceIds{3, 2, 5, 6});
  CHECK(encoded(gguf_settings("qwen2"), "ab 12") == PieceIds{3, 2, 5, 6});
  CHECK(encoded(gguf_settings("llama-bpe"), "ab 12") == PieceIds{8, 3, 2, 7});
  CHECK(encoded(gguf_settings("default"), "ab 12") == PieceIds{3, 2, 7});
  Json settings = gguf_settings("gpt-2");
  settings["tokenizer.ggml.add_bos_token"] = true;
  settings["tokenizer.ggml.add_eos_token"] = true;
  CHECK(encoded(settings, "ab") == PieceIds{8, 3, 8});
  settings = gguf_settings("llama-bpe");
  settings["tokenizer.ggml.add_bos_token"] = false;
  CHECK(encoded(settings, "ab<|x|>ab<|end|>") == PieceIds{3, 9, 3, 8});
  CHECK(of_gguf(settings).tokenizer_read->decode({3, 9, 8}) == "ab<|x|>");
  settings["tokenizer.ggml.pre"] = "mystery";
  CHECK(of_gguf(settings).tokenizer.is_null());
  CHECK(of_gguf(settings).tokenizer_left.find("mystery") != std::string::npos);
  settings = gguf_settings("gpt-2");
  settings["tokenizer.ggml.tokens"][3] = "\xff";
  const std::string message = refused([&] { (void)of_gguf(settings); });
  CHECK(message.find("m.gguf") != std::string::npos);
  CHECK(message.find("tokenizer.ggml.tokens") != std::string::npos);
}

TEST_CASE("import: GGUF's scored pieces begin as its settings say") {
  Json settings{{"tokenizer.ggml.model", "llama"},
                {"tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "▁", "a", "▁a"}},
                {"tokenizer.ggml.scores", {0, 0, 0, -3, -2, -1}},
                {"tokenizer.ggml.token_type", {2, 3, 3, 1, 1, 1}}};
  CHECK(encoded(settings, "a a") == PieceIds{1, 5, 5});
  CHECK(encoded(settings, "a</s>a") == PieceIds{1, 5, 2, 5});
  settings["tokenizer.ggml.add_bos_token"] = false;
  CHECK(encoded(settings, "a a") == PieceIds{5, 5});
  settings["tokenizer.ggml.add_space_prefix"] = false;
  CHECK(encoded(settings, "a a") == PieceIds{4, 5});
  CHECK(of_gguf(settings).tokenizer_read->decode({5, 4}) == " aa");
  // A character that is no piece by itself may still be part of one.
  settings["tokenizer.ggml.tokens"] = {"<unk>", "<s>", "</s>", "<0x6F>", "a", "ao"};
  CHECK(encoded(settings, "aoo") == PieceIds{5, 3});
}

TEST_CASE("import: the example text fits the positions and the vocabulary") {
  CHECK(example_text(Checkpoint{}, "ab", 3, 0).ids == PieceIds{0, 1, 2});
  CHECK(example_text(Checkpoint{}, "ab", 9, 2).ids == PieceIds{0, 1});
  const Checkpoint checkpoint = with(bytes());
  CHECK(example_text(checkpoint, "ab ab ab", 5, 0).ids == PieceIds{3, 4, 4});
  CHECK(example_text(checkpoint, "ab ab ab", 5, 2).ids == PieceIds{3, 4});
  CHECK(example_text(checkpoint, "aba", 5, 1).ids == PieceIds{3});
  CHECK(example_text(checkpoint, "xyz", 5, 3).ids == PieceIds{0, 1, 2});
  CHECK(example_text(checkpoint, "xyz", 5, 3).labels == Json{"a", "b", " "});
}

TEST_CASE(
    "import: of a folder the weights are taken once, and what a training keeps is passed over") {
  const auto taken = [](const Parts& names) { return choose_files(names).taken; };
  CHECK(taken({"config.json", "model.safetensors", "pytorch_model.bin", "notes.txt"}) ==
        Parts{"config.json", "model.safetensors"});
  CHECK(taken({"model.safetensors", "optimizer.pt", "rng_state_0.pth", "scheduler.pt",
               "training_args.bin"}) == Parts{"model.safetensors"});
  CHECK(taken({"config.json", "ckpt.pt"}) == Parts{"config.json", "ckpt.pt"});
  CHECK(taken({"m/tok512.bin", "m/stories.bin", "m/stories.pt"}) ==
        Parts{"m/tok512.bin", "m/stories.bin"});
  CHECK(taken({"pytorch_model.bin.index.json", "model.safetensors.index.json",
               "model-1.safetensors", "pytorch_model-1.bin", "consolidated.safetensors"}) ==
        Parts{"model.safetensors.index.json", "model-1.safetensors"});
  const Json left = choose_files({"model.safetensors", "pytorch_model.bin"}).left;
  CHECK(left.size() == 1);
  CHECK(left[0]["file"] == "pytorch_model.bin");
  CHECK(left[0]["why"].get<std::string>().find("model.safetensors") != std::string::npos);
}

TEST_CASE("import: a token outside of the vocabulary is named with its position") {
  const std::string message = refused([] { check_tokens({1, 7, 2}, 5); });
  for (const char* const word : {"0 to 4", "token 2", "7"})
    CHECK(message.find(word) != std::string::npos);
  check_tokens({4}, 5);
}

}  // namespace attend::tokenizers_test
