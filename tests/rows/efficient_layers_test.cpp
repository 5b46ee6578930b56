// SPDX-License-Identifier: Apache-2.0
// What the layers among the efficient forms promise: no future in causal forms, limits, and full
// attention where a form is exact.
#include "catalogue/tables.h"
#include "tests/rows/structures.h"

namespace attend::testing::efficient_layers_test {
namespace {

Array without_last_row(Array x) {
  x.data.resize(x.data.size() / x.shape[0] * (x.shape[0] - 1));
  --x.shape[0];
  return x;
}

// The document with the last row of these inputs changed.
Json with_another_last_row(Json document, const std::vector<std::string>& roles) {
  for (const std::string& role : roles) {
    Array x = input(document, role);
    for (std::size_t c = 0; c < x.cols(); ++c) x(x.rows() - 1, c) += 1 + double(c);
    document["inputs"][role] = to_json(x);
  }
  return document;
}

struct Causal {
  const char* id;
  Json members;
  std::vector<std::string> roles;
};

std::vector<Causal> causal_forms() {
  const Json on = {{"causal", true}};
  return {{"luna", on, {"x"}},
          {"synthesizer-dense", on, {"x"}},
          {"synthesizer-random", on, {"x"}},
          {"synthesizer-mix", on, {"x"}},
          {"lite-transformer", on, {"x"}},
          {"universal", on, {"x"}},
          {"reversible-residual", on, {"x1", "x2"}},
          {"transformer-xl", Json::object(), {"x"}},
          {"gtrxl", Json::object(), {"x"}},
          {"image-transformer", Json::object(), {"query", "key", "value"}}};
}

}  // namespace

TEST_CASE("causal layers do not see the future: row i is the same, bit for bit") {
  for (const Causal& form : causal_forms()) {
    CAPTURE(form.id);
    const Json document = structure(form.id, knobs(form.members));
    const Ran before = run_json(document);
    const Ran after = run_json(with_another_last_row(document, form.roles));
    for (const char* name : {"context", "output1", "output2"}) {
      if (!before.outputs.contains(name)) continue;
      const Array &a = before.outputs.at(name), &b = after.outputs.at(name);
      CHECK(distance(without_last_row(a), without_last_row(b)) == 0);
      CHECK(distance(a, b) > 1e-6);  // the last row does see the change
    }
  }
}

TEST_CASE("layers work on a single token") {
  for (const char* id : {"luna", "synthesizer-dense", "synthesizer-random", "synthesizer-mix",
                         "lite-transformer", "universal", "perceiver", "set-isab", "set-pma",
                         "mblosa", "bi-blosa", "transformer-xl", "gtrxl", "ganformer-bipartite"}) {
    CAPTURE(id);
    Json document = example_document(*find_mechanism(Kind::structure, id));
    document["inputs"] = {{"x", to_json(Array({1, 4}, .5))}};
    const Ran ran = run_json(document);
    for (const double number : ran.outputs.at("context").data) CHECK(std::isfinite(number));
  }
}

TEST_CASE(
    "set layers: permuting the set changes nothing, permuting who asks permutes the answers") {
  Json mab = structure("set-mab");
  const Array before = run_json(mab).outputs.at("context");
  mab["inputs"]["key"] = to_json(rotated_rows(input(mab, "key"), 2));
  CHECK(near(run_json(mab).outputs.at("context"), before));
  mab["inputs"]["query"] = to_json(rotated_rows(input(mab, "query"), 1));
  CHECK(near(run_json(mab).outputs.at("context"), rotated_rows(before, 1)));
  for (const char* id : {"set-isab", "set-pma", "perceiver"}) {
    CAPTURE(id);
    Json document = structure(id);
    const Array plain = run_json(document).outputs.at("context");
    document["inputs"]["x"] = to_json(rotated_rows(input(document, "x"), 2));
    const Array turned = run_json(document).outputs.at("context");
    CHECK(near(turned, id == std::string("set-isab") ? rotated_rows(plain, 2) : plain));
  }
}

TEST_CASE("perceiver: what is found is added to the latents, with no norm behind") {
  Json document = structure("perceiver");
  for (const char* name : {"cross.W_O", "self.W_O"})
    parameter(document, name) = to_json(Array({4, 4}));
  for (const char* side : {"cross.", "self."}) {
    parameter(document, std::string(side) + "W2") = to_json(Array({4, 4}));
    parameter(document, std::string(side) + "b2") = to_json(Array({4}));
  }
  const Ran ran = run_json(document);
  CHECK(distance(ran.outputs.at("output"), ran.parameters.at("structure.Z")) < tolerance);
  CHECK(ran.outputs.at("weights").shape.size() == 2);  // one head reads
}

TEST_CASE("luna: its map sums to one by row, and one packed row gives every token the same") {
  const Ran ran = run_json(structure("luna"));
  check_rows_sum_to_one(ran.outputs.at("weights"));
  Json document = structure("luna", knobs({{"rows", 1}}));
  const Array one = run_json(document).outputs.at("context");
  CHECK(near(one, rotated_rows(one, 1)));
  // The map is what the context is made by.
  const Array x = input(document, "x");
  CHECK(near(product(run_json(document).outputs.at("weights"), x), one));
  document["mechanism"]["causal"] = true;
  const Ran causal = run_json(document);
  CHECK(near(product(causal.outputs.at("weights"), x), causal.outputs.at("context")));
}

TEST_CASE("transformer-ls: a window over everything is full attention and r more columns") {
  const Json wide = knobs({{"window", 9}, {"layernorm", false}, {"rank", 2}});
  const Json document = structure("transformer-ls", wide);
  const Ran ran = run_json(document);
  const Array P = ran.outputs.at("projection");
  const auto extended = [&](const char* role) {
    const Array x = input(document, role);
    Array all({x.rows() + 2, x.cols()});
    std::copy(x.data.begin(), x.data.end(), all.data.begin());
    for (std::size_t u = 0; u < 2; ++u)
      for (std::size_t c = 0; c < x.cols(); ++c)
        for (std::size_t j = 0; j < x.rows(); ++j) all(x.rows() + u, c) += P(j, u) * x(j, c);
    return all;
  };
  const Ran full =
      attend("scaled-dot", input(document, "query"), extended("key"), extended("value"));
  CHECK(near(ran.outputs.at("context"), full.outputs.at("context")));
  CHECK(near(ran.outputs.at("weights"), full.outputs.at("weights")));
}

TEST_CASE("xcit: a channel of Q times a positive number changes nothing") {
  Json document = structure("xcit");
  const Array before = run_json(document).outputs.at("context");
  Array q = input(document, "query");
  for (std::size_t i = 0; i < q.rows(); ++i) q(i, 2) *= 7;
  document["inputs"]["query"] = to_json(q);
  CHECK(near(run_json(document).outputs.at("context"), before));
  q(0, 2) = -q(0, 2);
  document["inputs"]["query"] = to_json(q);
  CHECK_FALSE(near(run_json(document).outputs.at("context"), before));
}

TEST_CASE("synthesizers: a row of scores comes from its own token, or from no token at all") {
  const Json dense = structure("synthesizer-dense"), random = structure("synthesizer-random");
  const Array a = run_json(dense).outputs.at("scores");
  const Array b = run_json(with_another_last_row(dense, {"x"})).outputs.at("scores");
  CHECK(distance(without_last_row(a), without_last_row(b)) == 0);
  CHECK(distance(a, b) > 1e-6);
  CHECK(distance(run_json(random).outputs.at("weights"),
                 run_json(with_another_last_row(random, {"x"})).outputs.at("weights")) == 0);
}

TEST_CASE("synthesizer-mix: all of one share is that Synthesizer") {
  Json mix = structure("synthesizer-mix");
  const Json given = mix["parameters"];
  for (const bool first : {true, false}) {
    parameter(mix, "alpha") = {{"shape", {2}}, {"data", {first ? 400 : -400, 0}}};
    Json one = structure(first ? "synthesizer-dense" : "synthesizer-random");
    one["inputs"] = mix["inputs"];
    for (auto& [name, value] : one["parameters"].items()) value = given.at(name);
    CHECK(near(run_json(mix).outputs.at("context"), run_json(one).outputs.at("context")));
  }
}

TEST_CASE("lite transformer: all channels attending is attention, none is a convolution") {
  Json document = structure("lite-transformer", knobs({{"split", 16}}));
  const Array x = input(document, "x");
  CHECK(near(run_json(document).outputs.at("context"),
             attend("scaled-dot", x, x, x).outputs.at("context")));
  document["mechanism"]["split"] = 0;
  parameter(document, "kernel") = {{"shape", {3}},
                                   {"data", {0, 400, 0}}};  // all of it in the middle
  const Ran ran = run_json(document);
  CHECK(near(ran.outputs.at("context"), x));
  CHECK_FALSE(ran.outputs.contains("weights"));
  document["mechanism"]["split"] = 17;
  CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("at most 16"), Error);
}

