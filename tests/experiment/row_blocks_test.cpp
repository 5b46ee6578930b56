// SPDX-License-Identifier: Apache-2.0
// Maps that no kernel takes are computed for a block of queries at a time: context and gradients are those of the
// formula, whatever the block, and no tensor of a whole map is left.
#include "fused/row_blocks.h"

#include "experiment/running/explain.h"
#include "experiment/running/run.h"
#include "ops/cost.h"
#include "ops/plan.h"
#include "tests/each.h"
#include "tests/experiment/attended.h"
#include "tests/rows/masks.h"

namespace attend::testing::row_blocks_test {
namespace {

const Json past = Json::array({"mask-causal"});

const std::vector<Json> every_masks{
    Json::array(), past,
    Json::parse(R"(["mask-diagonal", {"type": "mask-padding", "length": 5}])")};

const std::vector<Json> every_heads{nullptr,
                                    {{"type", "multi-head"}, {"count", 2}},
                                    {{"type", "grouped-query"}, {"count", 6}, {"groups", 2}},
                                    {{"type", "talking-heads"}, {"count", 3}}};

const std::vector<Json> every_change{
    {{"score", "scaled-dot"}},
    {{"score", "similarity-cosine"}},
    {{"score", "dot-over-keynorm"}},
    {{"score", "trilinear"}},
    {{"score", "similarity-l2"}},
    {{"score", {{"type", "similarity-l2"}, {"squared", true}}}},
    {{"score", "additive"}},
    {{"score", "concat"}},
    {{"score", "activated-general"}},
    {{"alignment", "sparsemax"}},
    {{"alignment", "sigmoid"}},
    {{"alignment", "relu-attention"}},
    {{"alignment", "stick-breaking"}},
    {{"alignment", "softmax-temperature"}, {"position", {"pos-alibi"}}},
    {{"alignment", "scalable-softmax"},
     {"position", {{{"type", "pos-t5-bias"}, {"max", 9}, {"buckets", 6}}}}},
    {{"alignment", "learned-sink"}, {"score", "similarity-cosine"}},
    {{"position", {"pos-fire"}}},
    {{"position", {"pos-relative-shaw"}}},
    {{"position", {"pos-relative-xl"}}},
    {{"position", {"pos-disentangled"}}},
    {{"position", {{{"type", "pos-disentangled"}, {"gather", "paper"}, {"c2p", false}}}}},
    {{"position", {"pos-forgetting"}}},
    {{"position", {"pos-cope"}}}};

Json document_of(const Json& change, const Json& heads, const Json& masks, std::size_t m,
                 std::size_t n) {
  Json document = masked(masks, m, n);
  if (masks.empty()) document["mechanism"].erase("mask");
  document["mechanism"].update(change);
  if (!heads.is_null()) document["mechanism"]["heads"] = heads;
  return document;
}

// Checks that in blocks of so many numbers nothing as large as a map is left; nothing where the document is refused.
std::optional<Attended> check(const Json& document, std::size_t examples, std::size_t map,
                              std::size_t numbers) {
  const auto fast = check_fast_form(document, examples, [&](const Program& program) {
    return fused::in_blocks(program, examples * map, numbers);
  });
  if (fast) {
    CHECK(fast->fused >= 1);
    CHECK(fast->largest < examples * map);
  }
  return fast;
}

}  // namespace

TEST_CASE("maps in blocks of rows have the numbers and the gradients of the formula") {
  std::size_t known = 0;
  for (const Json& change : every_change) {
    CAPTURE(change.dump());
    for (const Json& heads : every_heads) {
      CAPTURE(heads.dump());
      for (const Json& masks : every_masks) {
        CAPTURE(masks.dump());
        for (const auto& [m, n] : {std::pair{37UL, 41UL}, {41UL, 41UL}}) {
          CAPTURE(m);
          // One row at a time; and blocks of several, the last of which is not whole.
          known += check(document_of(change, heads, masks, m, n), 1, m * n, 1) ? 1 : 0;
          known += check(document_of(change, heads, masks, m, n), 3, m * n, 90'000) ? 1 : 0;
        }
      }
    }
  }
  CHECK(known > 900);
}

TEST_CASE("in blocks, a causal map is computed up to the last row of a block alone") {
  constexpr std::size_t rows = 160;
  for (const Json& change : every_change) {
    CAPTURE(change.dump());
    // Sorting, and a sink in front of the keys, read a whole row.
    const std::string alignment = change.value("alignment", "");
    if (alignment == "sparsemax" || alignment == "learned-sink") continue;
    for (const Json& heads : every_heads) {
      const bool mixed = !heads.is_null() && heads["type"] == "talking-heads";
      if (mixed || (heads.is_null() && alignment == "stick-breaking")) continue;
      CAPTURE(heads.dump());
      Document read = read_document(document_of(change, heads, past, rows, rows));
      read.outputs = std::nullopt;
      const Compiled compiled = compile(std::move(read));
      const Program whole = compiled.program().with_results(
          {{"context", compiled.program().find("outputs.context")}});
      const Program blocks = fused::in_blocks(whole, rows * rows, 1);
      const auto steps = [](const Program& program) {
        const Cost cost = cost_of(program.graph(), plan(program.graph(), program.wanted()).needed);
        return static_cast<double>(cost.multiply_adds + 20 * cost.exponentials);
      };
      REQUIRE(blocks.made().fused > 0);
      CHECK(steps(blocks) < .75 * steps(whole));
    }
  }
}

TEST_CASE("entmax goes row by row, with one alpha or one for each head") {
  for (const Json& heads : every_heads) {
    CAPTURE(heads.dump());
    for (const Json& masks : every_masks)
      CHECK(check(document_of({{"alignment", "alpha-entmax"}}, heads, masks, 23, 29), 2, 23 * 29,
                  9000));
  }
}

namespace {

// The numbers of results, as the document gives the leaves.
std::vector<std::vector<real>> numbers_of(const Compiled& compiled, const Program& program) {
  Leaves leaves;
  std::vector<std::vector<real>> given, numbers;
  for (const Program::Leaf& leaf : program.leaves()) {
    const Leaf* const known = compiled.recording().leaf(leaf.name);
    given.push_back(known == nullptr ? std::vector<real>{} : compiled.leaf_data(*known));
  }
  for (const auto& one : given) leaves.emplace_back(one);
  Workspace work = workspace_for(program);
  evaluate(program, leaves, work);
  for (const Program::Result& one : program.results())
    numbers.emplace_back(work[one.node].begin(), work[one.node].end());
  return numbers;
}

// Checks the numbers of these results in blocks; gives back how many scans there are.
std::size_t check_results(const Compiled& compiled, const std::vector<Program::Result>& results,
                          std::size_t map) {
  const Program whole = compiled.program().with_results(results);
  const Program made = fused::in_blocks(whole, map, 500);
  const auto expected = numbers_of(compiled, whole), found = numbers_of(compiled, made);
  for (std::size_t t = 0; t < results.size(); ++t) {
    CAPTURE(results[t].name);
    REQUIRE(found[t].size() == expected[t].size());
    for (std::size_t i = 0; i < found[t].size(); ++i)
      CHECK(std::abs(found[t][i] - expected[t][i]) < tolerance * (1 + std::abs(expected[t][i])));
  }
  return made.made().fused;
}

std::size_t check_results(const Json& document, const std::vector<std::string>& names,
                          std::size_t map) {
  const Compiled compiled = compile(read_document(document));
  std::vector<Program::Result> results;
  for (const std::string& name : names) results.push_back({name, compiled.program().find(name)});
  return check_results(compiled, results, map);
}

}  // namespace

TEST_CASE("maps that are requested are right where the others go in blocks") {
  for (const Json& heads : every_heads) {
    for (const char* name : {"outputs.weights", "outputs.scores"}) {
      CAPTURE(name);
      const Json document =
          document_of({{"score", "similarity-cosine"}}, heads, every_masks[2], 37, 41);
      CHECK(check_results(document, {name, "outputs.context"}, 37 * 41) > 0);
    }
  }
}

namespace {

// Every output and step that is smaller than the map.
std::vector<Program::Result> small_results(const Program& program, std::size_t map) {
  std::vector<Program::Result> results;
  for (const TensorGroup group : {TensorGroup::outputs, TensorGroup::steps}) {
    for (const KnownTensor& known : program.directory().of(group)) {
      if (element_count(program.graph()[known.node].shape) < map)
        results.push_back({std::to_string(results.size()), known.node});
    }
  }
  return results;
}

void check_small_steps(const Mechanism& alignment) {
  constexpr std::size_t map = 37 * 41;
  for (const Json& masks : {every_masks[0], every_masks[2]}) {
    const Json document = document_of({{"alignment", alignment.id}}, nullptr, masks, 37, 41);
    try {
      const Compiled compiled = compile(read_document(document));
      check_results(document, {"outputs.context"}, map);
      check_results(compiled, small_results(compiled.program(), map), map);
    } catch (const Error&) {
      continue;  // another mask, another score or an input of its own
    }
  }
}

// A step that is asked for may read what is computed in blocks, and be read there again.
const Each small_steps("has right small steps where its maps go in blocks", every_alignment,
                       check_small_steps);

}  // namespace

TEST_CASE("two layers below the same mask are computed in blocks one after the other") {
  Json document = Json::parse(R"({"schema": "attention-playground/1", "seed": 4, "model": [
    {"name": "a", "type": "attention", "query": "self-attention", "score": "similarity-cosine",
     "mask": ["mask-causal"], "inputs": {"x": "x"}},
    {"name": "b", "type": "attention", "query": "self-attention", "score": "scaled-dot",
     "position": ["pos-relative-shaw"], "mask": ["mask-causal"], "inputs": {"x": "a"}}]})");
  document["inputs"] = {{"x", to_json(noise({43, 6}, "x"))}};
  CHECK(check_results(document, {"outputs.a.context", "outputs.b.context"}, 43 * 43) == 2);
}

