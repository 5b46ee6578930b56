// SPDX-License-Identifier: Apache-2.0
// What the layers among the efficient forms promise: blocks, segments, sparse heads and images.
#include "catalogue/tables.h"
#include "tests/rows/structures.h"

namespace attend::testing::efficient_blocks_test {

TEST_CASE("block self-attention: one block looks around as token2token does") {
  const Json document = structure("mblosa", knobs({{"block", 24}}));
  const Ran blocks = run_json(document);
  Json whole =
      structure("token2token", knobs({{"mask", {"mask-directional-fw"}}, {"act", "identity"}}));
  whole["inputs"] = document["inputs"];
  whole["parameters"] = {{"structure.W_x", to_json(identity(3))}};
  for (const char* name : {"W1", "W2", "b1"})
    parameter(whole, name) = document["parameters"][std::string("structure.inner.") + name];
  CHECK(near(reshaped(blocks.outputs.at("inner.weights"), {24, 24, 3}),
             run_json(whole).outputs.at("weights")));
}

TEST_CASE("block self-attention: no gate inside a block lets a token see itself") {
  Json document = structure("mblosa", knobs({{"block", 4}, {"act", "identity"}}));
  Array h_alone({9, 3});  // y is h: the last gate is open and passes nothing but h
  for (std::size_t c = 0; c < 3; ++c) h_alone(3 + c, c) = 1;
  parameter(document, "W") = to_json(h_alone);
  parameter(document, "b") = to_json(Array({3}));
  parameter(document, "W_g") = to_json(Array({9, 3}));
  parameter(document, "b_g") = to_json(Array({3}, 1000));
  const Array y = run_json(document).outputs.at("output"), x = input(document, "x");
  for (std::size_t start = 0; start < 24; start += 4) {
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(std::abs(y(start, c)) < tolerance);                         // sees nobody
      CHECK(std::abs(y(start + 1, c) - x(start, c)) < 10 * tolerance);  // sees one token
    }
  }
}

TEST_CASE("block self-attention: reading from the other end swaps the directions") {
  Json document = structure("bi-blosa", knobs({{"block", 2}}));
  const Array plain = run_json(document).outputs.at("output");
  const auto turned = [](Array x) {
    for (std::size_t i = 0; i < x.rows() / 2; ++i)
      for (std::size_t c = 0; c < x.cols(); ++c) std::swap(x(i, c), x(x.rows() - 1 - i, c));
    return x;
  };
  document["inputs"]["x"] = to_json(turned(input(document, "x")));
  Json swapped = Json::object();
  for (const auto& [name, value] : document["parameters"].items()) {
    std::string other = name;
    other.replace(std::string("structure.").size(), 2, name.find(".fw.") < 20 ? "bw" : "fw");
    swapped[other] = value;
  }
  document["parameters"] = swapped;
  const Array back = turned(run_json(document).outputs.at("output"));
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(std::abs(back(i, c) - plain(i, (c + 3) % 6)) < 10 * tolerance);
}

TEST_CASE("block self-attention: blocks must divide the tokens, unless nobody said how long") {
  Json document = structure("mblosa");
  CHECK(run_json(document).outputs.at("inner.weights").shape ==
        Shape{6, 4, 4, 3});  // 48^(1/3) = 3.6
  for (const int block : {5, 25}) {
    document["mechanism"]["block"] = block;
    CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("must divide 24"), Error);
  }
  document["mechanism"]["block"] = 0;
  CHECK_THROWS_AS((void)run_json(document), Error);
}

TEST_CASE("universal: its first step is multi-head attention of rows with coordinates") {
  const Json document = structure("universal", knobs({{"steps", 1}}));
  const Ran ran = run_json(document);
  Array x = input(document, "x");
  Json plain = {{"schema", "attention-playground/1"},
                {"inputs", {{"x", to_json(x)}}},
                {"mechanism",
                 {{"type", "attention"},
                  {"query", "self-attention"},
                  {"position", {{"type", "pos-ut-coordinate"}, {"step", 1}}},
                  {"heads", "multi-head"}}}};
  for (const char* name : {"W_Q", "W_K", "W_V", "W_O"})
    plain["parameters"][std::string("heads.") + name] =
        document["parameters"][std::string("structure.") + name];
  CHECK(near(ran.outputs.at("weights.0"), run_json(plain).outputs.at("weights")));
}

TEST_CASE("transformer-xl: a segment with all before it as memory is the long causal text") {
  Json document = structure("transformer-xl");
  const Array x = input(document, "x"), memory = input(document, "memory");
  const Array seen = run_json(document).outputs.at("context");
  Array all({memory.rows() + x.rows(), x.cols()});
  std::copy(x.data.begin(), x.data.end(),
            std::copy(memory.data.begin(), memory.data.end(), all.data.begin()));
  document["inputs"] = {{"x", to_json(all)}};
  const Array whole = run_json(document).outputs.at("context");
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t c = 0; c < seen.cols(); ++c)
      CHECK(std::abs(whole(memory.rows() + i, c) - seen(i, c)) < 20 * tolerance);
}

