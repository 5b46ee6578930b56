// SPDX-License-Identifier: Apache-2.0
// Trainings whose data are images, several fields, or a reader's own text.
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "experiment/learning/learner.h"
#include "experiment/learning/train.h"
#include "experiment/learning/training_sessions.h"

namespace attend::learner_data_test {
namespace {

// A model that reads an image through one convolution and looks at its places.
Json glyphs() {
  return parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "parts", "type": "fm-cnn2d", "inputs": {"x": "image"}, "size": 5, "filters": 8, "pool": 2},
      {"name": "attention", "type": "attention", "query": "query-learned",
       "inputs": {"key": "parts.rows", "value": "parts.rows"}},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "attention"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}],
    "training": {"task": {"type": "task-glyphs", "side": 8, "pieces": 2}, "batch": 8, "steps": 100,
                 "optimiser": {"type": "adam", "rate": 0.01}}})");
}

Json aspects() {
  return parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 8},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 8},
      {"name": "asked", "type": "fm-embedding", "inputs": {"x": "aspect"}, "dim": 8},
      {"name": "attention", "type": "attention", "score": "additive",
       "inputs": {"query": "asked", "key": "encoder", "value": "encoder"}},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "attention"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}],
    "training": {"task": {"type": "task-aspects", "most": 1}, "batch": 16, "steps": 100,
                 "optimiser": {"type": "adam", "rate": 0.02}}})");
}

Json pairs(const std::string& text) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 5},
      {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 6,
       "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}],
    "training": {"task": {"type": "task-pairs"}, "batch": 4, "steps": 40,
                 "optimiser": {"type": "adam", "rate": 0.02}}})");
  json["training"]["task"]["text"] = text;
  return json;
}

void take_steps(Learner& learner, int count) {
  for (int i = 0; i < count; ++i) REQUIRE(learner.step().failure.empty());
}

template <class Work>
std::string refusal(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return "nothing was refused";
}

std::string twenty_lines() {
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += "w" + std::to_string(i) + " x\tv" + std::to_string(i % 3) + "\n";
  return text;
}

}  // namespace

TEST_CASE("links to pixels become links to the places of a coarser map") {
  LearnProgram::Map map{"", 0, 1, 1, 16, false, {8, 4}, {8, 4}};
  // Pixels (0,0) and (1,1) lie in place 0, (7,7) in the last, (2,5) in the second row, third place.
  const std::vector<Link> found = map.placed({{0, 0}, {0, 9}, {0, 63}, {0, 21, LinkKind::agrees}});
  CHECK(found == std::vector<Link>{{0, 0}, {0, 15}, {0, 6, LinkKind::agrees}});
  CHECK(LearnProgram::Map{"", 0, 1, 1, 4, false}.placed({{0, 3}}) == std::vector<Link>{{0, 3}});
}

TEST_CASE("a model reads images, and its map is compared with where the digit lies") {
  Learner learner(glyphs());
  const Measures before = learner.measure(200);
  CHECK(before.accuracy < .25);
  CHECK(before.means >= 0);
  take_steps(learner, 150);
  const Measures after = learner.measure(200);
  CHECK(after.loss < .8 * before.loss);
  CHECK(after.accuracy > before.accuracy + .1);
  const Pinned pinned = learner.pinned();
  REQUIRE(pinned.maps.size() == 1);
  CHECK(pinned.maps[0].columns == 16);
  CHECK(pinned.source.size() == 16);
  CHECK(pinned.source[6] == "1,2");
  CHECK(pinned.image.shape == Shape{8, 8});
  CHECK(!pinned.links.empty());
  for (const Link& link : pinned.links) CHECK(link.column < 16);
}

