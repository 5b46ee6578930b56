// SPDX-License-Identifier: Apache-2.0
// The measures of faithfulness over documents whose answers are known by hand.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "evaluation/divergence.h"
#include "experiment/measuring/subject.h"
#include "tests/evaluation/measuring.h"
#include "tests/experiment/harness.h"

namespace attend::testing::faithfulness_test {
namespace {

using doctest::Approx;

TEST_CASE("permuted weights change nothing where they are even, or where there is one key") {
  const std::string classes = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]";
  CHECK(measured("permutation-test", given_weights("[[0.3, 0.3, 0.3]]", classes))["value"]
            .get<double>() < 1e-6);
  CHECK(measured("permutation-test", given_weights("[[1]]", "[[1, 0]]"))["value"].get<double>() <
        1e-6);
  // Each change is that of one of the six orders, and all six come up.
  const Json answer = measured("permutation-test", given_weights("[[0.6, 0.3, 0.1]]", classes));
  std::vector<double> possible, weights{.6, .3, .1}, order{.1, .3, .6};
  do {
    possible.push_back(total_variation(weights, order));
  } while (std::next_permutation(order.begin(), order.end()));
  std::vector<double> changes = detail(answer, "changes");
  CHECK(changes.size() == 100);
  for (const double change : changes)
    CHECK(std::ranges::any_of(possible, [&](double p) { return std::abs(p - change) < 1e-5; }));
  for (const double p : possible)
    CHECK(std::ranges::any_of(changes, [&](double change) { return std::abs(p - change) < 1e-5; }));
  std::ranges::sort(changes);
  CHECK(answer["value"].get<double>() == Approx((changes[49] + changes[50]) / 2));
}

TEST_CASE("ablations read labels as words, as the name of an input, and as numbers") {
  Json document = document_file("/examples/trained/translated.json");
  document.erase("parameters");
  const Json words = document["inputs"]["target"]["tokens"];
  const auto said = [&](const char* id, const Json& labels, Json more = Json::object()) {
    more["labels"] = labels;
    if (std::string(id) == "component-ablation") more["other"] = {{"model", document["model"]}};
    Json found = measured({{"type", id}, {"metric", "probability"}}, document, more);
    return std::pair(found["details"]["with"].get<double>(), found["value"].get<double>());
  };
  Json places = Json::array();
  for (const Json& word : words) {
    const Json& vocabulary = document["model"][4]["vocabulary"];
    places.push_back(std::find(vocabulary.begin(), vocabulary.end(), word) - vocabulary.begin());
  }
  for (const char* id : {"uniform-ablation", "component-ablation"}) {
    CAPTURE(id);
    const auto expected = said(id, places);
    CHECK(expected.first > 0);
    CHECK(said(id, "target") == expected);
    CHECK(said(id, words) == expected);
    const Json renamed{{"vocabulary", {"a", "b", "c", "d", "e"}}};
    CHECK(said(id, {"d", "e", "5", "1"}, renamed) == expected);
  }
  // Of several examples all labels, in their order.
  Json batch = classifier(true);
  batch["inputs"]["right"] = {{"tokens", {"bad"}}};
  const std::vector<std::string> right{"good", "good", "so"};
  for (std::size_t i = 0; i < right.size(); ++i)
    batch["examples"][i]["right"] = {{"tokens", {right[i]}}};
  const Json measure{{"type", "uniform-ablation"}, {"metric", "probability"}},
      vocabulary{{"vocabulary", {"bad", "so", "good"}}, {"output", "out.probabilities"}};
  Json named = vocabulary, listed = vocabulary;
  named["labels"] = "right";
  listed["labels"] = {2, 2, 1};
  CHECK(measured(measure, batch, named)["details"] == measured(measure, batch, listed)["details"]);
}

TEST_CASE("ablations compare scores") {
  const std::string classes = "[[1, 0], [0, 1]]";
  const Json document = given_weights("[[0.7, 0.3]]", classes);
  const Json probability = {{"type", "uniform-ablation"}, {"metric", "probability"}};
  CHECK(measured(probability, document, {{"labels", {0}}})["value"].get<double>() == Approx(.2));
  CHECK(measured(probability, document, {{"labels", {1}}})["value"].get<double>() == Approx(-.2));
  CHECK(
      measured("uniform-ablation", given_weights("[[0.5, 0.5]]", classes))["value"].get<double>() ==
      0);
  const Json component = {{"type", "component-ablation"}, {"metric", "probability"}};
  const Json sharp = {
      {"mechanism", {{"alignment", {{"type", "softmax-temperature"}, {"temperature", .5}}}}}};
  const Json answer = measured(component, document, {{"labels", {0}}, {"other", sharp}});
  CHECK(answer["value"].get<double>() == Approx(.7 - .49 / .58).epsilon(1e-5));
  // Parameters that still fit stay: another alignment leaves what the model drew.
  Json model = classifier(false);
  Json patch = {{"model", model["model"]}};
  patch["model"][2]["score"]["act"] = "relu";
  const Json both = measured("component-ablation", model, {{"other", patch}});
  CHECK(both["details"]["with"].get<double>() == 1);
}

TEST_CASE("adversarial weights look elsewhere and leave the answer") {
  const std::string equal_values = "[[1, 0], [1, 0], [1, 0], [1, 0]]";
  const Json free =
      measured("adversarial-attention", given_weights("[[0.97, 0.01, 0.01, 0.01]]", equal_values));
  CHECK(free["value"].get<double>() > .6);  // of at most ln 2
  CHECK(
      measured("adversarial-attention", given_weights("[[1]]", "[[1, 0]]"))["value"].get<double>() <
      1e-9);
  const std::vector<double> weights{.4, .3, .2, .1};
  const std::string values = "[[1, 0, 0], [0, 1, 0], [0.9, 0.1, 0], [0, 0, 1]]";
  const std::vector<std::vector<double>> v{{1, 0, 0}, {0, 1, 0}, {.9, .1, 0}, {0, 0, 1}};
  const Json document = given_weights("[[0.4, 0.3, 0.2, 0.1]]", values);
  double last = -1;
  for (const double epsilon : {0., .01, .05, .3}) {
    CAPTURE(epsilon);
    const Json answer =
        measured({{"type", "adversarial-attention"}, {"epsilon", epsilon}}, document);
    const std::vector<double> found = detail(answer, "weights");
    std::vector<double> before(3), after(3);
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t c = 0; c < 3; ++c) {
        before[c] += weights[j] * v[j][c];
        after[c] += found[j] * v[j][c];
      }
    }
    CHECK(total_variation(before, after) <= epsilon + 1e-5);
    CHECK(answer["value"].get<double>() ==
          Approx(jensen_shannon(weights, found)).epsilon(1e-4).scale(1));
    CHECK(answer["value"].get<double>() >= last - 1e-9);  // more room, more difference
    last = answer["value"].get<double>();
  }
  CHECK(last > .05);
}

