// SPDX-License-Identifier: Apache-2.0
// Every mechanism that has a slot, one row at a time: equal to the whole program, or refused for a reason that is true.
#include <cmath>
#include <doctest/doctest.h>
#include <optional>

#include "experiment/learning/kept.h"
#include "experiment/learning/stepwise.h"
#include "experiment/recording/row_count.h"
#include "experiment/service.h"
#include "ops/error.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"
#include "tests/experiment/stepwise.h"

namespace attend::testing::stepwise_law_test {
namespace {

Json causal() {
  return parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"x": {"tokens": ["a", "b", "c", "d", "e", "f", "g"], "features": {"type": "embedding", "dim": 6}}},
    "mechanism": {"type": "attention", "query": "self-attention", "mask": ["mask-causal"]}})");
}

// A causal self-attention with the mechanism in its slot; nothing where it has no place there.
std::optional<Json> with(const Mechanism& mechanism) {
  Json json = causal();
  const std::string id(mechanism.id);
  Json& slots = json["mechanism"];
  switch (mechanism.kind()) {
    case Kind::score:
    case Kind::alignment:
    case Kind::position:
    case Kind::aggregate:
    case Kind::output:
    case Kind::heads:
    case Kind::qk:
    case Kind::value:
    case Kind::dimensionality:
      slots[std::string(kind_name(mechanism.kind()))] = id;
      break;
    case Kind::mask:
      slots["mask"].push_back(id);
      break;
    case Kind::core:
      slots["core"] = id;
      break;
    default:
      return std::nullopt;
  }
  try {
    (void)run_document(json.dump());
  } catch (const Error&) {
    return std::nullopt;  // it needs more than this, or has no place beside a causal mask
  }
  return std::make_optional<Json>(std::move(json));
}

Mechanisms those_with_a_slot() {
  Mechanisms list;
  for (const Mechanism* one : every_mechanism()) {
    if (one->kind() != Kind::structure && one->kind() != Kind::query && one->kind() != Kind::cell)
      list.push_back(one);
  }
  return list;
}

// Whether the first rows change when a later one does.
bool reads_later_rows(Json document) {
  document["outputs"] = {"context"};
  const auto context = [&] {
    return parse_json(run_document(document.dump()))["outputs"]["context"]["data"]
        .get<std::vector<double>>();
  };
  const std::vector<double> before = context();
  document["inputs"]["x"]["tokens"][6] = "other";
  const std::vector<double> after = context();
  for (std::size_t i = 0; i < before.size() / 7 * 6; ++i) {
    if (std::abs(before[i] - after[i]) > 1e-6) return true;
  }
  return false;
}

// Whether the rows change when one more follows them.
bool reads_row_count(Json document) {
  document["outputs"] = {"context"};
  const auto context = [&] {
    return parse_json(run_document(document.dump()))["outputs"]["context"]["data"]
        .get<std::vector<double>>();
  };
  const std::vector<double> before = context();
  document["inputs"]["x"]["tokens"].push_back("more");
  const std::vector<double> after = context();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::abs(before[i] - after[i]) > 1e-6) return true;
  }
  return false;
}

// The document with what the refusal asks for, where it is a value: a parameter's own numbers, or the number that the
// sentence names.
std::optional<Json> as_advised(Json document, const Error& error) {
  const Json::json_pointer place(error.path);
  const std::string why = error.what();
  const std::size_t such = why.find("such as ");
  if (error.path.starts_with("/parameters/")) {
    const Compiled compiled = compile_row_by_row(read_document(document));
    for (const Leaf& leaf : compiled.leaves()) {
      if (leaf.key != place.back()) continue;
      document["parameters"][leaf.key] = {{"shape", leaf.shape},
                                          {"data", compiled.leaf_data(leaf)}};
      return std::make_optional<Json>(std::move(document));
    }
    FAIL("the error names no parameter");
  }
  if (such == std::string::npos) return std::nullopt;
  Json& parent = document.at(place.parent_pointer());
  if (parent.is_string()) parent = {{"type", parent}};
  parent[place.back()] = std::stoi(why.substr(such + 8));
  return std::make_optional<Json>(std::move(document));
}

