// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of the masks since 2017: their limit cases, and what they equal.
#include <doctest/doctest.h>

#include "ops/error.h"
#include "ops/intent.h"
#include "tests/rows/masks.h"

namespace attend::testing::masks_today_test {
namespace {

constexpr std::size_t n = 6;

Array context(const char* masks) { return run_json(masked(masks, n, n)).outputs.at("context"); }

std::string refusal(const Json& document) {
  try {
    (void)run_json(document);
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a sliding window is the causal mask with a window of one place less") {
  for (std::size_t w = 1; w <= 7; ++w) {
    const std::string own = R"({"type": "mask-sliding", "window": )" + std::to_string(w) + "}";
    const std::string both =
        R"(["mask-causal", {"type": "mask-window", "window": )" + std::to_string(w - 1) + "}]";
    CHECK(pairs(own.c_str(), n).data == pairs(both.c_str(), n).data);
    CHECK(distance(context(own.c_str()), context(both.c_str())) == 0);
    if (w >= n) CHECK(pairs(own.c_str(), n).data == past_pairs(n).data);
  }
  CHECK(pairs(R"({"type": "mask-sliding", "window": 1})", n).data == own_pairs(n).data);
  CHECK(pairs(R"({"type": "mask-sliding", "window": 1})", 1).data == full(1).data);
}

TEST_CASE("without sinks a window is sliding, with enough of them it is causal") {
  CHECK(pairs(R"({"type": "mask-sink-window", "sinks": 0, "window": 3})", n).data ==
        pairs(R"({"type": "mask-sliding", "window": 3})", n).data);
  CHECK(pairs(R"({"type": "mask-sink-window", "sinks": 6, "window": 1})", n).data ==
        past_pairs(n).data);
  const Array two = pairs(R"({"type": "mask-sink-window", "sinks": 1, "window": 1})", n);
  CHECK(two.data ==
        mask_where(n, n, [](std::size_t i, std::size_t j) { return i == j || j == 0; }).data);
}

TEST_CASE("packed documents run as each of them runs alone") {
  CHECK(pairs(R"({"type": "mask-document", "documents": [4, 4, 4, 4, 4, 4]})", n).data ==
        full(n).data);
  const char* packed =
      R"(["mask-causal", {"type": "mask-document", "documents": [7, 7, 0, 0, 0, 1]}])";
  const Array all = context(packed);
  for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{0, 2}, {2, 5}, {5, 6}}) {
    Json alone = masked(R"("mask-causal")", n, n);
    for (const char* role : {"query", "key", "value"}) {
      const Json& rows = alone["inputs"][role];
      const Array whole(
          Tensor{rows["shape"].get<Shape>(), rows["data"].get<std::vector<double>>()});
      alone["inputs"][role] = to_json(rows_between(whole, from, to));
    }
    CHECK(distance(run_json(alone).outputs.at("context"), rows_between(all, from, to)) < tolerance);
  }
}

TEST_CASE("a prefix of no token is causal, one of all tokens full") {
  CHECK(pairs(R"({"type": "mask-prefix", "length": 0})", n).data == past_pairs(n).data);
  CHECK(pairs(R"({"type": "mask-prefix", "length": 6})", n).data == full(n).data);
  CHECK(pairs(R"({"type": "mask-prefix", "length": 60})", n).data == full(n).data);
}

TEST_CASE("every place of a grid sees as many neighbours as the kernel has") {
  const auto seen = [](const char* mask, std::size_t count, std::size_t keys) {
    const Array M = pairs(mask, count);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < count; ++j) sum += M(i, j);
      CHECK(sum == static_cast<double>(keys));
      CHECK(M(i, i) == 1);
    }
  };
  seen(R"({"type": "mask-natten", "kernel": 3})", 7, 3);
  seen(R"({"type": "mask-natten", "grid": [3, 5], "kernel": 3})", 15, 9);
  seen(R"({"type": "mask-natten", "grid": [3, 5], "kernel": [1, 5]})", 15, 5);
  seen(R"({"type": "mask-natten", "grid": [5, 3], "kernel": [5, 3]})", 15, 15);
  seen(R"({"type": "mask-natten", "grid": [2, 3]})", 6, 3);
  CHECK(pairs(R"({"type": "mask-natten", "kernel": 1})", n).data == own_pairs(n).data);
  CHECK(pairs(R"("mask-natten")", 1).data == full(1).data);
  CHECK(pairs(R"({"type": "mask-natten", "grid": 6, "kernel": 5})", n).data ==
        pairs(R"({"type": "mask-natten", "grid": [6], "kernel": [5]})", n).data);
}