TEST_CASE("gated transformer-xl: closed gates pass the input on") {
  Json document = structure("gtrxl", knobs({{"b_g", 500}}));
  CHECK(near(run_json(document).outputs.at("output"), input(document, "x")));
}

TEST_CASE("image transformer: one block over everything is causal attention") {
  const Json document = structure("image-transformer", knobs({{"l_q", 7}}));
  Array earlier({7, 7});
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j <= i; ++j) earlier(i, j) = 1;
  const Ran ran = run_json(document);
  CHECK(distance(ran.outputs.at("mask"), earlier) == 0);
  const Ran local = run_json(structure("image-transformer", knobs({{"l_q", 3}, {"l_m", 1}})));
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j < 7; ++j)
      CHECK(local.outputs.at("mask")(i, j) == (j <= i && j + 1 >= i - i % 3 ? 1 : 0));
}

TEST_CASE("adaptively sparse heads: between multi-head softmax and multi-head sparsemax") {
  Json document = structure("sparse-adaptive-entmax");
  for (const auto& [gamma, alignment] : {std::pair{-700., "softmax"}, {700., "sparsemax"}}) {
    parameter(document, "gamma") = to_json(Array({4}, gamma));
    Json plain = document;
    plain["mechanism"] = {{"type", "attention"}, {"heads", "multi-head"}, {"alignment", alignment}};
    plain["parameters"] = Json::object();
    for (const char* name : {"W_Q", "W_K", "W_V", "W_O"})
      plain["parameters"][std::string("heads.") + name] =
          document["parameters"][std::string("structure.") + name];
    const Ran a = run_json(document), b = run_json(plain);
    CHECK(near(a.outputs.at("weights"), b.outputs.at("weights")));
    CHECK(near(a.outputs.at("context"), b.outputs.at("context")));
  }
}

TEST_CASE("glance and gaze: stride 1 without a kernel is full attention") {
  Json document = structure("glance-gaze", knobs({{"stride", 1}}));
  parameter(document, "kernel") = to_json(Array({3, 3}));
  const Ran full = attend("scaled-dot", input(document, "query"), input(document, "key"),
                          input(document, "value"));
  CHECK(near(run_json(document).outputs.at("context"), full.outputs.at("context")));
}

TEST_CASE("word-vector elimination: everybody kept is attention, and significances add up to n") {
  Json document = structure("power-bert", knobs({{"keep", 16}}));
  const Ran all = run_json(document);
  CHECK(distance(all.outputs.at("output"), all.outputs.at("context")) == 0);
  double sum = 0;
  for (const double share : all.outputs.at("significance").data) sum += share;
  CHECK(std::abs(sum - 16) < 10 * tolerance);
  document["mechanism"]["keep"] = 17;
  CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("at most 16"), Error);
}

TEST_CASE(
    "bipartite attention: with duplex a latent's centroid is its key, and its value is itself") {
  Json document = structure("ganformer-bipartite", knobs({{"k", 1}, {"duplex", true}}));
  const Ran ran = run_json(document);
  const Array& seen = ran.outputs.at("attended");  // of one latent: its value
  for (std::size_t i = 0; i < seen.rows(); ++i)
    CHECK(near(Array(Tensor{{6}, seen.row(i)}),
               Array(Tensor{{6}, ran.parameters.at("structure.Y").row(0)})));
  CHECK(!near(ran.outputs.at("state"), ran.parameters.at("structure.Y")));
}

TEST_CASE("bipartite attention: latents without effect leave the rows normalised") {
  Json document = structure("ganformer-bipartite");
  for (const char* name : {"W_gamma", "W_beta"}) parameter(document, name) = to_json(Array({6, 6}));
  parameter(document, "b_gamma") = to_json(Array({6}, 1));
  parameter(document, "b_beta") = to_json(Array({6}));
  const Array out = run_json(document).outputs.at("output"), x = input(document, "x");
  for (std::size_t i = 0; i < out.rows(); ++i) {
    double mean = 0, squares = 0;
    for (const double number : out.row(i)) mean += number / 6;
    for (const double number : out.row(i)) squares += number * number / 6;
    CHECK(std::abs(mean) < 10 * tolerance);
    CHECK(squares == doctest::Approx(1).epsilon(1e-3));
  }
}

