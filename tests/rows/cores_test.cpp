// SPDX-License-Identifier: Apache-2.0
// What each core promises by itself: at the limit of its knobs it is softmax attention, its recurrence is its quadratic
// form, its random features converge.
#include "tests/rows/cores.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "ops/error.h"

namespace attend::testing::cores_test {

TEST_CASE("FlashAttention is softmax attention for any block") {
  for (const bool past : {false, true}) {
    for (std::size_t block = 1; block <= 9; ++block) {
      const Json document = tokens({{"type", "flash"}, {"block", block}, {"causal", past}}, 7);
      CHECK(gap(document, past ? only_causal : Json::array()) < close);
      CHECK(gap(document, past ? only_causal : Json::array(), "weights") < close);
    }
  }
  Json large = tokens({{"type", "flash"}, {"block", 2}});
  for (const char* role : {"query", "key"}) {
    for (auto& x : large["inputs"][role]["data"]) x = 40 * x.get<double>();
  }
  CHECK(gap(large) < close);
}

TEST_CASE("fast weights without the delta rule are linear attention without its normaliser") {
  const Array raw = run_json(tokens("fast-weight")).outputs.at("implied");
  const Array shares =
      run_json(tokens({{"type", "linear"}, {"causal", true}})).outputs.at("weights");
  for (std::size_t i = 0; i < raw.rows(); ++i) {
    double total = 0;
    for (const double x : raw.row(i)) total += x;
    for (std::size_t j = 0; j < raw.cols(); ++j)
      CHECK(raw(i, j) / total == doctest::Approx(shares(i, j)).epsilon(1e-4));
  }
}

TEST_CASE("the delta rule recalls what an orthonormal key wrote, and overwrites it") {
  Json document = tokens({{"type", "fast-weight"}, {"delta", true}, {"phi", "relu"}}, 4, 3);
  document["parameters"] = {{"structure.beta", {1, 1, 1, 1}}};
  // Key 0 is written twice; everybody asks for it, and then for key 1.
  document["inputs"]["key"] = {{"matrix", {{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}}};
  document["inputs"]["query"] = {{"matrix", {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}}}};
  const Ran ran = run_json(document);
  const Array &v = ran.outputs.at("value"), &c = ran.outputs.at("context");
  for (std::size_t x = 0; x < v.cols(); ++x) {
    CHECK(c(1, x) == doctest::Approx(v(0, x)));
    CHECK(c(2, x) == doctest::Approx(v(2, x)));
    CHECK(c(3, x) == doctest::Approx(v(1, x)));
  }
}

TEST_CASE("the delta rule lets go of the old value as far as its key says") {
  Json document = tokens({{"type", "fast-weight"}, {"delta", true}, {"phi", "relu"}}, 2, 2);
  // One key is written twice: first half of value 0 is left, then a quarter, beside 3/4 of value 1.
  document["inputs"]["key"] = document["inputs"]["query"] = {{"matrix", {{1, 0}, {1, 0}}}};
  for (const double w : {0., std::log(3.)}) {
    document["parameters"] = {{"structure.w_beta", {w, 5}}};
    const double beta = w == 0 ? .5 : .75;
    const Ran ran = run_json(document);
    const Array &v = ran.outputs.at("value"), &c = ran.outputs.at("context");
    for (std::size_t x = 0; x < v.cols(); ++x) {
      CHECK(c(0, x) == doctest::Approx(beta * v(0, x)));
      CHECK(c(1, x) == doctest::Approx((1 - beta) * beta * v(0, x) + beta * v(1, x)));
    }
  }
}

TEST_CASE("BigBird draws r keys for each row, of 64 too, and not a share of all") {
  for (const std::size_t r : {0U, 1U, 3U, 64U, 70U}) {
    Json document =
        tokens({{"type", "bigbird"}, {"window", 0}, {"global", 0}, {"random", r}}, 64, 2);
    const Array a = run_json(document).outputs.at("weights");
    for (std::size_t i = 0; i < 64; ++i) {
      std::size_t seen = 0;
      for (std::size_t j = 0; j < 64; ++j) seen += j != i && a(i, j) > 0 ? 1 : 0;
      // The row itself is in the window, and may be among those drawn.
      CHECK(seen <= r);
      CHECK(seen + 1 >= std::min<std::size_t>(r, 64));
    }
  }
  Json before = tokens({{"type", "bigbird"}, {"window", 0}, {"global", 0}}, 6, 2);
  before["parameters"] = {{"structure.random", to_json(Array({6, 6}))}};
  CHECK(run_json(before).outputs.at("weights").data == unit(6).data);
}

TEST_CASE("a half open gate of random feature attention forgets by halves") {
  Json document = tokens({{"type", "rfa"}, {"features", 64}, {"gate", true}});
  document["inputs"]["key"] = to_json(Array({6, 4}, 1));  // all alike
  const Array implied = run_json(document).outputs.at("implied");
  for (std::size_t i = 2; i < 6; ++i) {
    for (std::size_t j = 1; j <= i; ++j)
      CHECK(implied(i, j) == doctest::Approx(2 * implied(i, j - 1)).epsilon(1e-4));
  }
}

TEST_CASE("a Linformer of all rows is softmax attention") {
  Json document = tokens("linformer");
  document["parameters"] = {{"structure.E", to_json(unit(6))}, {"structure.G", to_json(unit(6))}};
  CHECK(gap(document) < close);
}

TEST_CASE("a Reformer of one bucket is attention of queries on one another") {
  Json document = tokens({{"type", "reformer"}, {"chunk", 6}});
  document["inputs"].erase("key");
  document["parameters"] = {{"structure.R", to_json(Array({1, 4, 2}))}};  // all in the first bucket
  Json plain = document;
  Array keys = random("q", 6, 4);
  for (std::size_t i = 0; i < 6; ++i) {
    const double length = std::sqrt(inner(keys.row(i), keys.row(i)));
    for (std::size_t c = 0; c < 4; ++c) keys(i, c) /= length;
  }
  plain["inputs"]["key"] = to_json(keys);
  CHECK(distance(run_json(document).outputs.at("context"),
                 softmax_of(plain, Json::array({"mask-diagonal"})).outputs.at("context")) < close);
}

TEST_CASE("one cluster of routing attention is attention of normalised rows") {
  const Json document = tokens({{"type", "routing"}, {"clusters", 1}});
  Json plain = document;
  for (const char* role : {"query", "key"}) {
    Array x(read_document(document).inputs.at(role).tensor);
    for (std::size_t i = 0; i < x.rows(); ++i) {
      double mean = 0, spread = 0;
      for (const double one : x.row(i)) mean += one / 4;
      for (const double one : x.row(i)) spread += (one - mean) * (one - mean) / 4;
      for (std::size_t c = 0; c < 4; ++c) x(i, c) = (x(i, c) - mean) / std::sqrt(spread + 1e-5);
    }
    plain["inputs"][role] = to_json(x);
  }
  CHECK(distance(run_json(document).outputs.at("context"),
                 softmax_of(plain).outputs.at("context")) < close);
}

TEST_CASE("sparse patterns at their limits are causal and full attention") {
  CHECK(gap(tokens({{"type", "sparse-strided"}, {"l", 6}, {"part", "first"}}), only_causal) <
        close);
  CHECK(gap(tokens({{"type", "sparse-strided"}, {"l", 1}, {"part", "second"}}), only_causal) <
        close);
  CHECK(gap(tokens({{"type", "sparse-fixed"}, {"l", 2}, {"c", 2}}), only_causal) < close);
  CHECK(gap(tokens({{"type", "bigbird"}, {"global", 6}})) < close);
  CHECK(gap(tokens({{"type", "bigbird"}, {"window", 5}})) < close);
  CHECK(gap(tokens({{"type", "bigbird"}, {"window", 0}, {"global", 0}})) > .01);
}

TEST_CASE("spans that reach everybody are causal attention, and a dynamic one without w is fixed") {
  Json adaptive = tokens("adaptive-span");
  adaptive["parameters"]["structure.z"] = 6;
  CHECK(gap(adaptive, only_causal) < close);
  Json wide = tokens({{"type", "dynamic-span"}, {"S", 100}});
  wide["parameters"] = {{"structure.w", {0, 0, 0, 0}}, {"structure.b", 1}};
  CHECK(gap(wide, only_causal) < close);
  adaptive["mechanism"]["core"] = {{"type", "adaptive-span"}, {"R", 2}};
  adaptive["parameters"]["structure.z"] = 3 / (1 + std::exp(-.4));
  Json dynamic = tokens({{"type", "dynamic-span"}, {"R", 2}, {"S", 3}});
  dynamic["parameters"] = {{"structure.w", {0, 0, 0, 0}}, {"structure.b", .4}};
  const Ran a = run_json(adaptive), d = run_json(dynamic);
  CHECK(distance(a.outputs.at("weights"), d.outputs.at("weights")) < close);
  CHECK(gap(adaptive, only_causal) > .01);
}

TEST_CASE("the normalised Gaussian kernel is the softmax of its score") {
  const Json core = tokens({{"type", "gaussian-attention-softmax"}, {"s", 1.5}});
  Json plain = core;
  plain["mechanism"] = {{"score", {{"type", "similarity-rbf"}, {"s", 1.5}}}};
  CHECK(distance(run_json(core).outputs.at("weights"), run_json(plain).outputs.at("weights")) <
        close);
}

TEST_CASE("with every row a landmark Skyformer and SOFT are their kernels") {
  const auto kernel = [](const Array& a, const Array& b, std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < a.cols(); ++c) sum += std::pow(a(i, c) - b(j, c), 2);
    return std::exp(-sum / (2 * std::sqrt(static_cast<double>(a.cols()))));
  };
  Json sky = tokens({{"type", "skyformer"}, {"count", 8}, {"eps", 0}, {"iterations", 0}}, 4);
  const Ran all = run_json(sky);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j)
      CHECK(all.outputs.at("implied")(i, j) ==
            doctest::Approx(kernel(all.outputs.at("query"), all.outputs.at("key"), i, j))
                .epsilon(1e-3));
  }
  sky["mechanism"]["core"] = {{"type", "skyformer"}, {"count", 5}, {"iterations", 0}};
  const Array exact = run_json(sky).outputs.at("implied");
  sky["mechanism"]["core"]["iterations"] = 12;
  CHECK(distance(run_json(sky).outputs.at("implied"), exact) < 1e-3);

  Json soft = tokens({{"type", "soft"}, {"count", 5}, {"iterations", 0}}, 5);
  soft["inputs"].erase("key");
  const Ran whole = run_json(soft);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(whole.outputs.at("implied")(i, i) == doctest::Approx(1).epsilon(1e-3));
    for (std::size_t j = 0; j < 5; ++j)
      CHECK(whole.outputs.at("implied")(i, j) ==
            doctest::Approx(kernel(whole.outputs.at("query"), whole.outputs.at("query"), i, j))
                .epsilon(1e-3));
  }
}