const Each law("runs row by row as it runs whole, or is refused with its module", those_with_a_slot,
               [](const Mechanism& mechanism) {
                 std::optional<Json> document = with(mechanism);
                 if (!document) return;
                 (*document)["outputs"] = {"context"};
                 Json steps;
                 try {
                   steps = stepped(*document);
                 } catch (const Error& error) {
                   const bool at_module = error.path.starts_with("/mechanism"),
                              at_number = error.path.starts_with("/parameters");
                   CHECK((at_module || at_number));
                   const std::string why = error.what();
                   CHECK(why.find("one row at a time") != std::string::npos);
                   // The reason does not ask for the mask that the document has.
                   CHECK(why.find("causal mask") == std::string::npos);
                   if (const auto advised = as_advised(*document, error)) {
                     CHECK(gap_of_steps(*advised, stepped(*advised)) <= exact_steps);
                     return;
                   }
                   // A position that no later row changes runs, unless its numbers come from the number of rows.
                   if (mechanism.kind() == Kind::position)
                     CHECK((reads_later_rows(*document) || reads_row_count(*document)));
                   return;
                 }
                 CHECK(gap_of_steps(*document, steps) <= exact_steps);
                 CHECK_FALSE(reads_later_rows(*document));
               });

}  // namespace

TEST_CASE(
    "keys that meet a table of positions run row by row in heads and beside other positions") {
  const Json disentangled{{"type", "pos-disentangled"}, {"k", 2}, {"gather", "paper"}};
  const std::vector<Json> all{
      {{"position", "pos-relative-xl"}},
      {{"position", "pos-path"}, {"heads", {{"type", "multi-head"}, {"count", 3}}}},
      {{"position", disentangled},
       {"heads", {{"type", "grouped-query"}, {"count", 4}, {"groups", 2}}}},
      {{"position", {"pos-disentangled", "pos-relative-xl"}},
       {"heads", {{"type", "multi-head"}, {"count", 2}}}},
      {{"position", {"pos-path", "pos-alibi"}},
       {"mask", {{{"type", "mask-sliding"}, {"window", 3}}}}},
  };
  for (const Json& more : all) {
    for (const std::size_t rows : {2, 5, 7}) {
      Json document = causal();
      document["mechanism"].update(more);
      document["inputs"]["x"]["tokens"].get_ref<Json::array_t&>().resize(rows);
      document["outputs"] = {"context", "weights"};
      CAPTURE(more.dump());
      CHECK(gap_of_steps(document, stepped(document)) <= exact_steps);
    }
  }
}

TEST_CASE("what is kept for positions grows by a row each step, and a window forgets it") {
  const auto kept = [](const char* position, const Json& mask) {
    Json document = causal();
    document["mechanism"]["position"] = position;
    document["mechanism"]["mask"] = {mask};
    const Json state = stepped(document)["state"];
    const Json counted = parse_json(kept_text(document.dump(), ""))["numbers"];
    CHECK(state["bytes"].get<std::size_t>() == state["numbers"].get<std::size_t>() * sizeof(real));
    if (mask.is_string()) CHECK(counted.back() == state["numbers"]);
    return counted;
  };
  const Json window{{"type", "mask-sliding"}, {"window", 3}};
  // Keys and values, and each key's products with the 8 rows of Q_r.
  CHECK(kept("pos-disentangled", "mask-causal") == Json({20, 40, 60, 80, 100, 120, 140}));
  CHECK(kept("pos-disentangled", window) == Json({20, 40, 60, 60, 60, 60, 60}));
  // A number for each key, its product with u.
  CHECK(kept("pos-relative-xl", "mask-causal") == Json({13, 26, 39, 52, 65, 78, 91}));
  CHECK(kept("pos-relative-xl", window) == Json({13, 26, 39, 39, 39, 39, 39}));
  // A row of C, with a number for each of the 7 keys.
  CHECK(kept("pos-path", "mask-causal") == Json({19, 38, 57, 76, 95, 114, 133}));
}

TEST_CASE("what takes its value from the number of rows is refused there") {
  const auto path_of = [](Json document) {
    try {
      (void)stepped(document);
    } catch (const Error& error) {
      return error.path;
    }
    return std::string("no error");
  };
  Json document = causal();
  document["mechanism"]["position"] = "pos-relative-music";
  CHECK(path_of(document) == "/parameters/position.E_r");
  document["mechanism"]["position"] = "pos-location-weight";
  CHECK(path_of(document) == "/mechanism/position");
  document = causal();
  document["mechanism"]["mask"].push_back("mask-natten");
  CHECK(path_of(document) == "/mechanism/mask/1/grid");
  document["mechanism"]["mask"][1] = "mask-mlm";
  CHECK(path_of(document) == "/mechanism/mask/1");
}

}  // namespace attend::testing::stepwise_law_test