TEST_CASE("cross transformer: an image finds itself, so that nothing of it is left over") {
  Json document = structure("cross-transformer");
  const Array x = input(document, "query");
  Array sharp = identity(6);
  for (double& number : sharp.data) number *= 40;
  parameter(document, "W_K") = to_json(sharp);
  document["inputs"]["support"] = to_json(x);
  Array unit = x;  // of equal length, so that each is nearest to itself
  for (std::size_t i = 0; i < unit.rows(); ++i) {
    const double length = std::sqrt(inner(x.row(i), x.row(i)));
    for (std::size_t c = 0; c < unit.cols(); ++c) unit(i, c) /= length;
  }
  document["inputs"]["query"] = document["inputs"]["support"] = to_json(unit);
  CHECK(run_json(document).outputs.at("output")() < 1e-6);
  document["inputs"]["support"] = to_json(rotated_rows(unit, 1));  // the order does not matter
  CHECK(run_json(document).outputs.at("output")() < 1e-6);
}

TEST_CASE("reversible layer: run backwards it gives its inputs back") {
  Json document = structure("reversible-residual");
  const Ran there = run_json(document);
  const Array x1 = input(document, "x1"), x2 = input(document, "x2");
  document["inputs"] = {{"x1", to_json(there.outputs.at("output1"))},
                        {"x2", to_json(there.outputs.at("output2"))}};
  document["mechanism"]["inverse"] = true;
  const Ran back = run_json(document);
  CHECK(near(back.outputs.at("output1"), x1));
  CHECK(near(back.outputs.at("output2"), x2));
}

TEST_CASE("pooling of tokens: windows of one pool nothing, and windows must fit") {
  Json document = structure("cross-covariance-free-hvt", knobs({{"pool", 1}, {"stride", 1}}));
  const Ran ran = run_json(document);
  CHECK(distance(ran.outputs.at("output"), ran.outputs.at("context")) == 0);
  document["mechanism"]["pool"] = 6;
  CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("at most 5"), Error);
}

TEST_CASE(
    "deformable: one point without an offset is the value there, and outside there is nothing") {
  Json document = structure("deformable", knobs({{"K", 1}, {"count", 1}}));
  parameter(document, "offsets") = to_json(Array({3, 1, 1, 2}));
  Array maps({1, 2, 2});
  maps.data = {1, 0, 0, 1};
  parameter(document, "W_V") = to_json(maps);
  parameter(document, "W_O") = to_json(identity(2));
  parameter(document, "logits") = to_json(Array({3, 1, 1}, .7));
  Array points({3, 2});
  points.data = {2, 1, 1.5, 0, -1, 7};
  document["inputs"]["points"] = to_json(points);
  const Array out = run_json(document).outputs.at("output"), image = input(document, "image");
  for (std::size_t c = 0; c < 2; ++c) {
    CHECK(std::abs(out(0, c) - image(2, 1, c)) < tolerance);
    CHECK(std::abs(out(1, c) - (image(1, 0, c) + image(2, 0, c)) / 2) < tolerance);
    CHECK(out(2, c) == 0);
  }
}

TEST_CASE("stand-alone attention: a square of one place is the map of values") {
  Json document = structure("standalone-local", knobs({{"k", 1}}));
  const Ran ran = run_json(document);
  const Array x = reshaped(input(document, "image"), {12, 2});
  CHECK(near(reshaped(ran.outputs.at("output"), {12, 2}),
             product(x, ran.parameters.at("structure.W_V"))));
  Json even = example_document(*find_mechanism(Kind::structure, "standalone-local"));
  even["mechanism"]["k"] = 4;
  CHECK_THROWS_WITH_AS((void)run_json(even), doctest::Contains("odd"), Error);
}

TEST_CASE("attention augmented convolution: without attention it is a convolution") {
  Json document = structure("attention-augmented-conv");
  parameter(document, "W_O") = to_json(Array({2, 2}));
  const Ran ran = run_json(document);
  const Array &all = ran.outputs.at("output"), &seen = ran.outputs.at("convolved");
  REQUIRE(all.shape == Shape{3, 4, 4});
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(all.data[i * 4 + c] == seen.data[i * 2 + c]);
      CHECK(all.data[i * 4 + 2 + c] == 0);
    }
  }
}

TEST_CASE("eXtra hop: a document without links gets nothing, and links are a table of 0 and 1") {
  Json document = structure("transformer-xh");
  const Ran ran = run_json(document);
  for (std::size_t c = 0; c < 3; ++c) CHECK(ran.outputs.at("context")(2, c) == 0);
  document["mechanism"]["adjacency"] = {{1, 0}, {0, 1}};
  CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("[4 4]"), Error);
  Array half({4, 4}, .5);
  Json rows = Json::array();
  for (std::size_t i = 0; i < 4; ++i) rows.push_back(half.row(i));
  document["mechanism"]["adjacency"] = rows;
  CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("0 or 1"), Error);
}

TEST_CASE("a map of places says how many it serves when there are more") {
  for (const char* id : {"synthesizer-dense", "synthesizer-random", "synthesizer-mix"}) {
    CAPTURE(id);
    Json document = example_document(*find_mechanism(Kind::structure, id));
    document["mechanism"]["N"] = 4;
    CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("at least 5"), Error);
  }
}

}  // namespace attend::testing::efficient_blocks_test
