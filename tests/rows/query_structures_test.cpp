// SPDX-License-Identifier: Apache-2.0
// Limit cases and equalities of the structures with several queries of their own: hops, capsules,
// labels, structured maps, the syntactic head.
#include <array>

#include "catalogue/tables.h"
#include "tests/rows/structures.h"

namespace attend::testing::query_structures_test {

TEST_CASE("memory network: one hop with H = I is attention plus the question, in either tying") {
  Json layers = structure("memnet-hop", knobs({{"hops", 1}}));
  parameter(layers, "H") = to_json(identity(6));
  Json adjacent = structure("memnet-hop", knobs({{"hops", 1}, {"tying", "adjacent"}}));
  const Ran next = run_json(adjacent);
  const Array first = part(next.parameters.at("structure.E"), 0);
  const Array second = part(next.parameters.at("structure.E"), 1);
  for (const char* name : {"A", "B"}) parameter(layers, name) = to_json(first);
  parameter(layers, "C") = to_json(second);
  const Ran ran = run_json(layers);
  CHECK(near(ran.outputs.at("output"), next.outputs.at("output")));
  const Array u = product(input(layers, "query"), first), x = input(layers, "memory");
  const Ran plain = attend("dot", u, product(x, first), product(x, second));
  for (std::size_t c = 0; c < 6; ++c) {
    const double expected = u(c) + plain.outputs.at("context")(c);
    CHECK(std::abs(ran.outputs.at("output")(c) - expected) < 10 * tolerance);
  }
}

TEST_CASE("memory network: a linear start aligns nothing, and hops are read off E") {
  const Ran linear = run_json(structure("memnet-hop", knobs({{"linear", true}})));
  CHECK(distance(linear.outputs.at("weights"), linear.outputs.at("scores")) == 0);
  Json document = structure("memnet-hop", knobs({{"tying", "adjacent"}, {"hops", 4}}));
  document["mechanism"].erase("hops");
  const Ran ran = run_json(document);
  CHECK(ran.outputs.contains("weights.3"));
  CHECK(distance(ran.outputs.at("weights.3"), ran.outputs.at("weights")) == 0);
}

TEST_CASE("stacked self-attention: the second hop is a first hop on what the first made") {
  const Json both = structure("transformer-as-hops", knobs({{"hops", 2}}));
  const Ran whole = run_json(both);
  Array rows = input(both, "x");
  for (std::size_t s = 0; s < 2; ++s) {
    Json one = structure("transformer-as-hops", knobs({{"hops", 1}}));
    one["inputs"]["x"] = to_json(rows);
    for (const char* name : {"W_Q", "W_K", "W_V", "gamma", "beta"}) {
      Array slice = part(whole.parameters.at(std::string("structure.") + name), s);
      slice.shape.insert(slice.shape.begin(), 1);
      parameter(one, name) = to_json(slice);
    }
    const Ran ran = run_json(one);
    CHECK(near(ran.outputs.at("weights"), whole.outputs.at("weights." + std::to_string(s))));
    const auto projected = [&](const char* name) {
      return product(rows, part(ran.parameters.at(std::string("structure.") + name), 0));
    };
    const Ran general = attend("scaled-dot", projected("W_Q"), projected("W_K"), projected("W_V"));
    CHECK(near(ran.outputs.at("context"), general.outputs.at("context")));
    rows = ran.outputs.at("output");
  }
  CHECK(near(rows, whole.outputs.at("output")));
}

TEST_CASE("capsules: one class is pooling by a learned query and a logistic unit") {
  const Json document = structure("capsule", knobs({{"classes", 1}}));
  const Ran ran = run_json(document);
  const Ran pooled = attend("dot", ran.parameters.at("structure.q"), input(document, "key"),
                            input(document, "value"));
  CHECK(near(ran.outputs.at("context"), pooled.outputs.at("context")));
  const double logit =
      inner(ran.outputs.at("context").row(0), ran.parameters.at("structure.w").row(0)) +
      ran.parameters.at("structure.b")(0);
  CHECK(std::abs(ran.outputs.at("p")(0, 0) - 1 / (1 + std::exp(-logit))) < tolerance);
}

TEST_CASE("capsules: rows sum to one, sure classes hand on all they saw, classes may be permuted") {
  Json document = structure("capsule", knobs({{"classes", 4}}));
  const Ran ran = run_json(document);
  check_rows_sum_to_one(ran.outputs.at("weights"));
  Json turned = document;
  for (const char* name : {"q", "w", "b"}) {
    parameter(turned, name) =
        to_json(rotated_rows(ran.parameters.at(std::string("structure.") + name), 1));
  }
  const Ran after = run_json(turned);
  for (const char* name : {"scores", "weights", "context", "p", "output"})
    CHECK(near(after.outputs.at(name), rotated_rows(ran.outputs.at(name), 1)));
  parameter(document, "b") = to_json(Array({4}, 1000));
  const Ran sure = run_json(document);
  CHECK(distance(sure.outputs.at("output"), sure.outputs.at("context")) == 0);
}

TEST_CASE(
    "label-wise attention: capsules without their modules, and one label is a single attention") {
  const Json document = structure("label-wise");
  const Ran ran = run_json(document);
  Json capsules = structure("capsule", knobs({{"classes", 4}}));
  for (const char* name : {"q", "w"})
    parameter(capsules, name) = to_json(ran.parameters.at(std::string("structure.") + name));
  const Ran other = run_json(capsules);
  for (const char* name : {"scores", "weights", "context"})
    CHECK(near(ran.outputs.at(name), other.outputs.at(name)));
  const Json single = structure("label-wise", knobs({{"labels", 1}}));
  const Ran one = run_json(single);
  const Ran pooled =
      attend("dot", one.parameters.at("structure.q"), input(single, "key"), input(single, "value"));
  CHECK(near(one.outputs.at("weights"), pooled.outputs.at("weights")));
  const double verdict =
      inner(pooled.outputs.at("context").row(0), one.parameters.at("structure.w").row(0));
  CHECK(std::abs(one.outputs.at("output")(0, 0) - verdict) < 10 * tolerance);
}

TEST_CASE("structured self-attention: rows sum to one, a single map is additive self-attention") {
  check_rows_sum_to_one(run_json(structure("structured-self-attn")).outputs.at("weights"));
  const Json document = structure("structured-self-attn", knobs({{"rows", 1}}));
  const Ran ran = run_json(document);
  const Array x = input(document, "x");
  const Ran other =
      attend("self-additive", Array({1, 6}), x, x,
             {{"score.W", to_json(ran.parameters.at("structure.W1"))},
              {"score.w", to_json(reshaped(ran.parameters.at("structure.W2"), {6}))}});
  CHECK(near(ran.outputs.at("context"), other.outputs.at("context")));
}

TEST_CASE("structured self-attention: the penalty of equal, even maps has its closed form") {
  if (find_mechanism(Kind::penalty, "frobenius-penalty") == nullptr) return;
  Json document =
      structure("structured-self-attn", knobs({{"penalties", Json::array({"frobenius-penalty"})}}));
  parameter(document, "W2") = to_json(Array({6, 4}));  // four maps, all even over five tokens
  const double penalty = run_json(document).outputs.at("penalty")();
  CHECK(std::abs(penalty - (4 * .8 * .8 + 4 * 3 * .2 * .2)) < 100 * tolerance);
}

TEST_CASE("syntactic head: a known parse makes rows that are one-hot at the parents") {
  Array parse({5, 5});
  const std::array<std::size_t, 5> parents{1, 1, 4, 4, 1};
  for (std::size_t i = 0; i < 5; ++i) parse(i, parents[i]) = 1;
  const Json document = structure("lisa-head", knobs({{"mask", allowed(parse)}}));
  const Ran ran = run_json(document);
  CHECK(distance(ran.outputs.at("weights"), parse) == 0);
  const Array values = product(input(document, "x"), ran.parameters.at("structure.W_V"));
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t c = 0; c < values.cols(); ++c)
      CHECK(std::abs(ran.outputs.at("context")(i, c) - values(parents[i], c)) < tolerance);
  }
}

TEST_CASE("large inputs and a single token stay finite, a single token has the whole weight") {
  for (const char* id :
       {"token2token", "source2token", "generalized-pooling", "lisa-head", "structured-self-attn",
        "transformer-as-hops", "capsule", "label-wise", "memnet-hop"}) {
    const std::string role = std::string(id) == "capsule" || std::string(id) == "label-wise" ? "key"
                             : std::string(id) == "memnet-hop" ? "memory"
                                                               : "x";
    Json document = structure(id);
    Array x = input(document, role);
    for (double& number : x.data) number *= 1e3;
    document["inputs"][role] = to_json(x);
    for (const auto ran = run_json(document); const auto& [name, output] : ran.outputs) {
      for (const double number : output.data)
        CHECK_MESSAGE(std::isfinite(number), id << " " << name);
    }
    document["inputs"][role] = to_json(Array({1, x.cols()}, .5));
    document["inputs"].erase("value");
    document["parameters"].erase("structure.w");  // as wide as the values
    const Ran alone = run_json(document);
    for (const double weight : alone.outputs.at("weights").data) CHECK_MESSAGE(weight == 1, id);
  }
}

}  // namespace attend::testing::query_structures_test