TEST_CASE("an FMMformer of its near field alone is softmax attention within the band") {
  Json document = tokens({{"type", "fmmformer"}, {"band", 6}});
  document["parameters"] = {{"structure.w1", 1}, {"structure.wl", Json::array({0})}};
  CHECK(gap(document) < close);
  document["mechanism"]["core"]["band"] = 1;
  CHECK(gap(document, Json::array({{{"type", "mask-window"}, {"window", 1}}})) < close);
  document["parameters"] = {{"structure.w1", 0}, {"structure.wl", Json::array({1})}};
  CHECK(distance(run_json(document).outputs.at("context"),
                 run_json(tokens("linear")).outputs.at("context")) < close);
}

TEST_CASE("SortCut of all blocks in a hard order is full attention") {
  Json document =
      tokens({{"type", "sinkhorn-sortcut"}, {"blocks", 2}, {"t", 2}, {"hard", true}}, 6, 2);
  // Sums of the blocks of keys that W sends to the other block; queries do not count.
  document["inputs"]["key"] = {{"matrix", {{3, 0}, {1, 0}, {2, 0}, {0, 2}, {0, 3}, {0, 1}}}};
  document["parameters"] = {{"structure.W", {{0, 0}, {0, 0}, {0, 1}, {1, 0}}}};
  CHECK(gap(document) < close);
  document["mechanism"]["core"]["t"] = 1;  // the second block alone
  const Array weights = run_json(document).outputs.at("weights");
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 3; ++j) CHECK(weights(i, j) == 0);
  }
}