TEST_CASE(
    "outer product attention: without an activation its rows sum to dot products, and it is odd") {
  Json document = structure("opa", knobs({{"act", "identity"}}));
  const Array q = input(document, "query"), k = input(document, "key"),
              v = input(document, "value");
  const Array o = run_json(document).outputs.at("output");
  REQUIRE(o.shape == Shape{4, 6, 3});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t f = 0; f < v.cols(); ++f) {
      double rows = 0, plain = 0;
      for (std::size_t c = 0; c < q.cols(); ++c) rows += o(i, c, f);
      for (std::size_t j = 0; j < k.rows(); ++j) plain += inner(q.row(i), k.row(j)) * v(j, f);
      CHECK(std::abs(rows - plain) < 20 * tolerance);
    }
  }
  document["mechanism"]["act"] = "tanh";
  const Array even = run_json(document).outputs.at("output");
  Array turned = q;
  for (double& number : turned.data) number = -number;
  document["inputs"]["query"] = to_json(turned);
  Array odd = run_json(document).outputs.at("output");
  for (double& number : odd.data) number = -number;
  CHECK(near(odd, even));
}

TEST_CASE("multi-linear attention: summed over the middle token it is a product of two tables") {
  const Json document = structure("tensorized", knobs({{"blocks", 1}}));
  const Ran ran = run_json(document);
  const Array q = input(document, "query"), k = input(document, "key"),
              v = input(document, "value"), T = ran.outputs.at("tensor");
  const Row g = soft(ran.parameters.at("structure.g").row(0), [](std::size_t) { return true; });
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t l = 0; l < v.rows(); ++l) {
      double summed = 0, expected = 0;
      for (std::size_t j = 0; j < k.rows(); ++j) summed += T(i, j, l);
      for (std::size_t r = 0; r < q.cols(); ++r) {
        double all = 0;
        for (std::size_t j = 0; j < k.rows(); ++j) all += k(j, r);
        expected += q(i, r) * g[r] * all * v(l, r);
      }
      CHECK(std::abs(summed - expected) < 20 * tolerance);
    }
  }
}

TEST_CASE("layers of one map take another alignment and another score than the paper's") {
  const Json plain = structure("image-transformer");
  const Json sparse = structure("image-transformer", knobs({{"alignment", "sparsemax"}}));
  const Json cosine = structure("image-transformer", knobs({{"score", "similarity-cosine"}}));
  for (const Json& other : {sparse, cosine}) {
    Json moved = other;
    moved["inputs"] = plain["inputs"];
    CHECK(distance(run_json(moved).outputs.at("context"), run_json(plain).outputs.at("context")) >
          1e-4);
    check_rows_sum_to_one(run_json(moved).outputs.at("weights"));
  }
}

}  // namespace attend::testing::efficient_layers_test
