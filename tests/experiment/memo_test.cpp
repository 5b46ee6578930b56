// SPDX-License-Identifier: Apache-2.0
#include "ops/memo.h"

#include <doctest/doctest.h>

#include "experiment/example.h"
#include "experiment/packed.h"
#include "experiment/service.h"

namespace attend {
namespace {

void check_same(const std::string& document, Memo& memo) {
  const Packed fresh = run_packed(document), reused = run_packed(document, &memo);
  CHECK(reused.directory == fresh.directory);
  CHECK(reused.data == fresh.data);
}

TEST_CASE("one memo for every mechanism, one after another and again: the numbers are the same") {
  Memo memo;
  for (const Mechanism* mechanism : all_mechanisms()) {
    CAPTURE(mechanism->id);
    const std::string document = example_text(std::string(mechanism->id));
    check_same(document, memo);
    check_same(document, memo);
    check_same(example_document(*mechanism, 8).dump(), memo);
  }
}

TEST_CASE("moving one knob leaves the projections known, and an error leaves the memo whole") {
  const auto with = [](const std::string& temperature) {
    return R"({"schema": "attention-playground/1", "inputs": {"x": {"matrix": [[1, 0, 2], [0, 1, 1]]}},
      "mechanism": {"type": "attention", "query": "self-attention", "score": "scaled-dot",
      "alignment": {"type": "softmax-temperature", "temperature": )" +
           temperature + "}}}";
  };
  Memo memo;
  check_same(with("1"), memo);
  const std::size_t all = memo.remembered();
  check_same(with("2"), memo);
  CHECK(memo.remembered() == all);
  CHECK_THROWS_AS((void)run_packed(with("\"hot\""), &memo), Error);
  check_same(with("3"), memo);
  const std::string explained = explain_document(with("3"), "weights", "[0, 1]", &memo);
  CHECK(explained == explain_document(with("3"), "weights", "[0, 1]"));
  check_same(with("3"), memo);
}

}  // namespace
}  // namespace attend