TEST_CASE("as many clusters as queries are softmax attention, and improved ones of all keys too") {
  Json document = tokens({{"type", "clustered"}, {"clusters", 6}});
  document["parameters"]["structure.assignment"] = {0, 1, 2, 3, 4, 5};
  CHECK(gap(document) < close);
  document["mechanism"]["core"] = {
      {"type", "clustered"}, {"clusters", 2}, {"improved", true}, {"k", 6}};
  document["parameters"]["structure.assignment"] = {0, 1, 0, 1, 0, 1};
  CHECK(gap(document) < close);
  document["mechanism"]["core"]["improved"] = false;
  CHECK(gap(document) > .01);
}

TEST_CASE("what a core cannot do is told at its field") {
  struct Wrong {
    Json core;
    const char *path, *says;
    Json parameters = Json::object();
  };
  const std::vector<Wrong> all{
      {{{"type", "linformer"}, {"rank", 0}}, "/mechanism/core/rank", "0"},
      {{{"type", "performer"}, {"features", 0}}, "/mechanism/core/features", "0"},
      {{{"type", "flash"}, {"block", 0}}, "/mechanism/core/block", "0"},
      {{{"type", "routing"}, {"clusters", 4}}, "/mechanism/core/clusters", "does not divide 6"},
      {{{"type", "routing"}, {"clusters", 0}}, "/mechanism/core/clusters", "0"},
      {{{"type", "sinkhorn-sparse"}, {"blocks", 4}}, "/mechanism/core/blocks", "do not divide 6"},
      {{{"type", "sinkhorn-sortcut"}, {"t", 0}}, "/mechanism/core/t", "0"},
      {{{"type", "sparse-fixed"}, {"c", 0}}, "/mechanism/core/c", "0"},
      {{{"type", "clustered"}, {"clusters", 2}},
       "/parameters/structure.assignment",
       "0 to 1",
       {{"structure.assignment", {0, 1, 2, 0, 1, 0}}}},
      {{{"type", "skyformer"}},
       "/parameters/structure.landmarks",
       "0 to 11",
       {{"structure.landmarks", {0, 12}}}},
      {{{"type", "bigbird"}},
       "/parameters/structure.random",
       "expected shape",
       {{"structure.random", {{0, 1}, {1, 0}}}}},
      {{{"type", "performer"}},
       "/parameters/structure.omega",
       "expected shape",
       {{"structure.omega", {{0, 1}, {1, 0}}}}},
      {{{"type", "reformer"}}, "/inputs/key", "queries"},
      {{{"type", "linear"}, {"rank", 2}}, "/mechanism/core/rank", "phi"},
      {{{"type", "sparse-strided"}, {"causal", false}}, "/mechanism/core/causal", "always causal"},
      {"lineer", "/mechanism/core", "unknown core"},
  };
  for (const Wrong& wrong : all) {
    Json document = tokens(wrong.core);
    if (!wrong.parameters.empty()) document["parameters"] = wrong.parameters;
    const std::string what = wrong.core.dump();
    CAPTURE(what);
    try {
      (void)run_json(document);
      FAIL_CHECK("it ran");
    } catch (const Error& error) {
      CHECK(error.path == wrong.path);
      CHECK_MESSAGE(std::string(error.what()).find(wrong.says) != std::string::npos, error.what());
    }
  }
  Json odd = tokens({{"type", "reformer"}, {"buckets", 3}});
  odd["inputs"].erase("key");
  CHECK_THROWS_WITH_AS(run_json(odd), doctest::Contains("pairs"), Error);
}

