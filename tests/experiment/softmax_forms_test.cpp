// SPDX-License-Identifier: Apache-2.0
// Alignments that are a softmax with something beside it, and heads that look at the keys: what their builds state goes
// to the kernel, which gives what the formula gives, forward and backward.
#include "experiment/running/run.h"
#include "fused/row_blocks.h"
#include "fused/shorter.h"
#include "ops/plan.h"
#include "ops/primitives/records.h"
#include "ops/rewrite.h"
#include "tests/each.h"
#include "tests/experiment/attended.h"
#include "tests/rows/masks.h"

namespace attend::testing::softmax_forms_test {
namespace {

struct Setting {
  Json alignment;
  bool sink = false, capped = false;
  bool takes_bias = true;  // always; otherwise only where all rows have the same factor
};

const std::vector<Setting> every_setting{
    {"softmax-one", true},
    {{{"type", "softmax-one"}, {"extra", 0}}, true},
    {{{"type", "softmax-one"}, {"extra", 5}}, true},
    {"learned-sink", true},
    {{{"type", "soft-cap"}, {"cap", 2}}, false, true},
    {{{"type", "soft-cap"}, {"cap", 1}, {"base", "learned-sink"}}, true, true},
    {{{"type", "softmax-temperature"}, {"temperature", .7}}},
    {"scalable-softmax", false, false, false},
};

const std::vector<Json> every_heads{nullptr,
                                    {{"type", "multi-head"}, {"count", 2}},
                                    {{"type", "grouped-query"}, {"count", 6}, {"groups", 2}},
                                    {{"type", "multi-query"}, {"count", 3}}};

const Json past = Json::array({"mask-causal"});

// Under the last one token has no key at all.
const std::vector<Json> every_masks{
    Json::array(),
    past,
    Json::parse(R"(["mask-causal", {"type": "mask-window", "window": 3}])"),
    Json::parse(R"(["mask-causal", {"type": "mask-padding", "length": 5}])"),
    Json::parse(R"([{"type": "mask-sparse-strided", "l": 3}])"),
    Json::array({"mask-diagonal"})};

const std::vector<std::pair<std::size_t, std::size_t>> every_size{{1, 1}, {7, 11}, {37, 23}};

Json document_of(const Json& alignment, const Json& heads, const Json& masks, std::size_t m,
                 std::size_t n) {
  Json document = masked(masks, m, n);
  if (masks.empty()) document["mechanism"].erase("mask");
  document["mechanism"]["alignment"] = alignment;
  if (!heads.is_null()) document["mechanism"]["heads"] = heads;
  return document;
}

// What the fast form did, and whether the kernel took it as expected; nothing where the document is refused.
std::optional<Attended> check(const Setting& setting, const Json& document,
                              std::optional<bool> fuses) {
  std::optional<Attended> last;
  for (const std::size_t examples : {1UL, 3UL}) {
    CAPTURE(examples);
    last = check_fast_form(document, examples);
    if (!last) return last;
    if (fuses) CHECK(last->fused == (*fuses ? 1 : 0));
    CHECK(last->sink == (last->fused == 1 && setting.sink));
    CHECK(last->capped == (last->fused == 1 && setting.capped));
  }
  return last;
}

}  // namespace

TEST_CASE("a sink, a cap and a temperature go to the kernel with every mask and all heads") {
  std::size_t known = 0;
  for (const Setting& setting : every_setting) {
    CAPTURE(setting.alignment.dump());
    for (const Json& heads : every_heads) {
      CAPTURE(heads.dump());
      for (const Json& masks : every_masks) {
        CAPTURE(masks.dump());
        for (const auto& [m, n] : every_size) {
          CAPTURE(m);
          const auto fast =
              check(setting, document_of(setting.alignment, heads, masks, m, n), true);
          known += fast ? 1 : 0;
        }
      }
    }
  }
  CHECK(known > 400);
}

TEST_CASE("a sink and a cap go to the kernel beside a bias, which is a map or a table of gaps") {
  for (const Setting& setting : every_setting) {
    CAPTURE(setting.alignment.dump());
    for (const Json& heads : every_heads) {
      CAPTURE(heads.dump());
      for (const char* position : {"pos-alibi", "pos-t5-bias", "pos-forgetting"}) {
        CAPTURE(position);
        for (const Json& masks : {every_masks[0], every_masks[1], every_masks[4]}) {
          CAPTURE(masks.dump());
          Json document = document_of(setting.alignment, heads, masks, 13, 13);
          document["mechanism"]["position"] = Json::array({position});
          const auto fast =
              check(setting, document, setting.takes_bias ? std::optional(true) : std::nullopt);
          REQUIRE(fast);
          CHECK(fast->gaps == (fast->fused == 1 && position != std::string("pos-forgetting")));
        }
      }
    }
  }
}

namespace {

struct Term {
  Json change;
  bool fuses = true;
  bool shares = true;  // always where heads share keys; otherwise the shapes decide
  double factor = 1;   // how much larger than usual the rounding may be
};

const std::vector<Term> every_term{
    {{{"score", "trilinear"}}},
    {{{"score", "dot-over-keynorm"}}},
    {{{"score", {{"type", "dot-over-keynorm"}, {"eps", .1}}}}},
    {{{"score", {{"type", "similarity-l2"}, {"squared", true}, {"scale", .7}}}}, true, false},
    {{{"score", {{"type", "similarity-rbf"}, {"s", 2}}}}, true, false},
    {{{"position", {{{"type", "pos-forgetting"}, {"gates", "token"}}}}}},
    // These have a shorter form, but none in the kernel.
    // The gradient of a root multiplies the rounding of its sums by the inverse of a distance, which may be small.
    {{{"score", "similarity-l2"}}, false, true, 20},
    {{{"alignment", "sparsemax"}}, false},
};

}  // namespace

TEST_CASE("scores of a product and terms of rows and keys go to the kernel without a map") {
  const std::vector<std::pair<std::size_t, std::size_t>> sizes{
      {1, 1}, {37, 23}, {23, 37}, {67, 67}};
  std::size_t known = 0;
  for (const Term& term : every_term) {
    CAPTURE(term.change.dump());
    for (const Json& heads : every_heads) {
      CAPTURE(heads.dump());
      const bool shared = !heads.is_null() && heads["type"] != "multi-head";
      const bool fuses = term.fuses;
      for (const Json& masks : every_masks) {
        CAPTURE(masks.dump());
        for (const auto& [m, n] : sizes) {
          CAPTURE(m);
          Json document = document_of("softmax", heads, masks, m, n);
          document["mechanism"].update(term.change);
          for (const std::size_t examples : {1UL, 3UL}) {
            CAPTURE(examples);
            const auto fast = check_fast_form(document, examples, fuse_all, term.factor);
            if (!fast) continue;
            ++known;
            if (term.shares || !shared) CHECK(fast->fused == (fuses ? 1 : 0));
            if (m == 67 && fast->fused == 1 && masks == past)
              CHECK(fast->largest < examples * m * n);
          }
        }
      }
    }
  }
  CHECK(known > 900);
}

TEST_CASE(
    "the network of a position by segments has the numbers of its units, whole and in blocks of rows") {
  const Pass in_blocks = [](const Program& program) {
    Rewrite to(program);
    to.copy_whole();
    fused::shorten(to.graph(), program.wanted(), 0);
    const std::vector<bool> needed = plan(to.graph(), program.wanted()).needed;
    std::size_t networks = 0;
    for (NodeId id = 0; id < to.graph().size(); ++id)
      networks += needed[id] && to.graph()[id].primitive == &primitives::hinges ? 1 : 0;
    CHECK(networks == 1);
    return fused::in_blocks(to.program(), 37 * 41, 4000);
  };
  for (const Json& heads : every_heads) {
    CAPTURE(heads.dump());
    for (const Json& masks : {every_masks[0], past}) {
      CAPTURE(masks.dump());
      for (const std::size_t n : {41UL, 13UL}) {
        CAPTURE(n);
        Json document = document_of("softmax", heads, masks, n == 41 ? 37 : 13, n);
        // Some queries are behind L, and some are not.
        document["mechanism"]["position"] = Json::array({"pos-fire"});
        document["parameters"]["position.0.L"] = 9;
        for (const std::size_t examples : {1UL, 3UL}) {
          CAPTURE(examples);
          const auto whole = check_fast_form(document, examples);
          REQUIRE(whole);
          CHECK(whole->fused == 1);
          if (n != 41) continue;
          const auto blocks = check_fast_form(document, examples, in_blocks);
          REQUIRE(blocks);
          CHECK(blocks->fused >= 1);
          CHECK(blocks->largest < examples * 37 * 41);
        }
      }
    }
  }
}

TEST_CASE("sums of gates that an intervention changes may grow, and are no term of the keys") {
  Json document = document_of("softmax", every_heads[1], past, 70, 70);
  document["mechanism"]["position"] =
      Json::array({{{"type", "pos-forgetting"}, {"gates", "token"}}});
  document["interventions"] = Json::array({{{"type", "scale"}, {"of", "G"}, {"value", -1}}});
  Json alone = document;
  alone["outputs"] = {"context"};
  const Ran whole = run_json(document), fast = run_json(alone);
  CHECK(distance(fast.outputs.at("context"), whole.outputs.at("context")) < 10 * tolerance);
}

TEST_CASE("the weight of a sink comes from the kernel, with its gradient") {
  for (const Setting& setting : every_setting) {
    if (!setting.sink) continue;
    CAPTURE(setting.alignment.dump());
    for (const Json& masks : every_masks) {
      CAPTURE(masks.dump());
      Json document = document_of(setting.alignment, every_heads[1], masks, 80, 80);
      for (const char* of : {"remainder", "context"}) {
        CAPTURE(of);
        document["gradient"] = {{"of", of}};
        Json asked = document;
        asked["outputs"] = {"context", "remainder"};
        const Result fast = run(compile(read_document(asked)), Detail::outputs);
        CHECK(fast.fused == 1);
        const Ran before = run_json(document), after = run_json(asked);
        for (const char* name : {"context", "remainder"})
          CHECK(distance(after.outputs.at(name), before.outputs.at(name)) < 10 * tolerance);
        for (const auto& [name, array] : before.gradients)
          CHECK_MESSAGE(distance(after.gradients.at(name), array) < 100 * tolerance, name);
      }
    }
  }
}

TEST_CASE("maps too large to keep are left out, and the weight of the sink is not") {
  const Json document = document_of("learned-sink", every_heads[1], past, 2900, 2900);
  const Result result = run(compile(read_document(document)), Detail::outputs);
  CHECK(result.fused == 1);
  const auto has = [&](std::string_view name) {
    return std::any_of(result.tensors.begin(), result.tensors.end(),
                       [&](const ResultTensor& t) { return t.name() == name; });
  };
  CHECK(has("remainder"));
  CHECK(!has("weights"));
}

TEST_CASE("scores that an intervention caps otherwise are not what the build states") {
  for (const char* alignment : {"soft-cap", "learned-sink", "scalable-softmax"}) {
    CAPTURE(alignment);
    Json document = document_of(alignment, nullptr, past, 70, 70);
    const Ran before = run_json(document);
    for (const char* of : {"scores", "mask"}) {
      document["interventions"] = Json::array({{{"type", "scale"}, {"of", of}, {"value", 0}}});
      Json alone = document;
      alone["outputs"] = {"context"};
      const Ran whole = run_json(document), fast = run_json(alone);
      CHECK(distance(whole.outputs.at("context"), before.outputs.at("context")) > 1e-3);
      CHECK(distance(fast.outputs.at("context"), whole.outputs.at("context")) < 10 * tolerance);
    }
  }
}

TEST_CASE("the difference of two maps needs neither of them") {
  for (const Json& alignment : {Json("softmax"), Json("learned-sink"), Json("soft-cap")}) {
    CAPTURE(alignment.dump());
    for (const Json& masks : every_masks) {
      CAPTURE(masks.dump());
      for (const std::size_t count : {1UL, 3UL}) {
        CAPTURE(count);
        for (const auto& [m, n] : every_size) {
          CAPTURE(m);
          const Json heads{{"type", "differential"}, {"count", count}};
          for (const std::size_t examples : {1UL, 3UL}) {
            const auto fast = check_fast_form(document_of(alignment, heads, masks, m, n), examples);
            if (!fast) continue;
            CHECK(fast->fused == 1);
            CHECK(fast->sink == (alignment == "learned-sink"));
          }
        }
      }
    }
  }
  // What an intervention does to one of the maps is not done to the contexts.
  Json changed = document_of("softmax", {{"type", "differential"}, {"count", 2}}, past, 70, 70);
  for (const char* of : {"A^1", "\\lambda", "weights"}) {
    CAPTURE(of);
    changed["interventions"] = Json::array({{{"type", "scale"}, {"of", of}, {"value", 3}}});
    Json alone = changed;
    alone["outputs"] = {"context"};
    const Ran whole = run_json(changed), fast = run_json(alone);
    CHECK(distance(fast.outputs.at("context"), whole.outputs.at("context")) < 10 * tolerance);
  }
}

namespace {

Json gated(const Json& more, std::size_t m, std::size_t n) {
  Json document = masked(past, m, n);
  document["mechanism"]["heads"] = {{"type", "gated-heads"}, {"count", 2}};
  document["mechanism"].update(more);
  if (more.contains("core")) document["mechanism"].erase("score");
  return document;
}

}  // namespace

TEST_CASE("gates of heads in the order of time need no map, and have the numbers of the formula") {
  const Json softmax = Json::object(), core{{"core", "linear"}};
  for (const auto& [m, n] : {std::pair{1UL, 1UL}, {7UL, 11UL}, {45UL, 31UL}, {67UL, 67UL}}) {
    CAPTURE(m);
    for (const Json& more : {softmax, core}) {
      CAPTURE(more.dump());
      for (const std::size_t examples : {1UL, 2UL}) {
        const auto fast = check_fast_form(gated(more, m, n), examples);
        if (!fast && more == core) continue;  // which needs as many keys as queries
        REQUIRE(fast);
        if (m == 67) CHECK(fast->largest < examples * m * n);
      }
    }
  }
  // With one changed row the mask is no longer causal, so the shorter form must not be used.
  Json changed = gated(softmax, 70, 70);
  changed["interventions"] =
      Json::array({{{"type", "set"}, {"of", "mask"}, {"rows", {9}}, {"value", 1}}});
  Json alone = changed;
  alone["outputs"] = {"context"};
  const Ran whole = run_json(changed), fast = run_json(alone);
  CHECK(distance(fast.outputs.at("context"), whole.outputs.at("context")) < 10 * tolerance);
}

TEST_CASE("a core with gated heads takes texts whose mask would be too large") {
  const Json core{{"core", "linear"}};
  constexpr std::size_t many = 16'500, few = 40;
  const auto of_first = [&](std::size_t n) {
    Json document = gated(core, n, n);
    document["outputs"] = {"context"};
    return document;
  };
  const Compiled compiled = compile(read_document(of_first(many)));
  const Prepared prepared = prepare(compiled, Detail::outputs);
  CHECK(plan_within_limits(compiled, prepared.program, Keep::wanted).numbers * sizeof(real) <
        std::size_t{64} << 20U);
  const Array all = run_json(of_first(many)).outputs.at("context"),
              some = run_json(of_first(few)).outputs.at("context");
  CHECK(distance(rows_between(all, 0, few), some) < 10 * tolerance);
}

}  // namespace attend::testing::softmax_forms_test
