// SPDX-License-Identifier: Apache-2.0
// What a step leaves out or reads instead, held to what the same model loses where nothing is left out: by documents
// so small that every loss can be told beforehand. And the measures of looks, counted again from the maps.
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "experiment/learning/learner.h"
#include "experiment/learning/read_lesson.h"
#include "experiment/service.h"
#include "experiment/text/json_parse.h"
#include "tests/checkout.h"

namespace attend::learner_noise_test {
namespace {

constexpr double near = 1e-5;
constexpr int steps = 300;

// One number stands for the one word that is read; what it learns in these steps is less than can be seen.
Json one_number(const Json& training) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 4, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 1},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "embedding"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}],
    "training": {"task": {"type": "task-labels"}, "batch": 1, "steps": 1000,
                 "optimiser": {"type": "sgd", "rate": 1e-12}}})");
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += "w" + std::to_string(i) + "\t" + (i % 2 == 0 ? "even" : "odd") + "\n";
  json["training"]["task"]["text"] = text;
  json["training"].merge_patch(training);
  return json;
}

double loss_on(Learner& learner, const Example& example) {
  const StepReport report = learner.step_on({&example});
  REQUIRE(report.failure.empty());
  return report.loss;
}

// What the first example costs after `change` was made to the first weights.
template <class Change>
double loss_with(Change change) {
  Learner learner(one_number(Json::object()));
  TensorFile file = learner.shipped();
  change(file.tensors);
  learner.restore(file);
  return loss_on(learner, learner.held_out().front());
}

// Which share of the steps cost `other`; all must cost that or `usual`.
double share_of(Learner& learner, double usual, double other) {
  int found = 0;
  REQUIRE(std::abs(usual - other) > 10 * near);
  for (int i = 0; i < steps; ++i) {
    const double loss = loss_on(learner, learner.held_out().front());
    const bool is_other = std::abs(loss - other) < near;
    CAPTURE(loss);
    CHECK((is_other || std::abs(loss - usual) < near));
    found += is_other ? 1 : 0;
  }
  return static_cast<double>(found) / steps;
}

}  // namespace

TEST_CASE("indices that training draws lie below what they point into, in every example") {
  for (const char* core : {R"({"type": "bigbird", "window": 0, "global": 0, "random": 2})",
                           R"({"type": "clustered", "clusters": 2})"}) {
    CAPTURE(core);
    Json json = one_number({{"batch", 4}});
    json["model"] = parse_json(R"([
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 2},
      {"name": "look", "type": "attention", "inputs": {"x": "embedding"}, "query": "self-attention", "core": )" +
                               std::string(core) + R"(},
      {"name": "row", "type": "fm-pool", "inputs": {"x": "look"}, "by": "mean"},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "row"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}])");
    std::string text;
    for (int i = 0; i < 20; ++i)
      text += "a b c w" + std::to_string(i) + "\t" + (i % 2 == 0 ? "even" : "odd") + "\n";
    json["training"]["task"]["text"] = text;
    Learner learner(json);
    for (int i = 0; i < 5; ++i) CHECK(learner.step().failure == "");
  }
}

TEST_CASE("dropout leaves out its share of what is handed on, and what stays is as much larger") {
  Learner learner(one_number({{"dropout", 0.25}}));
  const auto scaled = [](double factor) {
    return loss_with([&](auto& tensors) {
      for (double& x : tensors.at("embedding.E").data) x *= factor;
    });
  };
  const double share = share_of(learner, scaled(1 / 0.75), scaled(0));
  CHECK(share > .17);
  CHECK(share < .33);
  // What is measured is measured whole.
  Learner whole(one_number(Json::object()));
  CHECK(learner.measure(2).loss == doctest::Approx(whole.measure(2).loss).epsilon(near));
}

TEST_CASE("dropout draws for each number by itself") {
  Json json = one_number({{"dropout", 0.5}});
  json["model"][0]["dim"] = 2;
  Learner learner(json);
  std::set<long> costs;  // of both numbers, either, and none
  for (int i = 0; i < steps; ++i)
    costs.insert(std::lround(loss_on(learner, learner.held_out().front()) / near));
  CHECK(costs.size() == 4);
}

TEST_CASE("word dropout reads its share of the words as unknown") {
  Learner learner(one_number({{"word-dropout", 0.25}}));
  const std::size_t word = learner.held_out().front().fields[0].words.front();
  const double usual = loss_with([](auto&) {}),
               unknown = loss_with([&](auto&tensors) {
                 std::vector<double>& rows = tensors.at("embedding.E").data;
                 rows[word] = rows[unknown_word];
               });
  const double share = share_of(learner, usual, unknown);
  CHECK(share > .17);
  CHECK(share < .33);
}

// A decoder that learns to reverse four digits.
Json reverses() {
  return parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
      {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 6,
       "inputs": {"memory": "embedding", "target": "target"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}],
    "training": {"task": {"type": "task-reverse", "shortest": 4, "longest": 4}, "batch": 8, "steps": 400,
                 "optimiser": {"type": "adam", "rate": 0.02}}})");
}

// What it became, as a document that can be run.
Json finished(const Learner& learner) {
  Json document = learner.lesson().document;
  document.erase("training");
  for (const auto& [name, tensor] : learner.shipped().tensors)
    document["parameters"][name] = {{"shape", tensor.shape}, {"data", tensor.data}};
  return document;
}