TEST_CASE("a core that is always causal may be told so") {
  for (const char* id : {"sparse-strided", "sparse-fixed", "fast-weight"}) {
    const Ran plain = run_json(tokens(id)),
              said = run_json(tokens({{"type", id}, {"causal", true}}));
    CHECK(distance(plain.outputs.at("context"), said.outputs.at("context")) == 0);
  }
}

TEST_CASE("65,536 tokens: a linear core answers, causal or not") {
  Json document = tokens("linear", 65536, 2);
  document["outputs"] = {"context"};
  CHECK(run_json(document).outputs.at("context").shape == Shape{65536, 3});
  document["mechanism"]["core"] = {{"type", "linear"}, {"causal", true}};
  CHECK(run_json(document).outputs.at("context").shape == Shape{65536, 3});
}

// By position, each token in its chunk and the one before: what one bucket of all tokens leaves of the hashing.
Row by_chunks(const Array& q, const Array& v, std::size_t size, std::size_t i) {
  const std::size_t own = i / size * size, first = own - std::min(own, size);
  const Row asks = q.row(i);
  Row e, context(v.cols(), 0);
  for (std::size_t j = first; j < std::min(own + size, q.rows()); ++j) {
    const Row k = q.row(j);
    e.push_back(inner(asks, k) / std::sqrt(inner(k, k) * static_cast<double>(k.size())));
  }
  const Row a = soft(e, [&](std::size_t j) { return first + j != i; });
  for (std::size_t j = 0; j < a.size(); ++j) {
    for (std::size_t c = 0; c < context.size(); ++c) context[c] += a[j] * v(first + j, c);
  }
  return context;
}

