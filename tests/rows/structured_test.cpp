// SPDX-License-Identifier: Apache-2.0
// Alignments with structure (chain, tree), with caps, and on a tape: what the catalogue says of
// them, on energies that are given.
#include <cmath>
#include <doctest/doctest.h>

#include "ops/random.h"
#include "tests/experiment/harness.h"
#include "tests/rows/energies.h"

namespace attend::testing::structured_test {

TEST_CASE("a chain without transitions is the logistic function, whatever the mask") {
  for (const Json& mask : masks(3, 12)) {
    const Array e = normal({3, 12}, 1, 2);
    Json document = on_energies(e, R"({"type": "structured-chain"})", mask);
    document["parameters"]["alignment.T"] = {{0.0, 0.0}, {0.0, 0.0}};
    const Array a = run_json(document).outputs.at("weights");
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      const double expected = allows(mask, i) ? 1 / (1 + std::exp(-e.data[i])) : 0;
      CHECK(std::abs(a.data[i] - expected) < tolerance);
    }
  }
}

TEST_CASE("a chain of up to 12 keys equals the sum over all assignments") {
  const Mechanism& chain = *find_mechanism(Kind::alignment, "structured-chain");
  for (const std::size_t n : {1, 2, 7, 12}) {
    for (const Json& mask : masks(2, n)) {
      Json document = on_energies(normal({2, n}, n, 3), R"({"type": "structured-chain"})", mask);
      document = with_parameters(document, n);
      CHECK(off_reference(chain, document) < tolerance);
    }
  }
}

TEST_CASE("a long chain equals plain forward and backward sums of probabilities") {
  constexpr std::size_t n = 1024;
  const Array e = normal({1, n}, 4, 1), T = normal({2, 2}, 5, 1);
  Json document = on_energies(e, R"({"type": "structured-chain"})", Json());
  document["parameters"]["alignment.T"] = to_json(T);
  document["gradient"] = {{"of", "weights"}};
  const Ran ran = run_json(document);
  std::vector<std::array<double, 2>> alpha(n), beta(n);
  const auto scaled = [](std::array<double, 2> x) {
    return std::array<double, 2>{x[0] / (x[0] + x[1]), x[1] / (x[0] + x[1])};
  };
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t z = 0; z < 2; ++z) {
      double in = j == 0 ? 1 : 0;
      for (std::size_t y = 0; y < 2 && j > 0; ++y) in += alpha[j - 1][y] * std::exp(T(y, z));
      alpha[j][z] = in * (z == 1 ? std::exp(e(j)) : 1);
    }
    alpha[j] = scaled(alpha[j]);
  }
  beta[n - 1] = {1, 1};
  for (std::size_t j = n - 1; j-- > 0;) {
    for (std::size_t z = 0; z < 2; ++z) {
      for (std::size_t y = 0; y < 2; ++y)
        beta[j][z] += std::exp(T(z, y)) * (y == 1 ? std::exp(e(j + 1)) : 1) * beta[j + 1][y];
    }
    beta[j] = scaled(beta[j]);
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double on = alpha[j][1] * beta[j][1], off = alpha[j][0] * beta[j][0];
    CHECK(std::abs(ran.outputs.at("weights")(j) - on / (on + off)) < tolerance);
  }
}

TEST_CASE("a chain that favours equal labels is smoother") {
  const auto roughness = [](double favour) {
    Json document = on_energies(normal({4, 20}, 6, 2), R"({"type": "structured-chain"})", Json());
    document["parameters"]["alignment.T"] = {{favour, 0.0}, {0.0, favour}};
    const Array a = run_json(document).outputs.at("weights");
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 1; j < 20; ++j) sum += std::abs(a(i, j) - a(i, j - 1));
    return sum;
  };
  CHECK(roughness(1) < roughness(0));
  CHECK(roughness(3) < 0.7 * roughness(0));
}

TEST_CASE("a normalised chain sums to 1 over the allowed keys") {
  for (const Json& mask : masks(3, 6)) {
    Json document = on_energies(normal({3, 6}, 7, 1),
                                R"({"type": "structured-chain", "normalise": true})", mask);
    const Array a = run_json(document).outputs.at("weights");
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 6; ++j) sum += a(i, j);
      CHECK(std::abs(sum - (any_allowed(mask, i) ? 1 : 0)) < tolerance);
    }
  }
}

namespace {

// Whether heads (head[i] = i: the root) form a tree whose arcs do not cross, the root on the left.
bool projective(const std::vector<std::size_t>& head) {
  const auto n = static_cast<long>(head.size());
  const auto arc = [&](long i) {
    const long j = static_cast<long>(head[static_cast<std::size_t>(i)]);
    return std::pair{j == i ? -1 : std::min(i, j), std::max(i, j)};
  };
  for (long i = 0; i < n; ++i) {
    auto at = static_cast<std::size_t>(i);
    for (long step = 0; step < n; ++step) at = head[at];
    if (head[at] != at) return false;  // a cycle
    for (long k = 0; k < n; ++k) {
      const auto [a, b] = arc(i);
      const auto [c, d] = arc(k);
      if (a < c && c < b && b < d) return false;
    }
  }
  return true;
}

Array over_all_trees(const Array& e, const Json& mask, std::size_t& trees) {
  const std::size_t n = e.rows();
  Array weights({n, n});
  double total = 0;
  trees = 0;
  std::vector<std::size_t> head(n, 0);
  for (bool more = true; more;) {
    double energy = 0;
    bool allowed = projective(head);
    trees += allowed ? 1 : 0;
    for (std::size_t i = 0; i < n; ++i) {
      energy += e(i, head[i]);
      allowed = allowed && allows(mask, i * n + head[i]);
    }
    const double p = allowed ? std::exp(energy) : 0;
    total += p;
    for (std::size_t i = 0; i < n; ++i) weights(i, head[i]) += p;
    more = false;
    for (std::size_t i = 0; i < n && !more; ++i) {
      head[i] = (head[i] + 1) % n;
      more = head[i] != 0;
    }
  }
  for (double& w : weights.data) w = total > 0 ? w / total : 0;
  return weights;
}

}  // namespace

