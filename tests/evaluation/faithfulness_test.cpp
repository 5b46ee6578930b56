// SPDX-License-Identifier: Apache-2.0
// The measures of faithfulness, and what they ask of a document: other weights, slopes, missing tokens, other parameters.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

#include "evaluation/divergence.h"
#include "evaluation/rows.h"
#include "experiment/subject.h"
#include "ops/random.h"
#include "tests/evaluation/measuring.h"
#include "tests/experiment/harness.h"

namespace attend::testing {
namespace {

using doctest::Approx;

#ifdef ATTEND_DOUBLE
constexpr double step = 1e-5, slope_tolerance = 1e-6, equal = 1e-10;
#else
constexpr double step = 1e-2, slope_tolerance = 2e-2, equal = 1e-5;
#endif

// Weights that are exactly those given: scores are their logarithms, and values are classes.
Json given_weights(const std::string& weights, const std::string& values) {
  Json document = parse_json(R"({"schema": "attention-playground/1",
    "inputs": {"query": {"matrix": [[1]]}, "key": {"matrix": []}, "energy": {"matrix": []}, "value": {"matrix": )" +
                             values + R"(}},
    "mechanism": {"type": "attention", "score": "external-energy"}})");
  Json energies = parse_json(weights), keys = Json::array(), queries = Json::array();
  for (Json& row : energies) {
    queries.push_back({1});
    for (Json& weight : row) weight = std::log(weight.get<double>());
  }
  for (std::size_t j = 0; j < energies[0].size(); ++j) keys.push_back({1});
  document["inputs"]["energy"]["matrix"] = energies;
  document["inputs"]["key"]["matrix"] = keys;
  document["inputs"]["query"]["matrix"] = queries;
  return document;
}

Json measured(const Json& measure, const Json& document, Json more = Json::object()) {
  more["measure"] = measure;
  more["document"] = document;
  return answer_measurement(more);
}

std::vector<double> detail(const Json& answer, const std::string& name) {
  return answer["details"][name]["data"].get<std::vector<double>>();
}

// Sentences of which one has three tokens, read by recurrent cells, attended to and classified.
Json classifier(bool batch) {
  Json document = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"text": {"tokens": ["not", "a", "good", "film"]}},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "text"}, "dim": 4},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 3},
      {"name": "att", "type": "attention", "query": "query-learned", "score": {"type": "additive", "hidden": 3},
       "inputs": {"key": "encoder"}},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "att"}, "classes": 3}]})");
  if (!batch) return document;
  document["examples"] = parse_json(R"([{"text": {"tokens": ["not", "a", "good", "film"]}},
    {"text": {"tokens": ["a", "very", "good", "film"]}}, {"text": {"tokens": ["film", "a", "bad", "film"]}}])");
  document["model"][0]["vocabulary"] = {"<start>", "<end>", "<unknown>", "not", "a",
                                        "good",    "film",  "very",      "bad"};
  return document;
}

Json file(const std::string& name) {
  std::ifstream stream(ATTEND_SOURCE_DIR + name);
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_json(text.str());
}

DocumentSubject subject_of(const Json& document, SubjectWish wish = {}) {
  return DocumentSubject(read_document(document), std::move(wish), "/document");
}

void check_near(const Tensor& a, const Tensor& b, double tolerance = equal) {
  REQUIRE(a.shape == b.shape);
  for (std::size_t i = 0; i < a.data.size(); ++i)
    CHECK(a.data[i] == Approx(b.data[i]).epsilon(tolerance).scale(1));
}

Tensor wave(const Tensor& like) {
  Tensor tensor = like;
  for (std::size_t i = 0; i < tensor.data.size(); ++i)
    tensor.data[i] = std::cos(1.7 * static_cast<double>(i));
  return tensor;
}

double product(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) sum += a.data[i] * b.data[i];
  return sum;
}

// Where attention stands in a model: by itself, in a batch, in heads, and inside a decoder's scan.
std::vector<std::pair<Json, SubjectWish>> models() {
  Json heads = file("/examples/models/rnnsearch.json");
  heads["model"][2]["attention"] = {{"heads", {{"type", "multi-head"}, {"count", 2}}}};
  Json recurrent =
      parse_json(R"({"schema": "attention-playground/1", "inputs": {"x": {"tokens": ["a", "b", "c"],
    "features": {"dim": 4}}}, "mechanism": {"type": "attention", "inputs": {"query": "x"},
    "alignment": "adaptive-temperature"}})");
  return {{classifier(false), {}},
          {classifier(true), {}},
          {file("/examples/see-that-girl-run.json"), {}},
          {file("/examples/models/rnnsearch.json"), {"decoder.weights", "decoder.logits"}},
          {heads, {"decoder.weights", "decoder.logits"}},
          {recurrent, {}}};
}

