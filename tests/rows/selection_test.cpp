// SPDX-License-Identifier: Apache-2.0
// Structures that choose where to look: DRAW's grid of Gaussians, and reinforced self-attention.
#include <cmath>
#include <doctest/doctest.h>

#include "tests/experiment/harness.h"
#include "tests/rows/energies.h"

namespace attend::testing::selection_test {
namespace {

// The grid with its five numbers given: h = [1], W = the numbers.
Ran grid(const Array& image, std::size_t N, const std::vector<double>& five) {
  Json document{{"schema", "attention-playground/1"}, {"seed", 1}};
  document["inputs"] = {{"image", to_json(image)}, {"h", to_json(Array({1, 1}, 1))}};
  document["mechanism"] = {{"type", "selective-gaussian-grid"}, {"N", N}};
  document["parameters"] = {{"structure.W", Json::array({five})}};
  return run_json(document);
}

Json resa(std::size_t n, std::size_t d, std::uint64_t seed) {
  Json document{{"schema", "attention-playground/1"}, {"seed", seed}};
  document["inputs"] = {{"x", to_json(normal({n, d}, 41, 1))}};
  document["mechanism"] = {{"type", "resa"}};
  document["parameters"] = Json::object();
  return document;
}

}  // namespace

TEST_CASE("rows of the grid's filters sum to 1, however narrow or wide") {
  const Array image = normal({6, 7}, 42, 1);
  for (const std::size_t N : {1, 2, 5, 12}) {
    for (const double log_variance : {-400.0, -3.0, 0.0, 9.0}) {
      const Ran ran = grid(image, N, {.3, -.4, log_variance, -.5, .2});
      for (const char* name : {"filter_x", "filter_y"}) {
        const Array& filter = ran.outputs.at(name);
        REQUIRE(filter.shape == Shape{N, std::string(name) == "filter_x" ? 7U : 6U});
        for (std::size_t i = 0; i < N; ++i) {
          double sum = 0;
          for (const double x : filter.row(i)) sum += x;
          CHECK(std::abs(sum - 1) < tolerance);
        }
      }
    }
  }
}

TEST_CASE("as many points as pixels, one apart, centred and sharp, read the image itself") {
  for (const std::size_t size : {1, 4, 5}) {
    const Array image = normal({size, size}, 43, 1);
    CHECK(distance(grid(image, size, {0, 0, -12, 0, 0}).outputs.at("patch"), image) < tolerance);
    Array twice = image;
    for (double& x : twice.data) x *= 2;
    CHECK(distance(grid(image, size, {0, 0, -12, 0, std::log(2.0)}).outputs.at("patch"), twice) <
          tolerance);
  }
}

TEST_CASE("a grid of one point is one soft point, and its spacing means nothing") {
  Array image({3, 5});
  image(1, 3) = 1;  // row 2, column 4, counted from 1: g = (size + 1)(c + 1) / 2
  const std::vector<double> there{4 * 2 / 6.0 - 1, 2 * 2 / 4.0 - 1, -12, 5, 0};
  CHECK(grid(image, 1, there).outputs.at("patch")(0) == doctest::Approx(1));
  std::vector<double> soft = there;
  soft[2] = 0;
  const double read = grid(image, 1, soft).outputs.at("patch")(0);
  const auto share = [](int left, int right) {  // of a Gaussian's middle pixel
    double total = 0;
    for (int i = -left; i <= right; ++i) total += std::exp(-i * i / 2.0);
    return 1 / total;
  };
  CHECK(read == doctest::Approx(share(3, 1) * share(1, 1)));
}

TEST_CASE("with every token kept, reinforced self-attention attends to all others") {
  const std::size_t n = 5, d = 3;
  Json document = resa(n, d, 2);
  document["parameters"]["structure.z_h"] =
      document["parameters"]["structure.z_d"] = {1, 1, 1, 1, 1};
  for (const char* direction : {"none", "fw", "bw"}) {
    document["mechanism"]["direction"] = direction;
    const Ran ran = run_json(document);
    const Array &e = ran.outputs.at("scores"), &a = ran.outputs.at("weights");
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < d; ++c) {
        const auto open = [&](std::size_t j) {
          return direction[0] == 'f' ? j < i : direction[0] == 'b' ? j > i : j != i;
        };
        Row column(n);
        for (std::size_t j = 0; j < n; ++j) column[j] = e(i, j, c);
        const Row expected = soft(column, open);
        for (std::size_t j = 0; j < n; ++j) CHECK(std::abs(a(i, j, c) - expected[j]) < tolerance);
      }
    }
  }
}

TEST_CASE("weights lie only where head and dependent are kept, and a dropped head keeps f * x") {
  const std::size_t n = 4, d = 2;
  Json document = resa(n, d, 3);
  const std::vector<int> head{1, 0, 1, 0}, dependent{1, 1, 0, 1};
  document["parameters"]["structure.z_h"] = head;
  document["parameters"]["structure.z_d"] = dependent;
  for (const bool keep : {false, true}) {
    document["mechanism"]["keep-unselected"] = keep;
    const Ran ran = run_json(document);
    const Array x = normal({n, d}, 41, 1);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const bool both = i != j && head[i] == 1 && dependent[j] == 1;
        CHECK(ran.outputs.at("mask")(i, j) == (both ? 1 : 0));
        const bool shared = keep && head[i] == 0 && i != j && dependent[j] == 1;
        for (std::size_t c = 0; c < d; ++c) {
          CHECK((ran.outputs.at("weights")(i, j, c) > 0) == (both || shared));
          if (shared) CHECK(ran.outputs.at("weights")(i, j, c) == doctest::Approx(.5));
        }
      }
      for (std::size_t c = 0; c < d && head[i] == 0 && !keep; ++c) {
        CHECK(ran.outputs.at("context")(i, c) == 0);
        CHECK(std::abs(ran.outputs.at("output")(i, c) - ran.outputs.at("gate")(i, c) * x(i, c)) <
              tolerance);
      }
    }
  }
}

TEST_CASE("drawn selections keep a pair as often as the two probabilities say") {
  const std::size_t n = 4, seeds = 600;
  Array kept({n, n});
  Ran ran;
  Json document = resa(n, 3, 1);
  for (const char* side : {"h", "d"})  // the networks stay as they are, only the draws change
    for (const char* name : {"W1_", "b1_", "w_", "b_"}) {
      const std::string key = std::string("structure.") + name + side;
      document["parameters"][key] = to_json(run_json(resa(n, 3, 1)).parameters.at(key));
    }
  for (std::size_t seed = 1; seed <= seeds; ++seed) {
    document["seed"] = seed;
    ran = run_json(document);
    for (std::size_t i = 0; i < kept.data.size(); ++i)
      kept.data[i] += ran.outputs.at("mask").data[i] / static_cast<double>(seeds);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double p =
          i == j ? 0 : ran.outputs.at("probability_h")(i) * ran.outputs.at("probability_d")(j);
      const double spread = std::sqrt(p * (1 - p) / static_cast<double>(seeds));
      CHECK(std::abs(kept(i, j) - p) <= 4 * spread);
    }
  }
}

#ifdef ATTEND_DOUBLE
TEST_CASE(
    "with the choice given, the gradient of reinforced self-attention is that of its formula") {
  Json document = resa(4, 3, 5);
  document["parameters"]["structure.z_h"] = {1, 0, 1, 1};
  document["parameters"]["structure.z_d"] = {1, 1, 0, 1};
  CHECK(off_slope(document, "output") < 1e-6);
  CHECK(off_slope(document, "probability_h") < 1e-6);
}
#endif

}  // namespace attend::testing::selection_test
