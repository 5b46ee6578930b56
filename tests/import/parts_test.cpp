// SPDX-License-Identifier: Apache-2.0
// Expressions, templates, layouts, names and tokenizers, each by itself.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>

#include "import/architecture.h"
#include "import/layout.h"
#include "import/sampling.h"
#include "import/template.h"
#include "import/tensor_names.h"
#include "import/tokenizer.h"
#include "ops/error.h"
#include "ops/random.h"
#include "tests/import/made_files.h"

namespace attend::import_parts_test {
namespace {

using namespace testing;

Names some_names() {
  return {[](const std::string& name) {
            return name == "n" ? Json(6) : name == "kind" ? Json("gelu") : Json();
          },
          [](const std::string& function, const std::vector<Json>& arguments) {
            return function == "has" ? Json(arguments.at(0) == "layer-6") : Json();
          }};
}

Json value(const char* text) { return evaluate_expression(text, some_names()); }

FloatTensor counted(Shape shape) {
  FloatTensor tensor{std::move(shape), {}};
  for (std::size_t i = 0; i < element_count(tensor.shape); ++i)
    tensor.data.push_back(static_cast<float>(i));
  return tensor;
}

Json bpe() {
  return Json::parse(R"({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "decoder": {"type": "ByteLevel"}, "added_tokens": [{"id": 9, "content": "<|endoftext|>", "special": true}],
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4, "Ã": 5, "©": 6, "'": 7, "s": 8},
              "merges": ["a b", "Ġ ab"]}})");
}

}  // namespace

TEST_CASE("import: expressions compute, and what is not known stays unknown") {
  CHECK(value("n / 4") == 1.5);
  CHECK(value("2 * n - 1 == 11") == true);
  CHECK(value("n % 4 == 2 and not (n < 3)") == true);
  CHECK(value("kind == 'gelu' ? 'yes' : 'no'") == "yes");
  CHECK(value("absent * 2").is_null());
  CHECK(value("n / 0").is_null());
  CHECK(value("absent or n") == true);
  CHECK(value("has('layer-{n}')") == true);
  CHECK(filled("layer-{n}", some_names()) == "layer-6");
  CHECK(filled("{n}", some_names()) == 6);
  CHECK(filled("x-{absent}", some_names()).is_null());
  for (const char* const wrong : {"n +", "(n", "'open", "n n", "has(n", ""})
    CHECK_THROWS_AS((void)value(wrong), Error);
}

TEST_CASE("import: templates choose, repeat, and leave out what is not there") {
  Template t(some_names());
  const Json expanded = t.expand(Json::parse(R"([{"name": "first"},
    {"$repeat": "n / 3", "$as": "i", "$each": [{"name": "layer-{i}", "x": "{before}", "none": "{absent}"}]},
    {"$if": "kind == 'relu'", "$then": {"name": "no"}}, {"$fill": 0, "$count": "n - 4"}])"));
  CHECK(expanded == Json::parse(R"([{"name": "first"}, {"name": "layer-0", "x": "first"},
                                    {"name": "layer-1", "x": "layer-0"}, [0, 0]])"));
}

TEST_CASE("import: layouts move numbers to where a document has them") {
  CHECK(laid_out(counted({2, 3}), "transpose").data == std::vector<float>{0, 3, 1, 4, 2, 5});
  const FloatTensor heads = laid_out(counted({2, 4}), Json{{"heads", 2}});
  CHECK(heads.shape == Shape{2, 2, 2});
  CHECK(heads.data == std::vector<float>{0, 1, 4, 5, 2, 3, 6, 7});
  CHECK(laid_out(counted({4}), Json{{"heads", 2}}).shape == Shape{2, 2});
  CHECK(laid_out(counted({2, 6}), Json{{"part", 1}, {"of", 3}}).data ==
        std::vector<float>{2, 3, 8, 9});
  CHECK(laid_out(counted({4, 2}), Json{{"part", 1}, {"of", 2}, {"axis", 0}}).data ==
        std::vector<float>{4, 5, 6, 7});
  CHECK(laid_out(counted({3, 2}), Json{{"rows", {1, 3}}}).data == std::vector<float>{2, 3, 4, 5});
  // Two heads of width 4: neighbours (0 1) (2 3) become halves (0 2) (1 3).
  CHECK(laid_out(counted({8}), Json{{"pairs", 4}}).data ==
        std::vector<float>{0, 2, 1, 3, 4, 6, 5, 7});
  CHECK(laid_out(counted({1, 4}), Json{{"pairs", 4}}).shape == Shape{1, 4});
  CHECK(laid_out(counted({2, 3, 4}), Json{{"permute", {2, 0, 1}}}).data[1] == 4);
  for (const char* const wrong :
       {R"({"heads": 5})", R"({"part": 3, "of": 3})", R"({"permute": [0, 0]})",
        R"({"reshape": [5]})", R"({"rows": [1, 9]})", R"({"pairs": 3})", R"("flip")",
        R"({"heads": -1})"})
    CHECK_THROWS_AS((void)laid_out(counted({2, 4}), Json::parse(wrong)), Error);
}