// The decoder reads one input and the loss another: what it would have said in place of the truth.
TEST_CASE("without teacher forcing the words before a place are what the model says there") {
  Json json = reverses();
  json["training"]["teacher-forcing"] = 0;
  Learner learner(json);
  for (int i = 0; i < 20; ++i) REQUIRE(learner.step().failure.empty());
  const Example& example = learner.held_out()[1];
  const TaskSource& source = *learner.lesson().source;
  Json document = finished(learner);
  document["inputs"]["source"] = {{"tokens", tokens_of(source, 0, example.fields[0])}};
  document["inputs"]["target"] = {{"tokens", tokens_of(source, 1, example.fields[1])}};
  const Json taught = Json::parse(run_document(document.dump()));
  const Json vocabulary = document["model"][1]["vocabulary"];
  Json said = Json::array();
  for (const Json& word : taught["outputs"]["decoder.tokens"]["data"])
    said.push_back(vocabulary[word.get<std::size_t>()]);
  document["inputs"]["said"] = {{"tokens", said}};
  document["model"][1]["inputs"]["target"] = "said";
  const Json alone = Json::parse(run_document(document.dump()));
  const auto loss = [](const Json& ran) { return ran["outputs"]["loss"]["data"][0].get<double>(); };
  REQUIRE(std::abs(loss(alone) - loss(taught)) > 1e-3);
  CHECK(loss_on(learner, example) == doctest::Approx(loss(alone)).epsilon(1e-4));
}

TEST_CASE("the words that are counted are those that the model writes after its own words") {
  Learner learner(reverses());
  for (int i = 0; i < 150; ++i) REQUIRE(learner.step().failure.empty());
  Json document = finished(learner);
  document["model"].erase(2);
  document["model"][1]["feed"] = "greedy";
  document["model"][1]["steps"] = 5;
  document["model"][1]["inputs"].erase("target");
  const Json vocabulary = document["model"][1]["vocabulary"];
  const std::vector<Learner::Seen> seen = learner.seen(40);
  double right = 0, words = 0;
  std::size_t strays = 0;  // words behind a wrong one, where the truth before them would help
  for (std::size_t i = 0; i < seen.size(); ++i) {
    document["inputs"]["source"] = {
        {"tokens", tokens_of(*learner.lesson().source, 0, learner.held_out()[i].fields[0])}};
    const Json ran = Json::parse(run_document(document.dump()));
    bool wrong = false;
    for (std::size_t t = 0; t < seen[i].truth.size(); ++t) {
      const Json word = vocabulary[ran["outputs"]["decoder.tokens"]["data"][t].get<std::size_t>()];
      CHECK(word == seen[i].written[t]);
      strays += wrong ? 1 : 0;
      wrong = wrong || word != seen[i].truth[t];
      if (word == "<end>") break;
    }
    for (std::size_t t = 0; t < seen[i].truth.size(); ++t)
      right += seen[i].written[t] == seen[i].truth[t] ? 1 : 0;
    words += static_cast<double>(seen[i].truth.size());
  }
  CHECK(strays > 20);
  CHECK(learner.measure(40).accuracy == doctest::Approx(right / words));
}

TEST_CASE(
    "a guide draws each row to what its word means, in equal shares, and to nothing that it only agrees with") {
  std::ifstream file(testing::in_checkout("/examples/trained/translate.json"));
  std::ostringstream text;
  text << file.rdbuf();
  Json json = parse_json(text.str());
  json["training"]["guide"] = 0.2;
  const Lesson lesson = read_lesson(json);
  const auto truth_of = [&](const std::vector<std::string>& source) {
    const std::optional<Example> example = lesson.source->answer(source);
    REQUIRE(example.has_value());
    LearnProgram program(lesson, *example, 1, LearnProgram::Purpose::learns);
    program.feed(lesson, {&*example}, {&*example});
    program.work().evaluate();
    REQUIRE(program.guide().has_value());
    const Numbers numbers = program.work()[*program.guide()];
    return std::vector<double>(numbers.begin(), numbers.end());
  };
  // je, t', aime, <end>; of them je and t' agree with love, and aime with I.
  CHECK(truth_of({"I", "love", "you"}) == std::vector<double>{1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0});
  // ne and pas are "do not" in two words.
  CHECK(truth_of({"we", "do", "not", "see", "you"}) ==
        std::vector<double>{1, 0, 0, 0, 0, 0, .5, .5, 0, 0, 0, 0, 0, 0, 1,
                            0, 0, 0, 1, 0, 0, .5, .5, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE(
    "looks right, or agrees: the shares are those of the rows whose largest weight lies there") {
  std::ifstream file(testing::in_checkout("/examples/trained/translate.json"));
  std::ostringstream text;
  text << file.rdbuf();
  Learner learner(parse_json(text.str()));
  for (int i = 0; i < 60; ++i) REQUIRE(learner.step().failure.empty());
  double meant = 0, right = 0, linked = 0, fits = 0;
  for (const Learner::Seen& one : learner.seen(200)) {
    const std::size_t columns = one.map.shape[1];
    for (std::size_t row = 0; row < one.map.shape[0]; ++row) {
      std::size_t best = 0;
      for (std::size_t c = 1; c < columns; ++c)
        if (one.map.data[row * columns + c] > one.map.data[row * columns + best]) best = c;
      bool any = false, means = false, hits = false, hits_meaning = false;
      for (const Link& link : one.links) {
        if (link.row != row) continue;
        const bool here = link.column == best, meaning = link.kind == LinkKind::means;
        any = true;
        means |= meaning;
        hits |= here;
        hits_meaning |= here && meaning;
      }
      linked += any ? 1 : 0;
      meant += means ? 1 : 0;
      fits += hits ? 1 : 0;
      right += hits_meaning ? 1 : 0;
    }
  }
  const Measures measures = learner.measure(200);
  CHECK(measures.means == doctest::Approx(right / meant));
  CHECK(measures.agrees == doctest::Approx(fits / linked));
  CHECK(measures.agrees > measures.means + .01);  // the two kinds of link differ
}

}  // namespace attend::learner_noise_test
