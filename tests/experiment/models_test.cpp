// SPDX-License-Identifier: Apache-2.0
// Models as documents: against PyTorch's own layers, whose numbers tests/python/model_goldens.py wrote down, and the
// rules of wiring.
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

#include "experiment/service.h"
#include "tests/checkout.h"
#include "tests/experiment/harness.h"

namespace attend::testing::models_test {
namespace {

Json goldens() {
  std::ifstream file(testing::in_checkout("/tests/experiment/model_goldens.json"));
  std::ostringstream text;
  text << file.rdbuf();
  return parse_json(text.str());
}

Array array_of(const Json& json) {
  Array array(json["shape"].get<Shape>());
  array.data = json["data"].get<std::vector<double>>();
  return array;
}

const char* const small = R"({"schema": "attention-playground/1", "inputs": {
    "source": {"tokens": ["a", "b", "c"]}, "target": {"tokens": ["x", "y", "z", "<end>"]}},
  "model": [
    {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 3},
    {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 2},
    {"name": "decoder", "type": "om-decoder", "hidden": 3, "dim": 3, "inputs": {"memory": "encoder"}}]})";

Json with(const Json& changes) {
  Json document = parse_json(small);
  document.merge_patch(changes);
  return document;
}

// The document with members of its decoder changed.
Json decoder_with(const Json& changes) {
  Json document = parse_json(small);
  document["model"][2].merge_patch(changes);
  return document;
}

struct Refused {
  std::string path, says;
};

Refused refused(const Json& document) {
  try {
    (void)run_document(document.dump());
  } catch (const Error& error) {
    return {error.path, error.what()};
  }
  return {"nowhere", "nothing was refused"};
}

}  // namespace

TEST_CASE("models and their gradients equal PyTorch's layers") {
  const Json all = goldens();
  CHECK(all.size() == 2);
  for (const Json& golden : all) {
    CAPTURE(golden["document"]["title"].dump());
    const Ran ran = run_json(golden["document"]);
    for (const auto& [name, output] : golden["outputs"].items()) {
      CAPTURE(name);
      CHECK(distance(ran.outputs.at(name), array_of(output)) < tolerance);
    }
    for (const auto& [name, gradient] : golden["gradients"].items()) {
      CAPTURE(name);
      CHECK(distance(ran.gradients.at(name), array_of(gradient)) < tolerance);
    }
  }
}

TEST_CASE(
    "greedy decoding stops at the end token, and writes what a teacher with the same words writes") {
  const Json words{"<start>", "<end>", "<unknown>", "x", "y"};
  const Json greedy = decoder_with({{"feed", "greedy"}, {"steps", 6}, {"vocabulary", words}});
  const Array free = run_json(greedy).outputs.at("decoder.logits");
  const Array tokens = run_json(greedy).outputs.at("decoder.tokens");
  Json said = Json::array();
  bool ended = false;
  for (std::size_t t = 0; t < 6; ++t) {
    if (ended) CHECK(free.row(t) == Row(words.size(), 0));
    if (!ended) said.push_back(words[static_cast<std::size_t>(tokens.data[t])]);
    ended = ended || tokens.data[t] == 1;
  }
  Json taught = decoder_with({{"vocabulary", words}});
  taught["inputs"]["target"]["tokens"] = said;
  const Array same = run_json(taught).outputs.at("decoder.logits");
  for (std::size_t t = 0; t < said.size(); ++t) {
    for (std::size_t c = 0; c < words.size(); ++c)
      CHECK(same(t, c) == doctest::Approx(free(t, c)).epsilon(1e-5));
  }
  Json stops = greedy;
  stops["parameters"]["decoder.b_c"] = {0, 100, 0, 0, 0};
  const Array ends = run_json(stops).outputs.at("decoder.states");
  CHECK(ends.row(0) != Row(3, 0));
  CHECK(ends.row(1) == Row(3, 0));
  CHECK(ends.row(5) == Row(3, 0));
}

TEST_CASE(
    "a decoder says what it asks with, of what, and how it scores: its weights and context follow from them") {
  const auto out = run_json(decoder_with({{"asks", "before"}})).outputs;
  const Array &query = out.at("decoder.query"), &key = out.at("decoder.key");
  const Array &value = out.at("decoder.value"), &scores = out.at("decoder.scores");
  const Array &weights = out.at("decoder.weights"), &context = out.at("decoder.context");
  const Array& states = out.at("decoder.states");
  CHECK(key.data == value.data);  // additive attention asks the source as it is
  CHECK(query.rows() == states.rows());
  for (std::size_t t = 0; t < states.rows(); ++t) {
    // Before each step it asks with the state of the step before.
    if (t > 0) CHECK(query.row(t) == states.row(t - 1));
    double sum = 0;
    for (std::size_t j = 0; j < scores.cols(); ++j) sum += std::exp(scores(t, j));
    for (std::size_t j = 0; j < scores.cols(); ++j)
      CHECK(weights(t, j) == doctest::Approx(std::exp(scores(t, j)) / sum).epsilon(1e-5));
    for (std::size_t c = 0; c < value.cols(); ++c) {
      double mean = 0;
      for (std::size_t j = 0; j < value.rows(); ++j) mean += weights(t, j) * value(j, c);
      CHECK(context(t, c) == doctest::Approx(mean).epsilon(1e-4));
    }
  }
  const auto after = run_json(decoder_with({{"asks", "after"}})).outputs;
  CHECK(after.at("decoder.query").data == after.at("decoder.states").data);
  // With heads each asks and scores for itself; keys differ by head, within the steps.
  const Json heads =
      decoder_with({{"attention", {{"heads", {{"type", "multi-head"}, {"count", 2}}}}}});
  const auto two = run_json(heads).outputs;
  CHECK(two.at("decoder.scores").shape == two.at("decoder.weights").shape);
  CHECK_FALSE(two.contains("decoder.key"));
}

