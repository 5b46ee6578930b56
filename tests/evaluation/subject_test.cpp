// SPDX-License-Identifier: Apache-2.0
// What the measures of faithfulness ask of a document: other weights, slopes, missing tokens, other parameters.
#include "experiment/measuring/subject.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "tests/evaluation/measuring.h"
#include "tests/experiment/harness.h"

namespace attend::testing::subject_test {
namespace {

using doctest::Approx;

#ifdef ATTEND_DOUBLE
constexpr double step = 1e-5, slope_tolerance = 1e-6, equal = 1e-10;
#else
constexpr double step = 1e-2, slope_tolerance = 2e-2, equal = 1e-5;
#endif

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
  Json heads = document_file("/examples/models/rnnsearch.json");
  heads["model"][2]["attention"] = {{"heads", {{"type", "multi-head"}, {"count", 2}}}};
  Json recurrent =
      parse_json(R"({"schema": "attention-playground/1", "inputs": {"x": {"tokens": ["a", "b", "c"],
    "features": {"dim": 4}}}, "mechanism": {"type": "attention", "inputs": {"query": "x"},
    "alignment": "adaptive-temperature"}})");
  return {{classifier(false), {}},
          {classifier(true), {}},
          {document_file("/examples/see-that-girl-run.json"), {}},
          {document_file("/examples/models/rnnsearch.json"), {"decoder.weights", "decoder.logits"}},
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
  Json document = document_file("/examples/models/rnnsearch.json");
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
      CAPTURE(batch);
      CAPTURE(i);
      std::vector<double> more = parameters, less = parameters;
      more[i] += step;
      less[i] -= step;
      CHECK(slopes[i] ==
            Approx((total(more) - total(less)) / (2 * step)).epsilon(slope_tolerance).scale(1));
    }
  }
}

TEST_CASE("slopes by tokens are the gradients that the document gives by itself") {
  const Json document = document_file("/examples/see-that-girl-run.json");
  DocumentSubject subject = subject_of(document);
  const Tensor cotangent = wave(subject.usual().output);
  const Subject::TokenSlopes found = subject.token_slopes(cotangent);
  Json asked = document;
  asked["gradient"] = {{"of", subject.answer_output().record->name},
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

}  // namespace
}  // namespace attend::testing::subject_test