TEST_CASE("import: names match patterns") {
  CHECK(match_name("h.12.ln.weight", "h.#.*") == std::vector<std::string>{"12", "ln.weight"});
  CHECK(!match_name("h.x.ln", "h.#.ln"));
  CHECK(match_name("a.LayerNorm.weight", "*LayerNorm.weight").has_value());
  CHECK(!match_name("a.LayerNorm.weights", "*LayerNorm.weight"));
}

TEST_CASE("import: byte-level pairs are merged by rank, and every byte comes back") {
  const Tokenizer tokenizer(bpe());
  CHECK(tokenizer.encode("ab ab") == PieceIds{3, 4});
  CHECK(tokenizer.encode("ab's") == PieceIds{3, 7, 8});
  CHECK(tokenizer.encode("\xc3\xa9") == PieceIds{5, 6});
  CHECK(tokenizer.decode({5, 6}) == "\xc3\xa9");
  CHECK(tokenizer.encode("ab<|endoftext|>b") == PieceIds{3, 9, 1});
  CHECK(tokenizer.is_end(9));
  CHECK(tokenizer.shown(4) == " ab");
  CHECK(tokenizer.shown(5) == "<0xC3>");  // half of a character
  CHECK(tokenizer.partial_bytes(5) == "\xc3");
  CHECK(tokenizer.partial_bytes(6) == "\xa9");
  CHECK(tokenizer.partial_bytes(4).empty());  // a text
  CHECK(tokenizer.partial_bytes(9).empty());  // an added token
  CHECK(tokenizer.partial_bytes(99).empty());
}

TEST_CASE("import: a text is split as GPT-2 splits it") {
  using Parts = std::vector<std::string>;
  CHECK(split_like_gpt2("Hello  world, it's 42!\n\n ok") ==
        Parts{"Hello", " ", " world", ",", " it", "'s", " 42", "!", "\n\n", " ok"});
  CHECK(split_like_gpt2("a   ") == Parts{"a", "   "});
  CHECK(split_like_gpt2("\xc3\xa9t\xc3\xa9 1") == Parts{"\xc3\xa9t\xc3\xa9", " 1"});
  CHECK(split_like_gpt2("").empty());
}

TEST_CASE("import: WordPiece takes the longest piece, Unigram the likeliest cut") {
  const Tokenizer words(Json::parse(R"({"normalizer": {"type": "BertNormalizer", "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
    "model": {"type": "WordPiece", "unk_token": "[UNK]",
              "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "un": 3, "##aff": 4, "##able": 5, ",": 6, "u": 7}}})"));
  CHECK(words.encode("UNaffable, xyz") == PieceIds{1, 3, 4, 5, 6, 0, 2});
  const Tokenizer unigram(
      Json::parse(R"({"pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "always"},
    "decoder": {"type": "Metaspace"},
    "model": {"type": "Unigram", "unk_id": 0,
              "vocab": [["<unk>", 0], ["▁", -3], ["a", -2], ["b", -2], ["ab", -3.5], ["▁a", -1]]}})"));
  CHECK(unigram.encode("ab") == PieceIds{5, 3});  // -1 - 2 beats -3 - 3.5
  CHECK(unigram.encode("b?ab") == PieceIds{1, 3, 0, 4});
  CHECK(unigram.decode({5, 3}) == "ab");
}

TEST_CASE("import: blocks stand for spaces, and bytes for what the vocabulary lacks") {
  const Tokenizer tokenizer(Json::parse(R"({
    "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
                   {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
    "model": {"type": "BPE", "byte_fallback": true, "unk_token": "<unk>",
              "vocab": {"<unk>": 0, "<0xC3>": 1, "<0xA9>": 2, "▁": 3, "a": 4, "▁a": 5}, "merges": ["▁ a"]}})"));
  CHECK(tokenizer.encode("a \xc3\xa9") == PieceIds{5, 3, 1, 2});
  CHECK(tokenizer.decode({5, 3, 1, 2}) == "a \xc3\xa9");
}

TEST_CASE("import: tokenizers that are damaged are refused") {
  for (const char* const wrong :
       {R"({"model": {"type": "Magic"}})", R"({"model": {"type": "BPE"}})", R"({})",
        R"({"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}})",
        R"({"model": {"type": "BPE", "vocab": {"a": 4000000000}, "merges": []}})",
        R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["ab"]}})",
        R"({"model": {"type": "Unigram", "vocab": [["a"]]}})",
        R"({"model": {"type": "WordPiece", "vocab": {"a": 0}},
            "post_processor": {"type": "BertProcessing", "cls": ["x", 7], "sep": ["y", 0]}})"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(Tokenizer(Json::parse(wrong)), Error);
  }
  Json pattern = bpe();
  pattern["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", R"((x)\1)"}}}};
  CHECK_THROWS_WITH_AS((void)Tokenizer(pattern).encode("ab"), doctest::Contains(R"((x)\\1)"),
                       Error);
}