TEST_CASE("the weights of a tree are those of all projective trees, one by one") {
  const std::vector<std::size_t> known{1, 3, 12, 55, 273};  // trees of 1 to 5 tokens
  for (std::size_t n = 1; n <= 5; ++n) {
    for (const Json& mask : masks(n, n)) {
      const Array e = normal({n, n}, n, 2);
      std::size_t trees = 0;
      const Array expected = over_all_trees(e, mask, trees);
      CHECK(trees == known[n - 1]);
      const Ran ran = run_json(on_energies(e, R"({"type": "structured-tree"})", mask));
      CHECK(distance(ran.outputs.at("weights"), expected) < tolerance);
    }
  }
}

TEST_CASE("in a tree every token has exactly one head, however long the sentence") {
  for (const std::size_t n : {8, 32, 64}) {
    for (const double size : {1.0, 1e4}) {
      const Json document =
          on_energies(normal({n, n}, n, size), R"({"type": "structured-tree"})", causal_rows(n));
      const Array a = run_json(document).outputs.at("weights");
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += a(i, j);
        CHECK(std::abs(sum - 1) < 50 * tolerance);
        for (std::size_t j = i + 1; j < n; ++j) CHECK(a(i, j) == 0);
      }
    }
  }
}

TEST_CASE("a longer tree equals the loops over spans") {
  const Mechanism& tree = *find_mechanism(Kind::alignment, "structured-tree");
  for (const Json& mask : {Json(), causal_rows(9)})
    CHECK(off_reference(tree, on_energies(normal({9, 9}, 3, 2), R"({"type": "structured-tree"})",
                                          mask)) < tolerance);
}

TEST_CASE("without a tree that the mask allows, or with another number of queries") {
  const Json alignment = Json::parse(R"({"type": "structured-tree"})");
  Json no_root = Json::parse("[[0,1,1],[1,0,1],[1,1,0]]");  // nothing may hang on the root
  const Ran ran = run_json(on_energies(normal({3, 3}, 1, 1), alignment.dump(), no_root));
  for (const double w : ran.outputs.at("weights").data) CHECK(w == 0);
  CHECK(ran.warnings.size() == 3);
  CHECK_THROWS_WITH_AS(run_json(on_energies(normal({2, 3}, 1, 1), alignment.dump(), Json())),
                       doctest::Contains("found 2 and 3"), Error);
}

TEST_CASE("on the tape: content alone, a turn by one place, and rows that sum to 1") {
  const std::size_t m = 3, n = 6;
  const Array e = normal({m, n}, 9, 2);
  const auto at = [&](double g, const Json& shift, double gamma, const Json& mask) {
    Json document = on_energies(e, R"({"type": "ntm-addressing"})", mask);
    document["parameters"] = {{"alignment.g", Json::array({g, g, g})},
                              {"alignment.gamma", Json::array({gamma, gamma, gamma})},
                              {"alignment.shift", Json::array({shift, shift, shift})}};
    return run_json(document).outputs.at("weights");
  };
  const Json stay{0.0, 1.0, 0.0}, right{0.0, 0.0, 1.0}, left{1.0, 0.0, 0.0}, mix{.2, .5, .3};
  const Array soft =
      run_json(on_energies(e, R"({"type": "softmax"})", Json())).outputs.at("weights");
  CHECK(distance(at(1, stay, 1, Json()), soft) < tolerance);
  const Array turned = at(1, right, 1, Json()), back = at(1, left, 1, Json()),
              follow = at(0, right, 1, Json()), sharp = at(1, stay, 30, Json());
  for (std::size_t t = 0; t < m; ++t) {
    for (std::size_t j = 0; j < n; ++j) {
      CHECK(std::abs(turned(t, (j + 1) % n) - soft(t, j)) < tolerance);
      CHECK(std::abs(back(t, j) - soft(t, (j + 1) % n)) < tolerance);
      CHECK(follow(t, j) == (j == t + 1 ? 1 : 0));  // from place 0, one step a row
      if (soft(t, j) < 0.1) CHECK(sharp(t, j) < soft(t, j));
    }
  }
  for (const Json& mask : {Json(), masks(m, n)[1]}) {
    const Array a = at(.6, mix, 2, mask);
    for (std::size_t t = 0; t < m; ++t) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += a(t, j);
      CHECK(std::abs(sum - 1) < tolerance);
    }
  }
}

}  // namespace attend::testing::structured_test
