// SPDX-License-Identifier: Apache-2.0
// The page's trainings: what each function answers, and that nothing touches a session but its own calls.
#include "experiment/learning/training_sessions.h"

#include <doctest/doctest.h>

#include "experiment/session.h"

namespace attend::training_sessions_test {
namespace {

const std::string document = R"({"schema": "attention-playground/1", "seed": 3,
  "inputs": {"source": {"tokens": ["1", "2", "3"]}},
  "model": [
    {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
    {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 5},
    {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 6,
     "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"}},
    {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}],
  "training": {"task": "task-copy", "batch": 8, "steps": 40, "stop": {"accuracy": 0}}})";

std::vector<real> list_of(const Packed& packed, const char* name) {
  const Json place = parse_json(packed.directory)["lists"][name];
  const auto first = packed.data.begin() + place[0].get<long>();
  return {first, first + place[1].get<long>()};
}

}  // namespace

TEST_CASE(
    "a page's training steps, measures, shows its pinned example, and goes back to a checkpoint") {
  TrainingSessions sessions;
  const Json opened = parse_json(sessions.open(document, ""));
  const int id = opened["session"];
  CHECK(opened["steps"] == 40);
  CHECK(opened["heldOut"] == 500);
  CHECK(opened["document"]["model"][0]["vocabulary"].size() == 13);
  CHECK(opened["document"]["inputs"]["target"]["tokens"].size() == 4);

  const Packed first = sessions.step(id, 5, 1e9);
  CHECK(parse_json(first.directory)["taken"] == 5);
  CHECK(list_of(first, "loss").size() == 5);
  CHECK(list_of(first, "rate")[4] == doctest::Approx(0.001));
  CHECK(parse_json(sessions.step(id, 100, 0).directory)["taken"] == 1);  // one at least

  const std::string checkpoint = sessions.save(id, "checkpoint");
  const std::vector<real> next = list_of(sessions.step(id, 3, 1e9), "loss");
  CHECK(parse_json(sessions.restore(id, checkpoint))["step"] == 6);
  CHECK(list_of(sessions.step(id, 3, 1e9), "loss") == next);
  const int other = parse_json(sessions.open(document, checkpoint))["session"];
  CHECK(list_of(sessions.step(other, 3, 1e9), "loss") == next);

  const Json measures = parse_json(sessions.measure(id, 20));
  CHECK(measures["heldOut"] == 20);
  CHECK(measures["reached"] == true);
  const Packed pinned = sessions.pinned(id);
  const Json shown = parse_json(pinned.directory);
  CHECK(shown["source"] == Json({"1", "2", "3"}));
  CHECK_FALSE(shown.contains("outside"));
  CHECK(shown["maps"][0]["shape"] == Json({1, 4, 3}));
  CHECK(list_of(pinned, "decoder.weights").size() == 12);
  CHECK(list_of(pinned, "chance").size() == 4);
  CHECK(shown["links"][2] == Json({2, 2, "means"}));
  const Json held = parse_json(sessions.examples(id, 3))["examples"];
  REQUIRE(held.size() == 3);
  for (const Json& one : held) {
    REQUIRE(one["asked"].size() == 1);
    CHECK(one["asked"][0][0] == "source");
    std::vector<std::string> copied = one["asked"][0][1];
    copied.emplace_back("<end>");
    CHECK(one["truth"] == Json(copied));
    CHECK(one["written"].size() == copied.size());
  }
  CHECK(held[0]["asked"] != held[1]["asked"]);
}

TEST_CASE("what is refused elsewhere leaves a training as it was") {
  TrainingSessions sessions;
  const int id = parse_json(sessions.open(document, ""))["session"];
  (void)sessions.step(id, 2, 1e9);
  const std::string before = sessions.save(id, "checkpoint");
  CHECK_THROWS((void)sessions.open("{", ""));
  CHECK_THROWS((void)sessions.open(document, "no checkpoint"));
  CHECK_THROWS((void)sessions.restore(id, before.substr(0, 500)));
  CHECK_THROWS((void)sessions.save(id, "everything"));
  CHECK_THROWS_WITH((void)sessions.step(id + 1, 1, 1), doctest::Contains("there is no training"));
  (void)Session().run(R"({"schema": "attention-playground/1", "inputs": {"x": {"matrix": [[1, 2]]}},
                    "mechanism": {"type": "attention", "query": "self-attention"}})");
  CHECK(sessions.save(id, "checkpoint") == before);
  CHECK(sessions.save(id, "half").size() < sessions.save(id, "float").size());
  sessions.close(id);
  CHECK_THROWS((void)sessions.step(id, 1, 1));
}

}  // namespace attend::training_sessions_test