TEST_CASE(
    "an image's training is stopped and resumed bit for bit, and its pinned image keeps its truth") {
  Learner unbroken(glyphs()), first(glyphs());
  take_steps(first, 5);
  take_steps(unbroken, 5);
  Learner second(first.lesson().document);  // with the pinned image filled in
  second.restore(first.checkpoint());
  CHECK(second.pinned().links == unbroken.pinned().links);
  CHECK(second.pinned().truth == unbroken.pinned().truth);
  CHECK(second.step().loss == unbroken.step().loss);
  // A reader's own image has no known truth; one of another size is not the task's.
  Json own = glyphs();
  own["inputs"]["image"] = {{"shape", {8, 8}}, {"data", std::vector<double>(64, 0.5)}};
  Learner drawn(own);
  CHECK(drawn.pinned().links.empty());
  CHECK(drawn.pinned().written.size() == 1);
  CHECK(drawn.pinned().image.numbers == std::vector<float>(64, 0.5F));
}

TEST_CASE("after a failure all stands as it did at the last good step, the place in the data too") {
  Learner learner(glyphs()), good(glyphs());
  take_steps(learner, 20);
  take_steps(good, 16);
  Example broken = learner.held_out().front();
  broken.fields[0].numbers.front() = std::numeric_limits<float>::infinity();
  const std::string failure = learner.step_on(std::vector<const Example*>(8, &broken)).failure;
  CHECK(failure.find("the loss is no longer a number; the session is back at step 16") !=
        std::string::npos);
  CHECK(write_tensor_file(learner.checkpoint(), NumberCode::whole) ==
        write_tensor_file(good.checkpoint(), NumberCode::whole));
}

TEST_CASE("weights that a step ruined are no good state, however finite they are") {
  Learner learner(glyphs());
  take_steps(learner, 14);
  const double learned = learner.measure(100).loss;
  Json document = glyphs();
  document["training"]["optimiser"] = {{"type", "sgd"}, {"rate", 1000}};
  document["training"]["clip"] = 0;
  Learner ruined(document);
  TensorFile file = learner.checkpoint();
  std::erase_if(file.tensors, [](const auto& one) { return one.first.starts_with("optimiser."); });
  ruined.restore(file);
  take_steps(ruined, 3);  // behind the 16th of them a state is kept
  CHECK(ruined.measure(100).loss > 10 * learned);
  Example broken = ruined.held_out().front();
  broken.fields[0].numbers.front() = std::numeric_limits<float>::infinity();
  const std::string failure = ruined.step_on(std::vector<const Example*>(8, &broken)).failure;
  CHECK(failure.find("back at step 14") != std::string::npos);
  CHECK(ruined.measure(100).loss == learned);
}

TEST_CASE("a question beside the text: both are read, and the pinned example says both") {
  Json json = aspects();
  json["inputs"]["source"]["tokens"] = {"the", "food", "was", "not", "good", "."};
  json["inputs"]["aspect"]["tokens"] = {"food"};
  Learner learner(json);
  const Pinned pinned = learner.pinned();
  CHECK(pinned.source.size() == 6);
  CHECK(pinned.given ==
        std::vector<std::pair<std::string, std::vector<std::string>>>{{"aspect", {"food"}}});
  CHECK(pinned.truth == std::vector<std::string>{"bad"});
  CHECK(pinned.links == std::vector<Link>{{0, 3}, {0, 4}, {0, 1, LinkKind::agrees}});
  CHECK(to_json(pinned)["given"]["aspect"][0] == "food");
  const Measures before = learner.measure(200);
  take_steps(learner, 100);
  const Measures after = learner.measure(200);
  CHECK(after.loss < .7 * before.loss);
  CHECK(after.means >= 0);
}

TEST_CASE(
    "a reader's own pairs are learned, and travel with a checkpoint but not with what is shipped") {
  Learner learner(pairs(twenty_lines()));
  CHECK(learner.held_out().size() == 2);
  CHECK(learner.learns_from() == 18);
  const double before = learner.step().loss;
  take_steps(learner, 60);
  CHECK(learner.step().loss < before / 2);
  CHECK(learner.measure(10).means < 0);  // nobody knows
  const std::string kept = learner.checkpoint().metadata.at("document");
  CHECK(parse_json(kept)["training"]["task"]["text"] == twenty_lines());
  const std::string sent = learner.shipped().metadata.at("document");
  CHECK(!parse_json(sent)["training"]["task"].contains("text"));
  CHECK(parse_json(sent)["model"][0]["vocabulary"].size() == 24);
}