TEST_CASE("tied parameters are one: drawn once, with the sum of both gradients") {
  const Json tied =
      with({{"tie", {{"decoder.E", "embedding.E"}}}, {"gradient", {{"of", "decoder.logits"}}}});
  const Ran ran = run_json(tied);
  CHECK(ran.parameters.contains("embedding.E"));
  CHECK_FALSE(ran.parameters.contains("decoder.E"));
  Json apart = tied;
  apart.erase("tie");
  for (const char* name : {"embedding.E", "decoder.E"})
    apart["parameters"][name] = to_json(ran.parameters.at("embedding.E"));
  const Ran two = run_json(apart);
  const Array &a = two.gradients.at("embedding.E"), &b = two.gradients.at("decoder.E");
  for (std::size_t i = 0; i < a.data.size(); ++i)
    CHECK(ran.gradients.at("embedding.E").data[i] ==
          doctest::Approx(a.data[i] + b.data[i]).epsilon(1e-4));
}

// Words read by a table, and written by a layer of its own.
Json reader_and_writer(const Json& patch) {
  Json document = parse_json(R"({"schema": "attention-playground/1", "seed": 4,
    "inputs": {"x": {"tokens": ["a", "b", "a"]}},
    "model": [
      {"name": "word", "type": "fm-embedding", "inputs": {"x": "x"}, "dim": 4,
       "vocabulary": ["<start>", "<end>", "<unknown>", "a", "b"]},
      {"name": "words", "type": "om-softmax", "inputs": {"x": "word"}, "classes": 5}],
    "gradient": {"of": "words.logits"}})");
  document.merge_patch(patch);
  return document;
}

TEST_CASE("a transposed tie is one matrix read both ways, with the sum of both gradients") {
  const Json tied = reader_and_writer({{"tie", {{"words.W_c", {{"transpose", "word.E"}}}}}});
  const Ran one = run_json(tied);
  const Array& E = one.parameters.at("word.E");  // [5 4]
  CHECK_FALSE(one.parameters.contains("words.W_c"));
  Array across({4, 5});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 5; ++j) across(i, j) = E(j, i);
  }
  const Ran two = run_json(reader_and_writer(
      {{"parameters", {{"word.E", to_json(E)}, {"words.W_c", to_json(across)}}}}));
  CHECK(one.outputs.at("words.logits").data == two.outputs.at("words.logits").data);
  const Array &read = two.gradients.at("word.E"), &written = two.gradients.at("words.W_c");
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 4; ++j)
      CHECK(one.gradients.at("word.E")(i, j) ==
            doctest::Approx(read(i, j) + written(j, i)).epsilon(1e-4));
  }
  // The other way round: what the reader has is the writer's matrix, which is recorded after it.
  const Ran back = run_json(reader_and_writer({{"tie", {{"word.E", {{"transpose", "words.W_c"}}}}},
                                               {"parameters", {{"words.W_c", to_json(across)}}}}));
  CHECK(back.outputs.at("words.logits").data == two.outputs.at("words.logits").data);
  CHECK(back.parameters.at("words.W_c").shape == Shape{4, 5});
}

TEST_CASE("the models among the examples run, and their normal form computes the same") {
  for (const char* name : {"rnnsearch", "transformer"}) {
    std::ifstream file(testing::in_checkout("/examples/models/" + std::string(name) + ".json"));
    std::ostringstream text;
    text << file.rdbuf();
    const std::string result = run_document(text.str());
    CHECK(run_document(normalise_document(text.str())) == result);
    CHECK(run_json(parse_json(text.str())).outputs.contains("loss"));
  }
}

TEST_CASE("an input's name stands in paths as JSON pointers write it") {
  Json document = parse_json(R"({"schema": "attention-playground/1",
    "inputs": {"a/b~": {"tokens": ["a", "b"]}, "c/d": {"matrix": [[1]]}}})");
  document["mechanism"] = {{"type", "fm-embedding"}, {"inputs", {{"x", "c/d"}}}};
  CHECK(refused(document).path == "/inputs/c~1d");
  document["mechanism"]["inputs"]["x"] = "a/b~";
  CHECK(run_json(document).outputs.at("output").rows() == 2);
}

