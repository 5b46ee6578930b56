// SPDX-License-Identifier: Apache-2.0
// The steps of a decoder that is fed what it saw: one of each.
#include <doctest/doctest.h>
#include <set>
#include <string>

#include "experiment/recording/compile.h"

namespace attend::decoder_steps_test {

TEST_CASE("a decoder that is fed its context names each step once") {
  const Json document = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"memory": {"tokens": ["u", "v", "w"], "features": {"type": "embedding", "dim": 5}},
               "target": {"tokens": ["a", "b"], "features": {"type": "embedding", "dim": 4}}},
    "model": [{"name": "d", "type": "om-decoder", "asks": "after", "input-feeding": true,
               "feeds": "context", "hidden": 5, "dim": 4, "attention": {"score": "additive"},
               "vocabulary": ["<start>", "<end>", "<unknown>", "a", "b"],
               "inputs": {"memory": "memory", "target": "target"}}]})");
  const Compiled compiled = compile(read_document(document));
  std::set<std::string> names;
  for (const KnownTensor& step : compiled.directory().of(TensorGroup::steps)) {
    const std::string& name = step.record->name;
    CHECK_MESSAGE(name.find("\\;(2)") == std::string::npos, name);
    names.insert(name);
  }
  CHECK(names.size() > 5);
  // The parameters that the first look asked for keep their names.
  for (const Leaf& leaf : compiled.leaves()) {
    if (leaf.kind == Leaf::Kind::parameter)
      CHECK_MESSAGE(!compiled.graph()[leaf.node].name.empty(), leaf.key);
  }
}

}  // namespace attend::decoder_steps_test
