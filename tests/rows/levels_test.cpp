// SPDX-License-Identifier: Apache-2.0
// Levels, areas and representations: what they are when there is only one of each, and spans that do not cut
// the tokens.
#include "catalogue/tables.h"
#include "tests/rows/structures.h"

namespace attend::testing::levels_test {
namespace {

std::string error_of(const Json& document) {
  try {
    (void)run_json(document);
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return "none";
}

Json with_spans(const char* id, const Json& patch) {
  Json document = example_document(*find_mechanism(Kind::structure, id));
  document["mechanism"].merge_patch(patch);
  return document;
}

}  // namespace

TEST_CASE("hierarchical: one sentence is plain attention over its words") {
  const Json document = structure("hierarchical", knobs({{"spans", Json::parse("[[0, 6]]")}}));
  const Ran ran = run_json(document);
  Json plain = {{"schema", "attention-playground/1"},
                {"inputs", {{"key", document["inputs"]["x"]}}},
                {"mechanism", {{"type", "attention"}, {"query", "query-constant"}}}};
  for (const char* symbol : {"W", "b", "w"})
    plain["parameters"]["score." + std::string(symbol)] =
        document["parameters"]["structure.word.score." + std::string(symbol)];
  const Ran words = run_json(plain);
  CHECK(near(ran.outputs.at("context"), words.outputs.at("context")));
  CHECK(near(ran.outputs.at("weights"), words.outputs.at("weights")));
}

TEST_CASE("hierarchical: shares of words sum to one, and make the document") {
  const Json document = structure("hierarchical");
  const Ran ran = run_json(document);
  check_rows_sum_to_one(ran.outputs.at("weights"));
  check_rows_sum_to_one(ran.outputs.at("word.weights"));
  CHECK(near(product(ran.outputs.at("weights"), input(document, "x")), ran.outputs.at("context")));
}

TEST_CASE("hierarchical: sentences end behind a full stop where no spans are given") {
  Json document = structure("hierarchical", knobs({{"spans", nullptr}}));
  document["inputs"]["x"]["labels"] = {"a", ".", "b", "c", "!", "d"};
  Json given = document;
  given["mechanism"]["spans"] = Json::parse("[[0, 2], [2, 5], [5, 6]]");
  CHECK(distance(run_json(document).outputs.at("weights"), run_json(given).outputs.at("weights")) ==
        0);
}

TEST_CASE("hierarchical: encoders read each sentence by itself") {
  const Json encoders = {{"words", {{"type", "fm-birnn"}, {"hidden", 2}}},
                         {"sentences", {{"type", "fm-birnn"}, {"hidden", 2}}}};
  Json document = structure("hierarchical", knobs(encoders));
  const Array before = run_json(document).outputs.at("word.context");
  document["inputs"]["x"]["data"][0] = 3.5;  // a word of the first sentence
  const Array after = run_json(document).outputs.at("word.context");
  CHECK(before.row(0) != after.row(0));
  CHECK(before.row(1) == after.row(1));
  CHECK(before.row(2) == after.row(2));
}

TEST_CASE("three levels: one document is what two levels give") {
  Json three = structure("hierarchical-3tier", knobs({{"documents", Json::parse("[[0, 3]]")}}));
  Json two = three;
  two["mechanism"] = {{"type", "hierarchical"}, {"spans", three["mechanism"]["spans"]}};
  for (const char* symbol : {"W", "b", "w"})
    two["parameters"].erase("structure.document.score." + std::string(symbol));
  CHECK(near(run_json(three).outputs.at("context"), run_json(two).outputs.at("context")));
}

TEST_CASE("target first: a target of one word asks by itself") {
  Json document = structure("macro-target");
  Array word = input(document, "target");
  word.shape[0] = 1;
  word.data.resize(word.shape[1]);
  document["inputs"]["target"] = to_json(word);
  const Ran plain = attend("dot", word, input(document, "key"), input(document, "value"));
  CHECK(near(run_json(document).outputs.at("context"), plain.outputs.at("context")));
}

TEST_CASE(
    "attention via attention: where the words' answer has no weight, characters are asked alone") {
  Json document = structure("attention-via-attention");
  Json& W1 = parameter(document, "char.score.W1");  // [dq+dv1 a]: the rows of the words' context
  const std::size_t width = W1["shape"][1], dq = input(document, "query").cols();
  for (std::size_t i = dq * width; i < W1["data"].size(); ++i) W1["data"][i] = 0;
  Array upper({dq, width});
  for (std::size_t i = 0; i < upper.data.size(); ++i) upper.data[i] = W1["data"][i];
  const Ran plain = attend("additive", input(document, "query"), input(document, "key2"),
                           input(document, "value2"),
                           {{"score.W1", to_json(upper)},
                            {"score.W2", parameter(document, "char.score.W2")},
                            {"score.b", parameter(document, "char.score.b")},
                            {"score.w", parameter(document, "char.score.w")}});
  CHECK(near(run_json(document).outputs.at("context2"), plain.outputs.at("context")));
}

TEST_CASE(
    "areas: of one token they are plain attention, and there are as many as there should be") {
  const Json one = structure("area-attention-1d", knobs({{"w", 1}}));
  const Ran plain = attend("dot", input(one, "query"), input(one, "key"), input(one, "value"));
  CHECK(near(run_json(one).outputs.at("context"), plain.outputs.at("context")));
  for (const std::size_t w : {1, 2, 3, 9}) {
    std::size_t count = 0;  // of 5 tokens
    for (std::size_t s = 1; s <= std::min<std::size_t>(w, 5); ++s) count += 5 - s + 1;
    const Ran ran = run_json(structure("area-attention-1d", knobs({{"w", w}})));
    CHECK(ran.outputs.at("weights").cols() == count);
  }
  const Json cells = structure("area-attention-2d", knobs({{"height", 1}, {"width", 1}}));
  const Array key = reshaped(input(cells, "key"), {12, 3});
  const Array value = reshaped(input(cells, "value"), {12, 3});
  const Ran flat = attend("dot", input(cells, "query"), key, value);
  CHECK(near(run_json(cells).outputs.at("context"), flat.outputs.at("context")));
}

TEST_CASE("areas: any score and alignment, also one that goes row by row") {
  const Json patch =
      knobs({{"w", 1}, {"score", "scaled-dot"}, {"alignment", "adaptive-temperature"}});
  const Json document = structure("area-attention-1d", patch);
  Json plain = {{"schema", "attention-playground/1"},
                {"inputs", document["inputs"]},
                {"mechanism", {{"type", "attention"}, {"alignment", "adaptive-temperature"}}}};
  for (const auto& [name, numbers] : document["parameters"].items())
    plain["parameters"][name.substr(std::string("structure.").size())] = numbers;
  CHECK(near(run_json(document).outputs.at("context"), run_json(plain).outputs.at("context")));
}

TEST_CASE("representations: one of them is the embedding, mapped") {
  for (const char* id : {"multi-representational", "cdme", "multilingual-meta"}) {
    Json document = example_document(*find_mechanism(Kind::structure, id));
    for (const char* name : {"x2", "x3", "x4", "x5", "x6", "x7", "x8"})
      document["inputs"].erase(name);
    document = with_parameters(document, 2);
    const Ran ran = run_json(document);
    const Array x = input(document, "x1"), &W = ran.parameters.at("structure.W1"),
                &b = ran.parameters.at("structure.b1"), &context = ran.outputs.at("context");
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const Row mapped_row = mapped(x.row(i), W);
      for (std::size_t c = 0; c < W.cols(); ++c)
        CHECK(context(i, c) == doctest::Approx(mapped_row[c] + b(c)).epsilon(1e-4));
    }
  }
}

TEST_CASE("the plain first cases of the taxonomy are the general module") {
  for (const char* id :
       {"singular-features", "single-level", "single-representational", "feature-juxtaposition"}) {
    Json document = structure(id, knobs({{"score", "additive"}, {"alignment", "sparsemax"}}));
    Json plain = document;
    plain["mechanism"] = {{"type", "attention"}, {"score", "additive"}, {"alignment", "sparsemax"}};
    plain["parameters"] = Json::object();
    for (const auto& [name, numbers] : document["parameters"].items())
      plain["parameters"][name.substr(std::string("structure.").size())] = numbers;
    CHECK(distance(run_json(document).outputs.at("context"),
                   run_json(plain).outputs.at("context")) == 0);
  }
}

TEST_CASE("spans that do not cut the tokens are refused at the pair that is wrong") {
  struct Bad {
    const char *spans, *path, *says;
  };
  for (const Bad& bad : {Bad{"[[0, 3], [2, 6]]", "/mechanism/spans/1", "overlaps"},
                         Bad{"[[0, 2], [3, 6]]", "/mechanism/spans/1", "gap"},
                         Bad{"[[1, 6]]", "/mechanism/spans/0", "gap"},
                         Bad{"[[0, 2], [2, 9]]", "/mechanism/spans/1", "goes past the end"},
                         Bad{"[[0, 2], [2, 5]]", "/mechanism/spans", "must reach the end"},
                         Bad{"[[0, 2], [2, 2], [2, 6]]", "/mechanism/spans/1", "at least one"},
                         Bad{"[[0, 1.5], [1.5, 6]]", "/mechanism/spans/0", "whole numbers"},
                         Bad{"[[0, -1]]", "/mechanism/spans/0", "whole numbers"},
                         Bad{"[[0, 2, 6]]", "/mechanism/spans", "found rows of 3"}}) {
    const std::string error =
        error_of(with_spans("hierarchical", {{"spans", Json::parse(bad.spans)}}));
    CHECK_MESSAGE(error.starts_with(std::string(bad.path) + ": "), error);
    CHECK_MESSAGE(error.find(bad.says) != std::string::npos, error);
  }
  const std::string error =
      error_of(with_spans("hierarchical-3tier", {{"documents", Json::parse("[[0, 4]]")}}));
  CHECK_MESSAGE(error.starts_with("/mechanism/documents/0: "), error);
  CHECK_MESSAGE(error.find("3 sentences") != std::string::npos, error);
}

}  // namespace attend::testing::levels_test
