// SPDX-License-Identifier: Apache-2.0
// Maps that no kernel takes are computed for a block of queries at a time: context and gradients are those of the
// formula, whatever the block, and no tensor of a whole map is left.
#include "experiment/running/run.h"
#include "fused/row_blocks.h"
#include "tests/each.h"
#include "tests/experiment/attended.h"
#include "tests/rows/masks.h"

namespace attend::testing::row_blocks_test {
namespace {

const Json past = Json::array({"mask-causal"});

const std::vector<Json> every_masks{
    Json::array(), past, Json::parse(R"(["mask-causal", {"type": "mask-padding", "length": 5}])"),
    Json::array({"mask-diagonal"})};

const std::vector<Json> every_heads{nullptr,
                                    {{"type", "multi-head"}, {"count", 2}},
                                    {{"type", "grouped-query"}, {"count", 6}, {"groups", 2}},
                                    {{"type", "talking-heads"}, {"count", 3}}};

Json document_of(const Json& change, const Json& heads, const Json& masks, std::size_t m,
                 std::size_t n) {
  Json document = masked(masks, m, n);
  if (masks.empty()) document["mechanism"].erase("mask");
  document["mechanism"].update(change);
  if (!heads.is_null()) document["mechanism"]["heads"] = heads;
  return document;
}

}  // namespace

TEST_CASE("maps in blocks of rows have the numbers and the gradients of the formula") {
  const std::vector<Json> changes{{{"score", "scaled-dot"}},
                                  {{"score", "similarity-cosine"}},
                                  {{"score", "dot-over-keynorm"}},
                                  {{"score", "trilinear"}},
                                  {{"score", "similarity-l2"}},
                                  {{"score", "additive"}},
                                  {{"score", "concat"}},
                                  {{"score", "activated-general"}},
                                  {{"alignment", "sparsemax"}},
                                  {{"alignment", "alpha-entmax"}},
                                  {{"alignment", "sigmoid"}},
                                  {{"alignment", "relu-attention"}},
                                  {{"alignment", "stick-breaking"}},
                                  {{"alignment", "softmax-temperature"}},
                                  {{"alignment", "learned-sink"}},
                                  {{"position", {"pos-fire"}}},
                                  {{"position", {"pos-relative-shaw"}}},
                                  {{"position", {"pos-relative-xl"}}},
                                  {{"position", {"pos-forgetting"}}},
                                  {{"position", {"pos-cope"}}}};
  std::size_t known = 0;
  for (const Json& change : changes) {
    CAPTURE(change.dump());
    for (const Json& heads : every_heads) {
      CAPTURE(heads.dump());
      for (const Json& masks : every_masks) {
        CAPTURE(masks.dump());
        for (const auto& [m, n] : {std::pair{13UL, 17UL}, {17UL, 17UL}}) {
          for (const std::size_t numbers : {1UL, 4000UL}) {
            const std::size_t examples = numbers == 1 ? 1 : 3;
            std::size_t steps = 0;
            const auto fast = check_fast_form(
                document_of(change, heads, masks, m, n), examples, [&](const Program& program) {
                  const Program made = fused::in_blocks(program, m * n, numbers);
                  steps = made.made().fused;
                  return made;
                });
            if (!fast) continue;
            CAPTURE(m);
            CAPTURE(numbers);
            CHECK(steps == 1);
            CHECK(fast->largest < examples * 6 * m * n);
            ++known;
          }
        }
      }
    }
  }
  MESSAGE(known);
}

}  // namespace attend::testing::row_blocks_test