TEST_CASE("erasure takes keys until the decision flips") {
  const std::string classes = "[[1, 0], [0, 1], [0, 1]]";
  const Json document = given_weights("[[0.6, 0.25, 0.15]]", classes);
  CHECK(measured("erasure", document)["value"].get<double>() == Approx(1. / 3));
  // The slope of what is decided names the key that decides too.
  const Json by_slope = {{"type", "erasure"}, {"order", "gradient"}};
  CHECK(measured(by_slope, document)["value"].get<double>() == Approx(1. / 3));
  const Json two = given_weights("[[0.35, 0.35, 0.3]]", "[[1, 0], [1, 0], [0, 1]]");
  const Json answer = measured("erasure", two);
  CHECK(answer["value"].get<double>() == Approx(2. / 3));
  CHECK(detail(answer, "share of decisions flipped, by keys removed") == std::vector<double>{0, 1});
  CHECK(measured("erasure", given_weights("[[0.6, 0.4]]", "[[1, 0], [1, 0]]"))["value"]
            .get<double>() == 1);
}

TEST_CASE("weights are ranked beside gradients and what is left out") {
  const Json answer = measured("feature-importance-corr", classifier(true));
  CHECK(answer["units"] == 3);
  const double value = answer["value"].get<double>();
  CHECK(std::abs(value) <= 1);
  CHECK(detail(answer, "weights of the first answer").size() == 4);
  CHECK(answer["interval"]["low"].get<double>() <= value);
  // By hand: three keys, the answer moves most without the heaviest one.
  const Json document = parse_json(R"({"schema": "attention-playground/1", "inputs": {
    "query": {"matrix": [[1, 0]]}, "key": {"tokens": ["a", "b", "c"],
      "features": {"type": "matrix", "matrix": [[2, 1], [1, -1], [-1, 0]]}}},
    "mechanism": {"type": "attention", "score": "dot"}})");
  const Json one = measured("feature-importance-corr", document);
  const std::vector<double> e{std::exp(2), std::exp(1), std::exp(-1)};
  const std::vector<std::vector<double>> v{{2, 1}, {1, -1}, {-1, 0}};
  const auto answer_without = [&](std::size_t left_out) {
    std::vector<double> y(2);
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) sum += j == left_out ? 0 : e[j];
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t c = 0; c < 2; ++c) y[c] += j == left_out ? 0 : e[j] / sum * v[j][c];
    return y;
  };
  const std::vector<double> whole = answer_without(3),
                            moves = detail(one, "changes of the first answer");
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(moves[j] == Approx(total_variation(whole, answer_without(j))).epsilon(1e-5));
  // d y_0 / d key_j = a_j ((1, 0) + (v_j0 - y_0) (1, 0)): the answer decides for column 0.
  const std::vector<double> gradients = detail(one, "gradients of the first answer");
  for (std::size_t j = 0; j < 3; ++j) {
    const double a = e[j] / (e[0] + e[1] + e[2]);
    CHECK(gradients[j] == Approx(std::abs(a * (1 + v[j][0] - whole[0]))).epsilon(1e-4));
  }
}

