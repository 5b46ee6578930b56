// SPDX-License-Identifier: Apache-2.0
// Heads that share keys: whatever else is in the module, they are heads whose keys and values are repeated, and
// nothing is repeated to compute them.
#include <algorithm>
#include <doctest/doctest.h>
#include <optional>

#include "experiment/running/packed.h"
#include "experiment/running/write.h"
#include "ops/error.h"
#include "tests/experiment/combinations.h"

namespace attend::testing::shared_keys_test {
namespace {

constexpr std::size_t heads = 4, key_heads = 2;

// What can be beside heads.
Mechanisms parts() {
  Mechanisms list = every_part();
  std::erase_if(list, [](const Mechanism* part) { return part->kind() == Kind::heads; });
  return list;
}

// The part's example in grouped heads, with every parameter given.
Json grouped(const Mechanism& part) {
  Json document = example_document(part, 5);
  document["mechanism"]["heads"] = {
      {"type", "grouped-query"}, {"count", heads}, {"groups", key_heads}};
  return with_parameters(document, 5);
}

// Where the heads of a group choose together, they are not heads with keys of their own.
bool decides_in_groups(const Mechanism& part) {
  const auto* core = std::get_if<Core>(&part.behaviour);
  return core != nullptr && core->group_decides;
}

// Each block along the first axis as often as heads share it.
Array repeated(const Array& shared) {
  Array all = shared;
  all.shape[0] = heads;
  all.data.clear();
  const std::size_t size = shared.data.size() / key_heads;
  for (std::size_t t = 0; t < heads; ++t) {
    const auto block = shared.data.begin() + static_cast<long>(t * key_heads / heads * size);
    all.data.insert(all.data.end(), block, block + static_cast<long>(size));
  }
  return all;
}

Json repeated(const Json& shared) {
  const Array all = repeated(
      Array(Tensor{shared["shape"].get<Shape>(), shared["data"].get<std::vector<double>>()}));
  return to_json({all.shape, all.data});
}

Json with_keys_repeated(Json document) {
  document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", heads}};
  for (const char* name : {"heads.W_K", "heads.W_V"})
    document["parameters"][name] = repeated(document["parameters"][name]);
  return document;
}

std::optional<Ran> tried(const Json& document) {
  try {
    return run_json(document);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Whether the heads of such a module stand side by side at all.
bool takes_heads(const Mechanism& part) {
  Json document = example_document(part, 5);
  document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", heads}};
  return tried(document).has_value();
}

Mechanisms parts_beside_heads() {
  Mechanisms list = parts();
  std::erase_if(
      list, [](const Mechanism* part) { return decides_in_groups(*part) || !takes_heads(*part); });
  return list;
}

void compare(const Arrays& few, const Arrays& all) {
  for (const auto& [name, array] : all) {
    REQUIRE_MESSAGE(few.contains(name), name);
    const Array& own = few.at(name);
    const bool shared = own.shape != array.shape && !own.shape.empty() && own.shape[0] == key_heads;
    CHECK_MESSAGE(distance(shared ? repeated(own) : own, array) < 10 * tolerance,
                  name << ": off by " << distance(shared ? repeated(own) : own, array));
  }
}

bool keys_are_queries(const Mechanism& part) {
  const auto* core = std::get_if<Core>(&part.behaviour);
  return core != nullptr && core->shares_keys;
}

const Each same("in heads that share keys is the same with keys and values repeated",
                parts_beside_heads, [](const Mechanism& part) {
                  const Json document = grouped(part);
                  const Ran few = run_json(document), all = run_json(with_keys_repeated(document));
                  compare(few.outputs, all.outputs);
                  CHECK(few.outputs.at("key").shape.front() ==
                        (keys_are_queries(part) ? heads : key_heads));
                  CHECK(few.outputs.at("value").shape.front() == key_heads);
                });

// A gradient to what is shared is the sum over the heads that share it.
const Each slopes("sums gradients over the heads that share a key", parts_beside_heads,
                  [](const Mechanism& part) {
                    if (!part.differentiable) return;
                    Json document = grouped(part);
                    document["gradient"] = {{"of", "context"}};
                    const Arrays few = run_json(document).gradients,
                                 all = run_json(with_keys_repeated(document)).gradients;
                    for (const auto& [name, array] : all) {
                      REQUIRE_MESSAGE(few.contains(name), name);
                      Array sum = array;
                      if (name == "heads.W_K" || name == "heads.W_V") {
                        sum = Array(few.at(name).shape);
                        const std::size_t size = sum.data.size() / key_heads;
                        for (std::size_t i = 0; i < array.data.size(); ++i) {
                          const std::size_t group = i / size * key_heads / heads;
                          sum.data[group * size + i % size] += array.data[i];
                        }
                      }
                      CHECK_MESSAGE(distance(few.at(name), sum) < 50 * tolerance,
                                    name << ": off by " << distance(few.at(name), sum));
                    }
                  });

Json plain(const char* type, std::size_t groups) {
  Json document = example_document(*find_mechanism(Kind::score, "scaled-dot"), 5);
  document["mechanism"]["heads"] = {{"type", type}, {"count", heads}};
  if (groups > 0) document["mechanism"]["heads"]["groups"] = groups;
  return document;
}

double bytes_of(Json document) {
  document["outputs"] = {"key"};
  return Json::parse(
      write_result(run(compile(read_document(document)), Detail::outputs)))["cost"]["bytes"];
}

}  // namespace

TEST_CASE("most parts of a module are compared in heads that share keys") {
  CHECK(parts_beside_heads().size() > 120);
}

TEST_CASE("with a key head for each head, grouped heads are multi-head, and with one multi-query") {
  for (const auto& [type, groups] :
       {std::pair{"multi-head", heads}, {"multi-query", std::size_t{1}}}) {
    const Json document = with_parameters(plain("grouped-query", groups), 2);
    Json other = document;
    other["mechanism"]["heads"] = {{"type", type}, {"count", heads}};
    const Ran a = run_json(document), b = run_json(other);
    for (const char* name : {"query", "key", "value", "scores", "weights", "heads", "context"})
      CHECK_MESSAGE(distance(a.outputs.at(name), b.outputs.at(name)) == 0, name);
  }
}

TEST_CASE("multi-query heads with equal queries are equal") {
  Json document = with_parameters(plain("multi-query", 0), 2);
  Json& W_Q = document["parameters"]["heads.W_Q"];
  const std::size_t size = W_Q["data"].size() / heads;
  for (std::size_t i = size; i < W_Q["data"].size(); ++i) W_Q["data"][i] = W_Q["data"][i % size];
  const Array weights = run_json(document).outputs.at("weights");
  for (std::size_t t = 1; t < heads; ++t) CHECK(distance(part(weights, t), part(weights, 0)) == 0);
}

TEST_CASE("shared keys are computed and kept once") {
  CHECK(bytes_of(plain("grouped-query", 1)) < bytes_of(plain("grouped-query", 2)));
  CHECK(bytes_of(plain("grouped-query", 2)) < bytes_of(plain("grouped-query", 4)));
  CHECK(bytes_of(plain("grouped-query", 4)) == bytes_of(plain("multi-head", 0)));
}

TEST_CASE("the number of key heads is read off their projection") {
  Json document = with_parameters(plain("grouped-query", 1), 2);
  document["mechanism"]["heads"].erase("groups");
  CHECK(run_json(document).outputs.at("key").shape.front() == 1);
}

}  // namespace attend::testing::shared_keys_test
