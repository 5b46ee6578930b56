// SPDX-License-Identifier: Apache-2.0
// The pre-trained vectors of words: the numbers of the file, what is near to what, unknown words.
#include "experiment/files/word_vectors.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "experiment/session.h"
#include "ops/error.h"
#include "tests/checkout.h"
#include "tests/experiment/harness.h"

namespace attend::testing::word_vectors_test {
namespace {

std::string read_file(const std::string& name) {
  std::ifstream stream(in_checkout("/data/words/" + name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Rows of a file, read without the engine.
struct VectorRows {
  std::vector<std::string> words;
  std::vector<std::vector<double>> rows;

  explicit VectorRows(const std::string& file) {
    std::istringstream text(file);
    std::string format, extent;
    std::size_t count = 0, width = 0;
    text >> format >> count >> width >> extent;
    std::vector<double> scales(width);
    for (double& scale : scales) text >> scale;
    words.resize(count);
    for (std::string& word : words) text >> word;
    text.get();  // the end of the last word's line
    for (std::size_t i = 0; i < count; ++i) {
      rows.emplace_back();
      for (const double scale : scales)
        rows.back().push_back(static_cast<signed char>(text.get()) * scale / 4096);
    }
  }

  [[nodiscard]] const std::vector<double>& of(const std::string& word) const {
    return rows[static_cast<std::size_t>(std::find(words.begin(), words.end(), word) -
                                         words.begin())];
  }

  // The `count` words, of the 4,000 most frequent, whose vectors have the smallest angle to that of
  // `word`.
  [[nodiscard]] std::vector<std::string> near(const std::string& word, std::size_t count) const {
    std::vector<std::pair<double, std::string>> found;
    const std::vector<double>& a = of(word);
    for (std::size_t i = 0; i < 4000; ++i) {
      double product = 0, mine = 0, other = 0;
      for (std::size_t c = 0; c < a.size(); ++c) {
        product += a[c] * rows[i][c];
        mine += a[c] * a[c];
        other += rows[i][c] * rows[i][c];
      }
      if (words[i] != word) found.emplace_back(-product / std::sqrt(mine * other), words[i]);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < count; ++i) nearest.push_back(found[i].second);
    return nearest;
  }
};

Json features(const std::string& tokens, const std::string& dim) {
  return Json::parse(R"({"schema": "attention-playground/1", "seed": 5, "inputs": {"query": {
      "tokens": )" + tokens +
                     R"(, "features": {"type": "words", "dim": )" + dim + R"(}}},
      "mechanism": {"type": "attention", "score": "dot"}})");
}

std::string problem(const Json& document) {
  try {
    run_json(document);
    return "";
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
}

// The document's inputs as the engine reads them.
const Tensor& input(const Document& document) { return document.inputs.at("query").tensor; }

}  // namespace

TEST_CASE("word vectors: neighbours mean something in both files") {
  using List = std::vector<std::string>;
  for (const char* file : {"words-small.bin", "words-large.bin"}) {
    CAPTURE(file);
    const VectorRows all(read_file(file));
    const auto near = [&](const std::string& word, std::size_t count, const List& wanted) {
      const List found = all.near(word, count);
      for (const std::string& one : wanted)
        CHECK_MESSAGE(std::find(found.begin(), found.end(), one) != found.end(),
                      word << ": " << one);
    };
    near("paris", 8, {"berlin", "rome", "london"});
    near("queen", 2, {"princess"});
    near("mother", 2, {"daughter"});
    near("river", 4, {"lake"});
    near("coffee", 6, {"milk"});
    near("monday", 3, {"tuesday", "thursday", "wednesday"});
  }
}

TEST_CASE("word vectors: the small file is the first rows and columns of the large one") {
  const VectorRows small(read_file("words-small.bin")), large(read_file("words-large.bin"));
  REQUIRE(small.words.size() == 4000);
  REQUIRE(large.rows.front().size() == 50);
  double squares = 0;
  for (std::size_t i = 0; i < small.words.size(); ++i) {
    REQUIRE(small.words[i] == large.words[i]);
    REQUIRE(small.rows[i].size() == 24);
    for (std::size_t c = 0; c < 24; ++c) {
      REQUIRE(small.rows[i][c] == large.rows[i][c]);
      squares += small.rows[i][c] * small.rows[i][c];
    }
  }
  CHECK(squares / (4000 * 24) == doctest::Approx(1).epsilon(0.01));  // as random features have it
}

TEST_CASE("word features: the rows of the file, whatever the case of the letters") {
  const VectorRows all(read_file("words-large.bin"));
  const Document document = read_document(features(R"(["Paris", "king", "."])", "50"));
  REQUIRE(input(document).shape == Shape{3, 50});
  const std::vector<std::string> words{"paris", "king", "."};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t c = 0; c < 50; ++c)
      CHECK(input(document).data[i * 50 + c] == all.of(words[i])[c]);
  CHECK(document.warnings.empty());
}

TEST_CASE("word features: 24 columns unless said otherwise, and the document says so") {
  Json document = features(R"(["king"])", "24");
  document["inputs"]["query"]["features"].erase("dim");
  CHECK(read_document(document).json["inputs"]["query"]["features"]["dim"] == 24);
}

TEST_CASE("word features: an unknown word is random, of the same spread, and named") {
  const Ran ran = run_json(features(R"(["king", "Zzyzx", "zzyzx"])", "24"));
  REQUIRE(ran.warnings.size() == 1);
  CHECK(ran.warnings[0].path == "/inputs/query/features");
  CHECK(ran.warnings[0].message.find("\"Zzyzx\"") != std::string::npos);
  const VectorRows all(read_file("words-large.bin"));
  std::string many = R"(["zz0")";
  for (int i = 1; i < 4000; ++i) many += ",\"zz" + std::to_string(i) + "\"";
  const Document document = read_document(features(many + "]", "2"));
  for (std::size_t c = 0; c < 2; ++c) {
    double drawn = 0, known = 0;
    for (std::size_t i = 0; i < 4000; ++i)
      drawn += input(document).data[i * 2 + c] * input(document).data[i * 2 + c];
    for (const std::vector<double>& row : all.rows) known += row[c] * row[c];
    CHECK(drawn / 4000 == doctest::Approx(known / double(all.rows.size())).epsilon(0.1));
  }
  CHECK(document.warnings[0].message.find("and 3992 more") != std::string::npos);
  Json other = features(R"(["zzyzx"])", "24");
  const std::vector<double> one = input(read_document(other)).data;
  CHECK(input(read_document(other)).data == one);
  other["seed"] = 6;
  CHECK(input(read_document(other)).data != one);
}

TEST_CASE("word features: what is wrong is said at its place") {
  const std::string dim = "/inputs/query/features/dim: ";
  CHECK(problem(features(R"(["a"])", "0")).starts_with(dim + "expected a whole number from 1"));
  CHECK(problem(features(R"(["a"])", "51")) ==
        dim + "expected a whole number from 1 to 50, the width of the word vectors, found 51");
  CHECK(problem(features(R"(["a"])", "2.5")).starts_with(dim));
  CHECK(problem(features(R"(["a"])", "\"b\"")).starts_with(dim));
  Json seeded = features(R"(["a"])", "2");
  seeded["inputs"]["query"]["features"]["seed"] = 1;
  CHECK(problem(seeded).starts_with("/inputs/query/features"));
}

TEST_CASE("word vectors: with the small file alone, what it does not hold is asked for") {
  give_word_vectors(read_file("words-small.bin"));
  CHECK(problem(features(R"(["king"])", "24")).empty());
  CHECK(problem(features(R"(["king"])", "25")).find("words-large.bin") != std::string::npos);
  CHECK(problem(features(R"(["zzyzx"])", "24")).find("\"zzyzx\"") != std::string::npos);
  give_word_vectors(read_file("words-large.bin"));
  CHECK(problem(features(R"(["king", "zzyzx"])", "50")).empty());
}

TEST_CASE("word vectors: a file that is none is refused") {
  const std::string good = "attention-words/1 1 2 whole\n4096 1\nword\nab";
  CHECK(WordVectors(good).at(0, 0) == 97);
  CHECK(WordVectors(good).at(0, 1) == 98. / 4096);
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK_THROWS_AS(WordVectors(good.substr(0, length)), Error);
  CHECK_THROWS_AS(WordVectors(good + "c"), Error);
  CHECK_THROWS_AS(WordVectors("attention-words/1 9999999999 2 whole\n1 1\n"), Error);
  CHECK_THROWS_AS(WordVectors("attention-words/1 0 0 whole\n"), Error);
}

TEST_CASE("word vectors: a held document's warnings are those of its new numbers") {
  const auto text = [](const char* type) {
    return std::string(
               R"({"schema": "attention-playground/1", "inputs": {"x": {"tokens": ["river", "qqqzzz"],
      "features": {"type": ")") +
           type +
           R"(", "dim": 24}}}, "mechanism": {"type": "attention", "query": "self-attention"}})";
  };
  give_word_vectors(read_file("words-large.bin"));
  Session session;
  (void)session.run(text("embedding"));
  for (const char* type : {"words", "embedding"}) {
    CAPTURE(type);
    const Packed held = session.run(text(type)), fresh = run_packed(text(type));
    CHECK(held.directory == fresh.directory);
  }
}

}  // namespace attend::testing::word_vectors_test
