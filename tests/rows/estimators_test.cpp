// SPDX-License-Identifier: Apache-2.0
// Gradient estimators of drawn alignments. Many equal rows are many draws, each with a gradient of
// its own: their mean is compared with the exact gradient of the expected context, within standard
// errors.
#include <cmath>

#include "tests/rows/alignment_case.h"

namespace attend::testing::estimators_test {
namespace {

constexpr std::size_t draws = 20000;
const Row scores{0.5, -1, 1.25, 0};

Case many(const Json& alignment, std::size_t rows = draws) {
  Case one{Array({rows, 4}), alignment};
  for (std::size_t i = 0; i < one.energy.data.size(); ++i) one.energy.data[i] = scores[i % 4];
  one.gradient_of = "context";
  one.cotangent = Array({rows, 2});
  for (std::size_t i = 0; i < one.cotangent.data.size(); ++i)
    one.cotangent.data[i] = i % 2 == 0 ? 1 : -0.5;
  return one;
}

// v of the objective: value times cotangent.
Row worth() {
  const Array v = many("softmax", 1).values();
  Row list;
  for (std::size_t j = 0; j < 4; ++j) list.push_back(v(j, 0) - 0.5 * v(j, 1));
  return list;
}

// Exact slopes of an expectation, by central differences of its sum over all outcomes.
template <class Expected>
Row slopes(Expected expected) {
  Row list;
  for (std::size_t j = 0; j < 4; ++j) {
    Row above = scores, below = scores;
    above[j] += 1e-6;
    below[j] -= 1e-6;
    list.push_back((expected(above) - expected(below)) / 2e-6);
  }
  return list;
}

double expected_draw(const Row& e) {
  return inner(soft(e, [](auto) { return true; }), worth());
}

double expected_subset(const Row& e) {  // over all 16 subsets
  double total = 0;
  for (std::size_t subset = 1; subset < 16; ++subset) {
    double chance = 1;
    for (std::size_t j = 0; j < 4; ++j)
      chance *= activate("sigmoid", (subset >> j & 1) != 0 ? e[j] : -e[j]);
    total +=
        chance * inner(soft(e, [&](std::size_t j) { return (subset >> j & 1) != 0; }), worth());
  }
  return total;
}

struct Moments {
  Row mean = Row(4, 0), error = Row(4, 0);  // standard error of the mean
  double spread = 0;
};

Moments moments(const Case& one) {
  const Array g = one.run().gradients.at("inputs.energy");
  const auto count = static_cast<double>(g.rows());
  Moments result;
  for (std::size_t j = 0; j < 4; ++j) {
    double square = 0;
    for (std::size_t i = 0; i < g.rows(); ++i) {
      result.mean[j] += g(i, j) / count;
      square += g(i, j) * g(i, j) / count;
    }
    const double variance = square - result.mean[j] * result.mean[j];
    result.spread += variance;
    result.error[j] = std::sqrt(std::max(0., variance) / count);
  }
  return result;
}

void check_unbiased(const Json& alignment, const Row& exact) {
  const Moments found = moments(many(alignment));
  for (std::size_t j = 0; j < 4; ++j) {
    CAPTURE(alignment.dump());
    CAPTURE(j);
    CAPTURE(found.mean[j]);
    CAPTURE(exact[j]);
    CAPTURE(found.error[j]);
    CHECK(std::abs(found.mean[j] - exact[j]) < 4 * found.error[j] + 1e-5);
    CHECK(found.error[j] < 0.05);  // the comparison says something
  }
}

Json sampled(const char* estimator, int samples) {
  return with("hard-sample", {{"estimator", estimator}, {"samples", samples}});
}

}  // namespace

TEST_CASE("estimators of the drawn key are unbiased, one draw or three") {
  const Row exact = slopes(expected_draw);
  for (const char* estimator : {"reinforce", "reinforce-baseline", "straight-through"}) {
    for (const int samples : {1, 3}) check_unbiased(sampled(estimator, samples), exact);
  }
  const double plain = moments(many(sampled("reinforce", 1))).spread;
  CHECK(moments(many(sampled("reinforce-baseline", 1))).spread < plain);
}

TEST_CASE("REINFORCE of picked subsets is unbiased, and without it the choice has no gradient") {
  const Row exact = slopes(expected_subset);
  const auto policy = [](const char* estimator) {
    return with("reinforced-alignment", {{"policy", "scores"}, {"estimator", estimator}});
  };
  check_unbiased(policy("reinforce"), exact);
  const Moments silent = moments(many(policy("none")));
  bool biased = false;
  for (std::size_t j = 0; j < 4; ++j)
    biased = biased || std::abs(silent.mean[j] - exact[j]) > 10 * silent.error[j];
  CHECK(biased);
}

TEST_CASE("estimators leave the result as it is, and straight-through has the softmax's gradient") {
  const Array soft = many("softmax", 50).run().gradients.at("inputs.energy");
  for (const char* id : {"hard-sample", "hard-argmax", "reinforced-alignment"}) {
    Json knobs = Json::object();
    if (id[0] == 'r') knobs["policy"] = "scores";
    const Ran plain = many(with(id, knobs), 50).run();
    for (const Knob& knob : find_mechanism(Kind::alignment, id)->knobs) {
      for (const std::string_view estimator : knob.choices) {
        if (knob.name != "estimator") continue;
        knobs["estimator"] = std::string(estimator);
        CAPTURE(id);
        CAPTURE(estimator);
        const Ran ran = many(with(id, knobs), 50).run();
        CHECK(distance(ran.outputs.at("weights"), plain.outputs.at("weights")) == 0);
        const Array& slope = ran.gradients.at("inputs.energy");
        if (estimator == "straight-through") CHECK(distance(slope, soft) < tolerance);
        if (estimator == "none" && id[0] == 'h') CHECK(distance(slope, Array(slope.shape)) == 0);
      }
    }
  }
}

TEST_CASE("masked rows have no gradient from the draw") {
  for (const char* estimator : {"reinforce", "reinforce-baseline", "straight-through"}) {
    Case one = many(sampled(estimator, 2), 3);
    one.mask = Array({3, 4}, 1);
    for (std::size_t j = 0; j < 4; ++j) one.mask(1, j) = 0;
    const Array slope = one.run().gradients.at("inputs.energy");
    for (std::size_t j = 0; j < 4; ++j) CHECK(slope(1, j) == 0);
    for (const double x : slope.data) CHECK(std::isfinite(x));
  }
}

}  // namespace attend::testing::estimators_test