TEST_CASE("numbers of classes are whole and below the count of classes, in every example") {
  const auto asked = [](const Json& target) {
    Json document = parse_json(R"({"schema": "attention-playground/1", "mechanism": "cross-entropy",
      "inputs": {"logits": {"matrix": [[1, 2, 3], [3, 1, 2]]}}})");
    document["inputs"]["target"] = {{"matrix", target}};
    return document;
  };
  CHECK(run_json(asked({{0}, {2}})).outputs.contains("loss"));
  for (const double wrong : {3., -1., 1.5, 1e30}) {
    CAPTURE(wrong);
    const Refused found = refused(asked({{0}, {wrong}}));
    CHECK(found.path == "/inputs/target");
    CHECK(found.says.find("whole numbers from 0 to 2") != std::string::npos);
    Json batch = asked({{0}, {2}});
    batch["examples"] = {{{"target", {{"matrix", {{0}, {1}}}}}},
                         {{"target", {{"matrix", {{wrong}, {1}}}}}}};
    CHECK(refused(batch).path == "/examples/1/target");
  }
}

TEST_CASE("what is wrong with a model is said at its path") {
  const auto check = [](const Json& document, const std::string& path, const std::string& says) {
    const Refused found = refused(document);
    CAPTURE(found.says);
    CHECK(found.path == path);
    CHECK(found.says.find(says) != std::string::npos);
  };
  check(with({{"model", Json::array()}}), "/model", "1 to 256 modules");
  check(with({{"model", Json(std::vector<Json>(257, Json::object()))}}), "/model", "found 257");
  check(with({{"mechanism", "attention"}}), "/model", "found both");
  check(decoder_with({{"name", "encoder"}}), "/model/2/name", "already");
  check(decoder_with({{"name", "two words"}}), "/model/2/name", "one word");
  check(decoder_with({{"inputs", {{"memory", "decoder"}}}}), "/model/2/inputs/memory",
        "the module itself");
  check(decoder_with({{"inputs", {{"memory", "nobody"}}}}), "/model/2/inputs/memory", "no input");
  check(decoder_with({{"inputs", {{"memory", "encoder.first"}}}}), "/model/2/inputs/memory",
        "no output \"first\"");
  check(decoder_with({{"inputs", {{"memory", "encoder"}, {"tail", "source"}}}}),
        "/model/2/inputs/tail", "no role");
  check(decoder_with({{"inputs", nullptr}}), "/inputs", "\"memory\"");
  Json later = parse_json(small);
  later["model"][0]["inputs"]["x"] = "encoder";
  check(later, "/model/0/inputs/x", "comes later");
  check(with({{"tie", {{"decoder.E", "decoder.b_0"}}}}), "/tie/decoder.E", "same shape");
  check(with({{"tie", {{"decoder.E", "nobody.E"}}}}), "/tie/decoder.E", "no parameter");
  for (const char* target : {"inputs.source", "decoder.target"}) {
    check(with({{"tie", {{"embedding.E", target}}}}), "/tie/embedding.E", "no parameter");
    check(with({{"tie", {{"decoder.E", target}}}}), "/tie/decoder.E", "no parameter");
  }
  check(with({{"tie", {{"a/b", "decoder.E"}}}}), "/tie/a~1b", "no parameter \"a/b\"");
  check(with({{"parameters", {{"a/b~", 1}}}}), "/parameters/a~1b~0", "no parameter \"a/b~\"");
  for (const char* name : {"inputs", "outputs", "parameters"})
    check(decoder_with({{"name", name}}), "/model/2/name", "a different name");
  check(decoder_with({{"feed", "greedy"}}), "/model/2/vocabulary", "give the vocabulary");
  const auto words = [](const Json& list) { return decoder_with({{"vocabulary", list}}); };
  check(words({"<start>", "<end>"}), "/model/2/vocabulary", "found 2 words");
  check(words({"<end>", "<start>", "<unknown>"}), "/model/2/vocabulary", "expected <start>, <end>");
  check(words({"<start>", "<end>", "<unknown>", "x", "x"}), "/model/2/vocabulary/4",
        "\"x\" appears twice");
  const auto tied = [](const Json& tie) { return reader_and_writer({{"tie", tie}}); };
  check(tied({{"words.W_c", "word.E"}}), "/tie/words.W_c", R"({"transpose": "word.E"})");
  check(tied({{"words.b_c", {{"transpose", "word.E"}}}}), "/tie/words.b_c", "only a matrix");
  check(tied({{"words.W_c", {{"transpose", 3}}}}), "/tie/words.W_c/transpose", "a string");
  check(tied({{"words.W_c", {{"transposed", "word.E"}}}}), "/tie/words.W_c/transposed", "unknown");
  check(tied({{"words.W_c", 3}}), "/tie/words.W_c", "transposed matrix");
}

}  // namespace attend::testing::models_test