TEST_CASE("what is wrong with a reader's own text is said, and other sessions stay as they were") {
  TrainingSessions sessions;
  const int id = parse_json(sessions.open(pairs(twenty_lines()).dump(), ""))["session"];
  (void)sessions.step(id, 3, 1e9);
  const std::string before = sessions.save(id, "checkpoint");
  const auto says = [&](const std::string& text) {
    return refusal([&] { (void)sessions.open(pairs(text).dump(), ""); });
  };
  CHECK(says("one\tline").starts_with("/training/task/text: expected at least two different"));
  CHECK(says("a\tb\nc\t").find("line 2") != std::string::npos);
  CHECK(says("").find("found nothing") != std::string::npos);
  CHECK(says("a\tb\nc\td\ne\tf")
            .starts_with("/training/batch: a batch of 4 is larger than the data: 2 examples"));
  CHECK(says(std::string(300000, '\n')).find("300000 lines") != std::string::npos);
  Json none = pairs("");
  none["training"]["task"].erase("text");
  CHECK(refusal([&] { Learner learner(none); }).find("paste some") != std::string::npos);
  for (const double rate : {0., -1., 1e9}) {
    Json fast = pairs(twenty_lines());
    fast["training"]["optimiser"]["rate"] = rate;
    CHECK(refusal([&] {
            (void)sessions.open(fast.dump(), "");
          }).starts_with("/training/optimiser/rate: expected a number above 0"));
  }
  // Files of weights: of another model, cut short, with a header that lies, with a number that is none.
  Learner other(glyphs()), own(pairs(twenty_lines()));
  TensorFile broken = own.checkpoint();
  broken.tensors["embedding.E"].data[1] = std::nan("");
  std::string lies = before;
  lies[7] = 1;
  for (const auto& [file, says_so] :
       {std::pair(write_tensor_file(other.checkpoint(), NumberCode::whole), "another model"),
        {before.substr(0, before.size() - 9), "cut short"},
        {lies, "should give the length of its header"},
        {write_tensor_file(broken, NumberCode::whole), "holds NaN"}}) {
    CAPTURE(says_so);
    CHECK(refusal([&] { (void)sessions.restore(id, file); }).find(says_so) != std::string::npos);
  }
  CHECK(sessions.save(id, "checkpoint") == before);
}

TEST_CASE("a file given beside the document becomes its task's text") {
  Json json = pairs("");
  json["training"]["task"] = "task-pairs";
  const Json filled = parse_json(with_text(json.dump(), "a\tb"));
  CHECK(filled["training"]["task"] == Json{{"type", "task-pairs"}, {"text", "a\tb"}});
  json["training"]["task"] = "task-reverse";
  CHECK(
      refusal([&] {
        (void)with_text(json.dump(), "a");
      }).find("task-reverse reads no text; the tasks that read text are task-labels, task-pairs, task-text") !=
      std::string::npos);
  CHECK(refusal([&] { (void)with_text("{}", "a"); }).starts_with("/training/task"));
}

TEST_CASE("a text by characters: a small Transformer guesses what comes next") {
  std::string text;
  for (int i = 0; i < 120; ++i) text += i * i % 5 < 2 ? "abc " : "xyz ";
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 1, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 12},
      {"name": "look", "type": "attention", "inputs": {"x": "embedding"}, "query": "self-attention",
       "position": ["pos-sinusoidal"], "mask": ["mask-causal"], "output": "selfatt-residual"},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "look"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}],
    "training": {"task": {"type": "task-text", "length": 9}, "batch": 8, "steps": 100,
                 "optimiser": {"type": "adam", "rate": 0.02}}})");
  json["training"]["task"]["text"] = text;
  Learner learner(json);
  const Measures before = learner.measure(10);
  take_steps(learner, 150);
  CHECK(learner.measure(10).accuracy > std::max(.6, before.accuracy));
}

}  // namespace attend::learner_data_test
