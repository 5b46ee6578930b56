// SPDX-License-Identifier: Apache-2.0
// The masks of the catalogue, alone and multiplied with one another: what a mask states is what its formula leaves, and
// attention by the fast form is attention by the formula, forward and backward.
#include <doctest/doctest.h>
#include <set>

#include "experiment/describing/example.h"
#include "experiment/recording/compile.h"
#include "fused/patterns.h"
#include "ops/error.h"
#include "ops/intent.h"
#include "tests/each.h"
#include "tests/experiment/attended.h"
#include "tests/fused/drawn_pairs.h"
#include "tests/rows/masks.h"

namespace attend::testing::intents_test {
namespace {

// The masks whose record builds pairs by itself, as a document has them; and those by other settings.
std::vector<Json> every_setting() {
  std::vector<Json> list;
  for (const Mechanism* mask : every_mask()) {
    if (std::get<Mask>(mask->behaviour).build == nullptr) continue;
    const Json document = example_document(*mask);
    if (document["mechanism"].contains("mask")) list.push_back(document["mechanism"]["mask"][0]);
  }
  for (const char* text :
       {R"({"type": "mask-window", "window": 0})", R"({"type": "mask-window", "window": 40})",
        R"({"type": "mask-block", "block": 3})", R"({"type": "mask-block", "block": 8})",
        R"({"type": "mask-sliding", "window": 1})", R"({"type": "mask-sliding", "window": 6})",
        R"({"type": "mask-dilated", "window": 3, "dilation": 1})",
        R"({"type": "mask-sparse-strided", "part": "first", "l": 3})",
        R"({"type": "mask-sparse-strided", "part": "second", "l": 3})",
        R"({"type": "mask-sparse-strided", "l": 5})",
        R"({"type": "mask-sparse-fixed", "part": "first", "l": 3})",
        R"({"type": "mask-sparse-fixed", "part": "second", "l": 5, "c": 2})",
        R"({"type": "mask-sparse-fixed", "l": 3, "c": 8})",
        R"({"type": "mask-block-local", "l_q": 3, "l_m": 0})",
        R"({"type": "mask-sliding-chunk", "block": 3, "back": 2})",
        R"({"type": "mask-bigbird", "block": 3, "window": 1, "global": 1, "random": 1})",
        R"({"type": "mask-padding", "length": 7})"})
    list.push_back(Json::parse(text));
  return list;
}

// Whether the kernels know the pairs of the masks; nothing where they do not fit these sizes.
std::optional<bool> check_masks(const Json& masks, std::size_t m, std::size_t n,
                                const Json& more = {}) {
  CAPTURE(masks.dump());
  CAPTURE(m);
  CAPTURE(n);
  Json document = masked(masks, m, n);
  if (!more.is_null()) document["mechanism"].update(more);
  const std::optional<Attended> fast = check_fast_form(document);
  if (!fast) return std::nullopt;
  CHECK(fast->fused == 1);
  return fast->kernels;
}

}  // namespace

TEST_CASE("attention by what a mask states is attention by its formula, at odd sizes") {
  std::size_t known = 0;
  for (const Json& mask : every_setting()) {
    for (const auto& [m, n] :
         {std::pair{1UL, 1UL}, {1UL, 5UL}, {5UL, 1UL}, {7UL, 11UL}, {13UL, 9UL}, {23UL, 23UL}})
      known += check_masks(Json::array({mask}), m, n).value_or(false) ? 1 : 0;
  }
  CHECK(known > 100);
}

TEST_CASE("what a mask states goes to the kernel, where there is one for it") {
  std::set<Intent::Kind> kinds;
  for (const Json& mask : every_setting()) {
    CAPTURE(mask.dump());
    Json document = masked(Json::array({mask}), 20, 20);
    std::optional<Compiled> compiled;
    try {
      compiled.emplace(compile(read_document(document)));
    } catch (const Error&) {
      continue;
    }
    const KnownTensor* found = compiled->directory().output("mask");
    if (found == nullptr) continue;
    const Node& node = compiled->graph()[found->node];
    if (node.intent == nullptr || !fused::has_kernel(*node.intent)) continue;
    const std::optional<Attended> fast = check_fast_form(document);
    REQUIRE(fast);
    CHECK(fast->kind == static_cast<long>(node.intent->kind));
    kinds.insert(node.intent->kind);
  }
  CHECK(kinds.size() > 5);
}

TEST_CASE("attention under two masks at once is attention by their product") {
  const std::vector<Json> all = every_setting();
  std::size_t known = 0;
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a; b < all.size(); ++b)
      known += check_masks(Json::array({all[a], all[b]}), 13, 13).value_or(false) ? 1 : 0;
  }
  CHECK(known > 100);
}

