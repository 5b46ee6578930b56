// SPDX-License-Identifier: Apache-2.0
// Parameters that training leaves as they are.
#include "experiment/reading/frozen.h"

#include <doctest/doctest.h>

#include "experiment/learning/learner.h"
#include "ops/error.h"

namespace attend::frozen_test {
namespace {

Json document(const Json& training) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 5},
      {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 6,
       "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
       "attention": {"score": {"type": "additive", "hidden": 6}}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}],
    "training": {"task": {"type": "task-reverse", "shortest": 3, "longest": 5}, "batch": 8, "steps": 40,
                 "optimiser": {"type": "adamw", "rate": 0.01, "weight-decay": 0.1}}})");
  json["training"].merge_patch(training);
  return json;
}

Error refused(const Json& frozen) {
  try {
    const Learner learner(document({{"frozen", frozen}}));
  } catch (const Error& error) {
    return error;
  }
  return Error("none", "");
}

}  // namespace

TEST_CASE("frozen parameters keep their bits, weight decay or not, and the others move") {
  for (const char* optimiser :
       {R"({"type": "adamw", "rate": 0.01, "weight-decay": 0.1})",
        R"({"type": "sgd", "rate": 0.1, "momentum": 0.9, "weight-decay": 0.1})"}) {
    const Json training{{"frozen", {"encoder.*", "decoder.attention.score.W1"}},
                        {"optimiser", parse_json(optimiser)}};
    Learner learner(document(training)), free(document({{"optimiser", training["optimiser"]}}));
    const TensorFile before = learner.shipped();
    for (int i = 0; i < 12; ++i) (void)learner.step();
    const TensorFile after = learner.shipped();
    std::size_t moved = 0;
    for (const auto& [name, tensor] : before.tensors) {
      CAPTURE(name);
      const bool frozen = name.starts_with("encoder.") || name == "decoder.attention.score.W1";
      CHECK((tensor.data == after.tensors.at(name).data) == frozen);
      moved += frozen ? 0 : tensor.data.size();
    }
    CHECK(learner.weights() == moved);
    CHECK(free.weights() > moved);
  }
}

TEST_CASE(
    "what does not move changes nothing for the rest: the first step equals that without it frozen") {
  Learner frozen(document({{"frozen", {"encoder.*"}}})), whole(document(Json::object()));
  (void)frozen.step();
  (void)whole.step();
  const TensorFile a = frozen.shipped(), b = whole.shipped();
  CHECK(a.tensors.at("decoder.W_c").data == b.tensors.at("decoder.W_c").data);
  CHECK(a.tensors.at("encoder.forward.W").data != b.tensors.at("encoder.forward.W").data);
}

TEST_CASE("a training with frozen parameters stops and goes on bit for bit") {
  const Json json = document({{"frozen", {"embedding.E"}}});
  Learner unbroken(json), first(json), second(json);
  for (int i = 0; i < 9; ++i) (void)unbroken.step();
  for (int i = 0; i < 4; ++i) (void)first.step();
  second.restore(read_tensor_file(write_tensor_file(first.checkpoint(), NumberCode::whole)));
  for (int i = 0; i < 5; ++i) (void)second.step();
  CHECK(write_tensor_file(unbroken.checkpoint(), NumberCode::whole) ==
        write_tensor_file(second.checkpoint(), NumberCode::whole));
}

TEST_CASE("frozen names that fit nothing, and everything frozen, are refused") {
  const Error unknown = refused({"encoder.*", "decodr.*"});
  CHECK(unknown.path == "/training/frozen/1");
  CHECK(std::string(unknown.what()).find("decoder.W_c") != std::string::npos);
  CHECK(refused({"*"}).path == "/training/frozen");
  CHECK(refused("*").path == "/training/frozen");
  CHECK(refused({1}).path == "/training/frozen/0");
}

TEST_CASE("a star stands for any letters") {
  CHECK(fits_pattern("encoder.forward.W", "encoder.*"));
  CHECK(fits_pattern("encoder.forward.W", "*.W"));
  CHECK(fits_pattern("encoder.forward.W", "e*d*W"));
  CHECK(fits_pattern("W", "*W*"));
  CHECK(fits_pattern("", "*"));
  CHECK_FALSE(fits_pattern("encoder.forward.W", "encoder"));
  CHECK_FALSE(fits_pattern("encoder.forward.U", "*.W"));
  CHECK_FALSE(fits_pattern("W", ""));
}

}  // namespace attend::frozen_test