TEST_CASE("65,536 tokens in small chunks of hashing give the right answer") {
  Json document = tokens({{"type", "reformer"}, {"buckets", 1}, {"chunk", 16}}, 65536, 2);
  document["inputs"].erase("key");
  document["outputs"] = {"context"};
  const Array context = run_json(document).outputs.at("context");
  const Array q = random("q", 65536, 2), v = random("v", 65536, 3);
  for (const std::size_t i : {0U, 17U, 40000U, 65535U}) {
    const Row right = by_chunks(q, v, 16, i);
    for (std::size_t c = 0; c < right.size(); ++c)
      CHECK(context(i, c) == doctest::Approx(right[c]).epsilon(1e-4));
  }
}

TEST_CASE("65,536 tokens that are too many are told where, why, and what to make smaller") {
  struct Refused {
    const char *core, *field, *why, *smaller;
  };
  const char *whole = "[65536 65536] has more than", *fewer = "use fewer tokens";
  for (const Refused& one :
       {Refused{"adaptive-span", "", whole, fewer}, Refused{"bigbird", "", whole, fewer},
        Refused{"dynamic-span", "", whole, fewer}, Refused{"fmmformer", "", whole, fewer},
        Refused{"gaussian-attention-softmax", "", whole, fewer},
        Refused{"sparse-fixed", "", whole, fewer}, Refused{"sparse-strided", "", whole, fewer},
        Refused{"yoso", "", whole, fewer},
        Refused{"linformer", "/rank", "16384 x 65536 numbers", "smaller rank"},
        Refused{"reformer", "/chunk", "compared with 32768 tokens", "smaller chunk"},
        Refused{"flash", nullptr, "seconds", fewer}}) {
    CAPTURE(one.core);
    Json document = tokens(one.core, 65536, 2);
    if (std::string(one.core) == "reformer") document["inputs"].erase("key");
    if (std::string(one.core) == "linformer")
      document["mechanism"]["core"] = {{"type", "linformer"}, {"rank", 16384}};
    document["outputs"] = {"context"};
    try {
      run_json(document);
      FAIL_CHECK("nothing was refused");
    } catch (const Error& error) {
      const std::string says = error.what();
      CHECK(error.path ==
            (one.field == nullptr ? "/mechanism" : std::string("/mechanism/core") + one.field));
      CHECK_MESSAGE(says.find(one.why) != std::string::npos, says);
      CHECK_MESSAGE(says.find(one.smaller) != std::string::npos, says);
    }
  }
}

}  // namespace attend::testing::cores_test