TEST_CASE(
    "a document answers with the weights that it has as it does by itself, and otherwise with others") {
  for (const auto& [document, wish] : models()) {
    CAPTURE(document.dump());
    DocumentSubject subject = subject_of(document, wish);
    const Subject::Answer usual = subject.usual();
    check_near(subject.output_with(usual.weights), usual.output);
    const Tensor even = uniform_weights(subject.allowed());
    const Tensor changed = subject.output_with(even);
    double most = 0;
    for (std::size_t i = 0; i < changed.data.size(); ++i)
      most = std::max(most, std::abs(changed.data[i] - usual.output.data[i]));
    CHECK(most > 1e-4);
  }
}

// The same by another route: a document whose alignment is uniform.
TEST_CASE("even weights put into a decoder's steps are those of the uniform alignment") {
  Json document = file("/examples/models/rnnsearch.json");
  for (const bool heads : {false, true}) {
    if (heads)
      document["model"][2]["attention"] = {{"heads", {{"type", "multi-head"}, {"count", 2}}}};
    DocumentSubject subject = subject_of(document, {"decoder.weights", "decoder.logits"});
    const Tensor changed = subject.output_with(uniform_weights(subject.allowed()));
    Json uniform = document;
    uniform["model"][2]["attention"]["alignment"] = "uniform";
    DocumentSubject other = subject_of(uniform, {"decoder.weights", "decoder.logits"});
    check_near(changed, other.usual().output);
  }
}

TEST_CASE("slopes by weights agree with finite differences") {
  for (const auto& [document, wish] : models()) {
    CAPTURE(document.dump());
    DocumentSubject subject = subject_of(document, wish);
    const Subject::Answer usual = subject.usual();
    const Tensor cotangent = wave(usual.output);
    const Tensor slopes = subject.slopes(usual.weights, cotangent);
    for (std::size_t i = 0; i < usual.weights.data.size(); i += 3) {
      Tensor more = usual.weights, less = usual.weights;
      more.data[i] += step;
      less.data[i] -= step;
      const double found = (product(subject.output_with(more), cotangent) -
                            product(subject.output_with(less), cotangent)) /
                           (2 * step);
      CHECK(slopes.data[i] == Approx(found).epsilon(slope_tolerance).scale(1));
    }
  }
}

TEST_CASE("slopes by parameters agree with finite differences, of weights and answers at once") {
  for (const bool batch : {false, true}) {
    DocumentSubject subject = subject_of(classifier(batch));
    const Subject::Answer usual = subject.usual();
    const Tensor by_weights = wave(usual.weights), by_output = wave(usual.output);
    const std::vector<double> parameters = subject.parameters();
    const std::vector<double> slopes = subject.parameter_slopes(parameters, by_weights, by_output);
    REQUIRE(slopes.size() == parameters.size());
    const auto total = [&](const std::vector<double>& at) {
      const Subject::Answer answer = subject.answer(at);
      return product(answer.weights, by_weights) + product(answer.output, by_output);
    };
    for (std::size_t i = 0; i < parameters.size(); i += 11) {
      std::vector<double> more = parameters, less = parameters;
      more[i] += step;
      less[i] -= step;
      CHECK(slopes[i] ==
            Approx((total(more) - total(less)) / (2 * step)).epsilon(slope_tolerance).scale(1));
    }
  }
}

TEST_CASE("slopes by tokens are the gradients that the document gives by itself") {
  const Json document = file("/examples/see-that-girl-run.json");
  DocumentSubject subject = subject_of(document);
  const Tensor cotangent = wave(subject.usual().output);
  const Subject::TokenSlopes found = subject.token_slopes(cotangent);
  Json asked = document;
  asked["gradient"] = {{"of", subject.answer_output().name},
                       {"cotangent", {{"shape", cotangent.shape}, {"data", cotangent.data}}}};
  const Ran ran = run_json(asked);
  CHECK(distance(ran.gradients.at("inputs.x"), Array(found.slopes)) < equal * 10);
}

TEST_CASE("an answer without a token is that of the document without it") {
  for (const bool batch : {false, true}) {
    DocumentSubject subject = subject_of(classifier(batch));
    const std::size_t example = batch ? 1 : 0;
    const Tensor found = subject.output_without(example, 2);
    Json less = classifier(batch);
    if (batch) {
      less["inputs"] = less["examples"][example];
      less.erase("examples");
    } else {
      less["model"][0]["vocabulary"] = {"<start>", "<end>", "<unknown>", "not",
                                        "a",       "good",  "film"};
    }
    less["inputs"]["text"]["tokens"].erase(2);
    check_near(found, subject_of(less).usual().output);
  }
}

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
  CHECK(detail(answer, "share of decisions flipped, by keys taken") == std::vector<double>{0, 1});
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
  Json document = given_weights("[[0.6, 0.3, 0.1]]", "[[1, 0], [0, 1], [0.5, 0.5]]");
  document = parse_json(R"({"schema": "attention-playground/1", "inputs": {
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
                            moves = detail(one, "moves of the first answer");
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
  const Json search = file("/examples/models/rnnsearch.json");
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
       "below 3"},
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
}  // namespace attend::testing