TEST_CASE("masks for heads and three at once keep the law") {
  const Json past = "mask-causal", window{{"type", "mask-window"}, {"window", 3}},
             blocks{{"type", "mask-block"}, {"block", 5}}, strided = "mask-sparse-strided",
             padding{{"type", "mask-padding"}, {"length", 9}};
  const Json heads{{"heads", {{"type", "multi-head"}, {"count", 2}}}};
  for (const Json& masks :
       {Json::array({past, window, blocks}), Json::array({strided, past, padding}),
        Json::array({window, blocks, blocks}), Json::array({past, strided, "mask-bigbird"}),
        Json::array({past, window}), Json::array({strided})}) {
    CHECK(check_masks(masks, 13, 13));
    CHECK(check_masks(masks, 13, 13, heads));
  }
  CHECK(check_masks(Json::array({past, window, blocks}), 13, 13) == true);
  CHECK(check_masks(Json::array({past, strided, padding}), 13, 13) == false);
}

TEST_CASE("behind a memory a mask states its pairs of the keys that there are, or nothing") {
  std::size_t known = 0;
  for (const Json& mask : every_setting()) {
    CAPTURE(mask.dump());
    Json document = masked(Json::array({mask}), 11, 11);
    document["mechanism"]["position"] = Json::array({"pos-relative-xl"});
    document["inputs"]["memory"] = to_json(noise({3, 6}, "memory"));
    std::optional<Compiled> compiled;
    try {
      compiled.emplace(compile(read_document(document)));
    } catch (const Error&) {
      continue;  // a mask that needs as many keys as queries
    }
    if (const KnownTensor* found = compiled->directory().output("mask")) {
      const MaybeIntent intent = mask_intent(compiled->graph(), found->node);
      if (!intent || intent->kind != Intent::band) continue;
      const Array values = run_json(document).outputs.at("mask");
      CHECK(values.cols() == 14);
      const std::vector<real> drawn = drawn_pairs(*intent, 11, 14);
      CHECK(values.data == std::vector<double>(drawn.begin(), drawn.end()));
      ++known;
    }
  }
  CHECK(known > 5);
}

TEST_CASE("a mask that an intervention changes is not what was stated") {
  for (const Json& masks :
       {Json::array({"mask-causal"}), Json::array({"mask-causal", "mask-window"})}) {
    CAPTURE(masks.dump());
    Json document = masked(masks, 70, 70);
    const Ran before = run_json(document);
    for (const Json& how : {Json{{"type", "set"}, {"of", "mask"}, {"rows", {9}}, {"value", 1}},
                            Json{{"type", "scale"}, {"of", "mask"}, {"value", 0}}}) {
      document["interventions"] = Json::array({how});
      document["gradient"] = {{"of", "context"}};
      Json alone = document;
      alone["outputs"] = {"context"};
      const Ran whole = run_json(document), fast = run_json(alone);
      CHECK(distance(whole.outputs.at("context"), before.outputs.at("context")) > 1e-3);
      CHECK(distance(fast.outputs.at("context"), whole.outputs.at("context")) < 10 * tolerance);
      for (const auto& [name, array] : whole.gradients)
        CHECK_MESSAGE(distance(fast.gradients.at(name), array) < 100 * tolerance, name);
    }
  }
}

}  // namespace attend::testing::intents_test