TEST_CASE("in block diffusion clean rows never see noised ones") {
  const Array M = pairs(R"({"type": "mask-block-diffusion", "block": 1})", n);
  for (std::size_t i = 3; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) CHECK(M(i, j) == (j >= 3 && j <= i ? 1 : 0));
  const Array whole = pairs(R"({"type": "mask-block-diffusion", "block": 3})", n);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < n; ++j) CHECK(whole(i, j) == (j < 3 ? 1 : 0));
  CHECK(pairs(R"({"type": "mask-block-diffusion", "block": 40})", n).data == whole.data);
}

TEST_CASE("a dilation of 1 is a window, no chunks before are blocks") {
  CHECK(pairs(R"({"type": "mask-dilated", "window": 2, "dilation": 1})", n).data ==
        pairs(R"({"type": "mask-window", "window": 2})", n).data);
  CHECK(pairs(R"({"type": "mask-sliding-chunk", "block": 4, "back": 0})", n).data ==
        pairs(R"(["mask-causal", {"type": "mask-block", "block": 4}])", n).data);
  CHECK(pairs(R"({"type": "mask-sliding-chunk", "block": 9, "back": 0})", n).data ==
        past_pairs(n).data);
}

TEST_CASE(
    "a sliding window is a band to the fast kernels, sliding chunks are one of their patterns") {
  const auto mask_of = [](const char* mask, auto check) {
    const Compiled compiled = compile(read_document(masked(mask, n, n)));
    if (const KnownTensor* found = compiled.directory().output("mask"))
      check(compiled.graph(), found->node);
  };
  mask_of(R"({"type": "mask-sliding", "window": 3})", [](const Graph& graph, NodeId id) {
    const MaybeIntent band = mask_intent(graph, id);
    REQUIRE(band);
    CHECK(band->kind == Intent::band);
    CHECK(band->before == 2);
    CHECK(band->after == 0);
  });
  mask_of(R"({"type": "mask-sliding-chunk", "block": 2, "back": 1})",
          [](const Graph& graph, NodeId id) {
            const MaybeIntent pattern = mask_intent(graph, id);
            REQUIRE(pattern);
            CHECK(pattern->kind == Intent::recent);
            CHECK(pattern->l == 2);
            CHECK(pattern->c == 2);
          });
}

TEST_CASE("a mask that does not fit its tokens names the field and what would fit") {
  const auto told = [](const char* mask, std::size_t tokens, const char* path, const char* words) {
    const std::string found = refusal(masked(mask, tokens, tokens));
    CHECK_MESSAGE(found.starts_with(std::string("/mechanism/mask/0/") + path + ": "), found);
    CHECK_MESSAGE(found.find(words) != std::string::npos, found);
  };
  told(R"({"type": "mask-natten", "grid": [2, 2]})", n, "grid", "4 positions");
  told(R"({"type": "mask-natten", "grid": [2, 3], "kernel": 4})", n, "kernel", "odd");
  told(R"({"type": "mask-natten", "grid": [2, 3], "kernel": [3, 3]})", n, "kernel", "at most 2");
  told(R"({"type": "mask-natten", "kernel": [3, 3]})", n, "kernel", "only one axis");
  told(R"({"type": "mask-natten", "kernel": 2.5})", n, "kernel", "2.5");
  told(R"({"type": "mask-document", "documents": [1, 2]})", n, "documents", "6 keys");
  told(R"({"type": "mask-document", "documents": [0, 0, 0, 0, 0, 0.5]})", n, "documents/5", "0.5");
  told(R"({"type": "mask-block-diffusion", "length": 2})", n, "length", "6 queries");
  told(R"("mask-block-diffusion")", 5, "length", "even");
  told(R"("mask-block-diffusion")", 1, "length", "even");
  told(R"({"type": "mask-dilated", "dilation": 0})", n, "dilation", "at least 1");
}

}  // namespace attend::testing::masks_today_test