namespace {

Json of_many_words(const Json& change, bool gradient) {
  Json document = document_of(change, nullptr, past, 1, 1);
  document["inputs"] = Json::object();
  for (const char* name : {"query", "key"})
    document["inputs"][name] = {{"shape", {8192, 32}},
                                {"data", std::vector<double>(8192 * 32, .1)}};
  if (!change.contains("heads"))
    document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 4}};
  document["outputs"] = {"context"};
  if (gradient) document["gradient"] = {{"of", "context"}};
  return document;
}

}  // namespace

TEST_CASE("a cell of a context in blocks is explained, with or without a run at hand") {
  Json document = of_many_words({{"score", "similarity-cosine"}}, false);
  for (const char* name : {"query", "key"})
    document["inputs"][name] = to_json(noise({4100, 4}, name));
  document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  const Compiled compiled = compile(read_document(document));
  Runner runner(compiled, Detail::outputs);
  const Result result = runner.run(compiled);
  REQUIRE(result.fused == 1);
  CHECK(runner.at_hand() == nullptr);
  const Json explained = explain_cell(compiled, "context", {4099, 1}, runner.at_hand());
  const ResultTensor* context = nullptr;
  for (const ResultTensor& one : result.tensors)
    if (one.name() == "context") context = &one;
  REQUIRE(context != nullptr);
  const double expected = result.data(*context)[4099 * context->shape.back() + 1];
  CHECK(std::abs(explained["value"].get<double>() - expected) < 10 * tolerance);
}

TEST_CASE("8192 words take tens of megabytes whatever scores and aligns them") {
  std::vector<Json> changes = every_change;
  changes.push_back({{"heads", {{"type", "talking-heads"}, {"count", 4}}}});
  changes.push_back({{"alignment", "alpha-entmax"}});
  for (const Json& change : changes) {
    CAPTURE(change.dump());
    for (const bool gradient : {false, true}) {
      CAPTURE(gradient);
      const Compiled compiled = compile(read_document(of_many_words(change, gradient)));
      const Prepared prepared = prepare(compiled, Detail::outputs);
      const Plan all = plan(prepared.program.graph(), prepared.program.wanted());
      CHECK(prepared.program.made().fused == 1);
      CHECK((all.numbers + all.hidden) * sizeof(float) < std::size_t{64} << 20U);
    }
  }
}

}  // namespace attend::testing::row_blocks_test