TEST_CASE("import: sampling keeps the likeliest words and shares what is left") {
  const std::vector<real> logits{0, 2, 1, 2};
  const std::vector<NextWord> all = next_words(logits, {});
  CHECK(all.front().id == 1);  // equal ones by their number
  CHECK(all[1].id == 3);
  CHECK(choose_word(all, {}, 0) == 1);
  double sum = 0;
  for (const NextWord& word : all) sum += word.probability;
  CHECK(sum == doctest::Approx(1));
  const std::vector<NextWord> two = next_words(logits, {.temperature = 1, .top_k = 2});
  CHECK(two.size() == 2);
  CHECK(two[0].id == 1);
  CHECK(two[1].id == 3);
  CHECK(two[0].probability == doctest::Approx(.5));
  CHECK(next_words(logits, {.temperature = 1, .top_p = .5}).size() == 2);
  for (const double share : {0.0, 1e-320}) {
    const std::vector<NextWord> one = next_words(logits, {.temperature = 1, .top_p = share});
    CHECK(one.size() == 1);
    CHECK(one.front().probability == 1);
  }
  // Near 0, as at 0 the likeliest words are left, also where one over the temperature is no number.
  for (const double temperature : {1e-300, 1e-310, std::numeric_limits<double>::denorm_min()}) {
    CAPTURE(temperature);
    const std::vector<NextWord> cold = next_words(logits, {.temperature = temperature});
    CHECK(cold[0].probability == .5);
    CHECK(cold[1].probability == .5);
    CHECK(cold[2].probability == 0);
    for (std::size_t step = 0; step < 20; ++step)
      CHECK(choose_word(cold, {.temperature = temperature}, step) % 2 == 1);
  }
  const auto ranked = [&](const Sampling& sampling, std::size_t id) {
    const std::vector<std::size_t> ids{id};
    return ranked_words(logits, sampling, next_words(logits, sampling), ids).front();
  };
  CHECK(ranked({}, 3).rank == 2);
  CHECK(ranked({}, 3).probability == all[1].probability);
  CHECK(ranked({}, 0).rank == 4);
  CHECK(ranked({}, 0).probability == doctest::Approx(1 / (1 + std::exp(1.0) + 2 * std::exp(2.0))));
  CHECK(ranked({.temperature = 1, .top_k = 2}, 2).probability == 0);
  CHECK(ranked({.temperature = 1, .top_k = 2}, 2).rank == 3);
  CHECK(ranked({.never = {1}}, 3).rank == 1);
  CHECK(ranked({.never = {1}}, 1).rank == 0);
  int first = 0;
  for (std::size_t step = 0; step < 1000; ++step)
    first += choose_word(two, {.temperature = 1, .seed = 3}, step) == 1;
  CHECK(first > 430);
  CHECK(first < 570);
}

TEST_CASE("import: of many words the likeliest and the chosen one are those of the whole order") {
  std::vector<real> logits(5000);
  for (std::size_t id = 0; id < logits.size(); ++id)
    logits[id] = static_cast<real>(id * 2654435761U % 1000) / 500;
  std::vector<std::size_t> order(logits.size());
  for (std::size_t id = 0; id < order.size(); ++id) order[id] = id;
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t id) { return logits[id]; });
  std::size_t farthest = 0;
  for (std::size_t step = 0; step < 200; ++step) {
    const Sampling sampling{.temperature = 1.5, .seed = 7};
    const std::vector<NextWord> words = next_words(logits, sampling, step);
    CHECK(words.size() == logits.size());
    for (std::size_t i = 0; i < 64; ++i) CHECK(words[i].id == order[i]);
    // By the whole order.
    double left = RandomStream(7, "write").uniform(step);
    std::size_t at = 0;
    for (; at + 1 < order.size(); ++at) {
      const auto one = std::ranges::find(words, order[at], &NextWord::id);
      left -= one->probability;
      if (left < 0) break;
    }
    CHECK(choose_word(words, sampling, step) == order[at]);
    farthest = std::max(farthest, at);
  }
  CHECK(farthest > 1000);
  const std::vector<NextWord> likely = next_words(logits, {.temperature = 1, .top_p = .5});
  CHECK(likely.size() > 64);
  for (std::size_t i = 0; i < likely.size(); ++i) CHECK(likely[i].id == order[i]);
}

TEST_CASE("import: every family says what it needs to say") {
  CHECK(all_architectures().size() >= 9);
  for (const Json& family : all_architectures()) {
    CAPTURE(family["id"].get<std::string>());
    for (const char* const name : {"id", "title", "recognise", "sizes", "document", "parameters"})
      CHECK(family.contains(name));
    for (const Json& size : family["sizes"]) {
      CHECK(size.contains("says"));
      CHECK((size.contains("config") || size.contains("tensors") || size.contains("default")));
    }
  }
}

}  // namespace attend::import_parts_test