TEST_CASE(
    "a model trained to copy answers copies them, and an adversary looks elsewhere than the copy") {
  const Json measure = {
      {"type", "adversarial-model"}, {"steps", 400}, {"lambda", .05}, {"rate", .02}};
  const Json answer = measured(measure, classifier(true));
  const std::vector<double> copy = detail(answer, "copy: answers and weights");
  const std::vector<double> adversary = detail(answer, "adversary: answers and weights");
  CHECK(copy[0] < .02);
  CHECK(adversary[1] > copy[1]);
  CHECK(answer["value"].get<double>() == Approx(adversary[1]));
  const std::vector<double> curve = detail(answer, "adversary by step");
  CHECK(curve[0] > 5 * curve[curve.size() - 2]);  // it began far from the answers
}

TEST_CASE("measures take maps and words from a document") {
  const Json document = classifier(true);
  const Json entropy = measured("entropy", document);
  CHECK(entropy["units"] == 3);
  CHECK(entropy["interval"]["method"] == "bootstrap");
  const Json search = document_file("/examples/models/rnnsearch.json");
  const Json aer =
      measured("aer", search, {{"map", "decoder.weights"}, {"gold", {{0, 0}, {2, 1}}}});
  CHECK(aer["value"].get<double>() <= 1);
  const Json surprise =
      measured("perplexity", search, {{"output", "decoder.logits"}, {"labels", "target"}});
  const Ran ran = run_json(search);
  CHECK(surprise["value"].get<double>() ==
        Approx(std::exp(ran.outputs.at("loss.loss").data[0])).epsilon(1e-4));
  const Json heat =
      measured("word-heatmap", search, {{"map", "decoder.weights"}, {"tokens", "source"}});
  CHECK(heat["details"]["opacity"]["words"] == Json({"I", "love", "you", "and", "you"}));
  const Json text = measured(
      "wer", search,
      {{"output", "decoder.logits"}, {"tokens", "decoder.tokens"}, {"reference", "target"}});
  CHECK(text["details"]["reference length"] == 4);
}

struct Wrong {
  Json measurement;
  const char *path, *part;
};

TEST_CASE("what a document cannot answer is refused with a reason") {
  const Json document = classifier(false);
  const std::vector<Wrong> all{
      {{{"measure", "entropy"}, {"document", document}, {"map", "att.scores"}},
       "/map",
       "there are att.weights"},
      {{{"measure", "erasure"}, {"document", document}, {"output", "nothing"}},
       "/output",
       "out.probabilities"},
      {{{"measure", "component-ablation"}, {"document", document}}, "/other", "found nothing"},
      {{{"measure", "component-ablation"}, {"document", document}, {"other", {{"seed", -1}}}},
       "/other/seed",
       "whole number"},
      {{{"measure", "component-ablation"},
        {"document", document},
        {"other", {{"model", Json::array()}}}},
       "/other/model",
       ""},
      {{{"measure", "uniform-ablation"}, {"document", document}, {"labels", {7}}},
       "/labels",
       "beyond the 3 classes"},
      {{{"measure", "uniform-ablation"}, {"document", document}, {"labels", {"good"}}},
       "/labels",
       "give the vocabulary"},
      {{{"measure", "uniform-ablation"}, {"document", document}, {"labels", {0, 1}}},
       "/labels",
       "expected 1 labels"},
      {{{"measure", "feature-importance-corr"},
        {"document", given_weights("[[0.5, 0.5]]", "[[1], [0]]")}},
       "/document",
       "no tokens"},
      {{{"measure", "erasure"}, {"document", document}, {"output", "encoder.output"}},
       "/document",
       "does not read"},
  };
  for (const Wrong& wrong : all) {
    CAPTURE(wrong.measurement.dump());
    try {
      answer_measurement(wrong.measurement);
      FAIL_CHECK("it was taken");
    } catch (const Error& error) {
      CHECK(error.path == wrong.path);
      CHECK_MESSAGE(std::string(error.what()).find(wrong.part) != std::string::npos, error.what());
    }
  }
}

}  // namespace
}  // namespace attend::testing::faithfulness_test
