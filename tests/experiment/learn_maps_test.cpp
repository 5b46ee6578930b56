// SPDX-License-Identifier: Apache-2.0
// Which maps of a model under training are compared with the true alignment.
#include <doctest/doctest.h>

#include "experiment/learning/learner.h"

namespace attend::learn_maps_test {
namespace {

// What a learned query finds among 5 to 10 words. Nothing says that its row is the answer's.
Json one_look() {
  return parse_json(R"({"schema": "attention-playground/1", "seed": 2,
    "inputs": {"bank": {"matrix": [[1, 0], [0, 1], [1, 1], [2, 0], [0, 2], [2, 1], [1, 2]]}},
    "model": [
      {"name": "words", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 4},
      {"name": "look", "type": "attention", "query": "query-learned", "inputs": {"key": "words", "value": "words"},
       "heads": {"type": "multi-head", "count": 2}},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "look"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}],
    "training": {"task": {"type": "task-induction", "shortest": 5, "longest": 10}, "batch": 8, "steps": 1}})");
}

// Beside it a map of one row over seven keys that are no words: it has an alignment's size where there are seven words.
Json beside_a_bank() {
  Json document = one_look();
  document["model"].push_back(parse_json(
      R"({"name": "other", "type": "attention", "query": "query-learned", "inputs": {"key": "bank", "value": "bank"},
          "heads": {"type": "multi-head", "count": 2}})"));
  return document;
}

}  // namespace

TEST_CASE("a map that has an alignment's size by chance is compared with none") {
  Learner alone(one_look()), beside(beside_a_bank());
  const Measures expected = alone.measure(300), found = beside.measure(300);
  CHECK(expected.means >= 0);
  CHECK(found.means == expected.means);
  CHECK(found.agrees == expected.agrees);
  REQUIRE(found.heads.size() == 2);
  for (std::size_t h = 0; h < 2; ++h) {
    CHECK(found.heads[h].map == "look.weights");
    CHECK(found.heads[h].means == expected.heads[h].means);
  }
  // Nor is it shown as one, where the pinned example has seven words.
  Json pinned = beside_a_bank();
  pinned["inputs"]["source"] = {{"tokens", alone.pinned().source}};
  for (const Learner::Seen& seen : alone.seen(100)) {
    if (seen.asked[0].second.size() == 7)
      pinned["inputs"]["source"]["tokens"] = seen.asked[0].second;
  }
  REQUIRE(pinned["inputs"]["source"]["tokens"].size() == 7);
  CHECK(Learner(pinned).pinned().maps.size() == 1);
}

TEST_CASE("a map that says by its labels what it is, is the one that is compared") {
  Json document = beside_a_bank();
  document["training"]["task"] = "task-translate";
  document["model"][1] = parse_json(
      R"({"name": "look", "type": "attention", "inputs": {"query": "asked", "key": "words", "value": "words"}})");
  document["model"].insert(
      document["model"].begin(),
      parse_json(
          R"({"name": "asked", "type": "fm-embedding", "inputs": {"x": "target"}, "dim": 4})"));
  Learner learner(document);
  const Measures measures = learner.measure(60);
  CHECK(measures.means >= 0);
  CHECK(measures.heads.empty());
  REQUIRE(learner.pinned().maps.size() == 1);
  CHECK(learner.pinned().maps[0].name == "look.weights");
}

}  // namespace attend::learn_maps_test
