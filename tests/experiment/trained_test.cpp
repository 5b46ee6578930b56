// SPDX-License-Identifier: Apache-2.0
// The models that ship: trained again for some steps they lose what was recorded, and their halves do what is said of
// them.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

#include "experiment/learning/answer.h"
#include "experiment/learning/learner.h"
#include "experiment/service.h"
#include "tests/checkout.h"

namespace attend::trained_test {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(testing::in_checkout("/") + path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the models that ship are what their documents become") {
  const Json record = parse_json(text_of("tests/experiment/trained.json"));
  CHECK(record.size() >= 6);
  for (const auto& [name, own] : record.items()) {
    CAPTURE(name);
    const std::string bytes = text_of("examples/trained/" + name + ".safetensors");
    CHECK(bytes.size() > 1000);
    CHECK(bytes.size() <= 100'000);
    const Json document = parse_json(text_of("examples/trained/" + name + ".json"));
    Learner learner(document);
    for (const Json& loss : own["losses"])
      CHECK(learner.step().loss == doctest::Approx(loss.get<double>()).epsilon(1e-3));

    const TensorFile file = read_tensor_file(bytes);
    CHECK(parse_json(file.metadata.at("document")) == learner.lesson().document);
    learner.restore(file);
    const Measures measures = learner.measure(500);
    // What the page says of it, and what the halves lost.
    CHECK(measures.accuracy ==
          doctest::Approx(own["half"]["accuracy"].get<double>()).epsilon(.002));
    CHECK(measures.means == doctest::Approx(own["half"]["alignment"].get<double>()).epsilon(.01));
    CHECK(std::abs(own["half"]["accuracy"].get<double>() - own["whole"]["accuracy"].get<double>()) <
          .005);
  }
}

TEST_CASE("the models that ship are run and exported as they stand") {
  const Json record = parse_json(text_of("tests/experiment/trained.json"));
  for (const auto& [name, own] : record.items()) {
    CAPTURE(name);
    const std::string text = text_of("examples/trained/" + name + ".json");
    CHECK(Json::parse(run_document(text))["outputs"].contains("loss"));
    CHECK(export_document(text, "pytorch").find("def attention(") != std::string::npos);
  }
}

TEST_CASE(
    "a model whose words and image are its task's writes with its weights what it wrote in training") {
  for (const std::string name : {"transformer", "shapes", "glyphs"}) {
    CAPTURE(name);
    const std::string text = text_of("examples/trained/" + name + ".json");
    Json document = parse_json(text);
    Learner learner(document);
    const TensorFile file = read_tensor_file(text_of("examples/trained/" + name + ".safetensors"));
    learner.restore(file);
    for (const auto& [weight, tensor] : file.tensors)
      document["parameters"][weight] = {{"shape", tensor.shape}, {"data", tensor.data}};
    // What it writes is what the training says that it writes: the words and the pinned example are the task's.
    const Json written = Json::parse(written_text(document.dump()));
    CHECK(written["tokens"].get<std::vector<std::string>>() == learner.pinned().written);
  }
}

TEST_CASE(
    "an input that its task never makes has no truth: what it is compared with is only the document's") {
  Json document = parse_json(text_of("examples/trained/translate.json"));
  CHECK_FALSE(Learner(document).pinned().outside);
  document["inputs"]["source"]["tokens"] = {"you", "love", "love", "I"};
  document["inputs"]["target"]["tokens"] = {"tu", "aime"};
  Learner learner(document);
  const Pinned pinned = learner.pinned();
  CHECK(pinned.outside);
  CHECK(pinned.truth.front() == "tu");
  CHECK(pinned.links.empty());
}

TEST_CASE("I love you is translated by looking at what each word means") {
  Learner learner(parse_json(text_of("examples/trained/translate.json")));
  learner.restore(read_tensor_file(text_of("examples/trained/translate.safetensors")));
  const Pinned pinned = learner.pinned();
  CHECK(pinned.written == std::vector<std::string>{"je", "t'", "aime", "<end>"});
  REQUIRE(pinned.maps.size() == 1);
  const std::vector<std::size_t> means{0, 2, 1};
  for (std::size_t row = 0; row < 3; ++row) {
    const auto first = pinned.maps[0].weights.begin() + static_cast<long>(row * 3);
    CHECK(static_cast<std::size_t>(std::max_element(first, first + 3) - first) == means[row]);
    if (row != 1) CHECK(static_cast<double>(first[static_cast<long>(means[row])]) > .7);
    double linked = 0;
    for (std::size_t column = 0; column < 3; ++column) {
      const bool here =
          std::any_of(pinned.links.begin(), pinned.links.end(),
                      [&](const Link& link) { return link.row == row && link.column == column; });
      if (here) linked += static_cast<double>(first[static_cast<long>(column)]);
    }
    CHECK(linked >= .95);  // on what the word means or agrees with
  }
}

}  // namespace attend::trained_test
