// SPDX-License-Identifier: Apache-2.0
// The catalogue's statements about each alignment: limits, equalities with others, bounds.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/each.h"
#include "tests/rows/alignment_case.h"

namespace attend::testing::alignment_test {
namespace {

const Array energy = Case::noise({6, 6}, 2, "e");
const Array wide_energy = Case::noise({4, 7}, 3, "w");

void check_equal(const Case& a, const Case& b, double within = tolerance) {
  CAPTURE(a.alignment.dump());
  CAPTURE(b.alignment.dump());
  CHECK(distance(a.weights(), b.weights()) < within);
}

void check_sums(const Array& weights, double within = 10 * tolerance) {
  for (std::size_t i = 0; i < weights.rows(); ++i)
    CHECK(std::abs(sum_of(weights.row(i)) - 1) < within);
}

std::size_t zeros_in(const Array& weights) {
  return static_cast<std::size_t>(std::count(weights.data.begin(), weights.data.end(), 0.0));
}

// Parameters of the rows that predict a position: d = 2, one hidden unit.
Json position(double width, double out) { return {{"W_p", {{width}, {-width}}}, {"w_p", {out}}}; }

Mechanisms every_probability() {
  Mechanisms list = every_alignment();
  std::erase_if(list, [](const Mechanism* one) { return !one->laws.rows_sum_to_one; });
  return list;
}

}  // namespace

TEST_CASE("alignments that do not read positions are shift invariant, or elementwise") {
  for (const char* id : {"softmax", "softmax-temperature", "sparsemax", "alpha-entmax", "uniform",
                         "hard-argmax", "sinkhorn-normalise"}) {
    check_equal({energy, id}, {scaled(energy, 1, 64), id}, 1e3 * tolerance);
  }
  const Array plain = Case{energy, "sigmoid"}.weights();
  Array moved = energy;
  moved(2, 3) += 5;
  const Array after = Case{moved, "sigmoid"}.weights();
  for (std::size_t i = 0; i < plain.data.size(); ++i)
    CHECK((after.data[i] == plain.data[i]) == (i != 2 * 6 + 3));
}

TEST_CASE("softmax is positive and keeps the order") {
  const Array weights = Case{wide_energy, "softmax"}.weights();
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    for (std::size_t j = 0; j < weights.cols(); ++j) {
      CHECK(weights(i, j) > 0);
      for (std::size_t l = 0; l < weights.cols(); ++l)
        if (wide_energy(i, j) > wide_energy(i, l)) CHECK(weights(i, j) > weights(i, l));
    }
  }
}

const Each one_key("gives one key all the weight", every_probability,
                   [](const Mechanism& alignment) {
                     const Array one = Case{Array({1, 1}, -7), std::string(alignment.id)}.weights();
                     for (const double weight : one.data) CHECK(std::abs(weight - 1) < tolerance);
                   });

TEST_CASE("temperature: 1 is softmax, hot is uniform, cold is argmax with ties shared") {
  const auto at = [](double t) { return with("softmax-temperature", {{"temperature", t}}); };
  check_equal({energy, at(1)}, {energy, "softmax"});
  check_equal({energy, at(1e12)}, {energy, "uniform"});
  Array tied = energy;
  tied(1, 0) = tied(1, 4) = 9;
  const Array cold = Case{tied, at(1e-9)}.weights(), hard = Case{tied, "hard-argmax"}.weights();
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j)
      CHECK(cold(i, j) == (i == 1 ? (j == 0 || j == 4 ? 0.5 : 0) : hard(i, j)));
  }
  check_equal({energy, with("adaptive-temperature", {{"lambda", 1}})}, {energy, "softmax"});
  const Json none{{"W", {0, 0}}, {"U", {0, 0}}};
  check_equal({energy, "adaptive-temperature", none}, {energy, "softmax"});
}

TEST_CASE("adaptive temperatures lie between 1/lambda and lambda") {
  const Json strong{{"W", {5, -4}}, {"U", {3, -6}}};
  const Array energies = scaled(energy, 0.125);
  const Array weights =
      Case{energies, with("adaptive-temperature", {{"lambda", 3}}), strong}.weights();
  for (std::size_t i = 0; i < 6; ++i) {
    const double tau = (energies(i, 0) - energies(i, 1)) / std::log(weights(i, 0) / weights(i, 1));
    CHECK(tau > (1 - 1e-3) / 3);
    CHECK(tau < (1 + 1e-3) * 3);
  }
}

TEST_CASE("hard: one key a row, the best one whatever rises with the scores, repeatable draws") {
  Array cubed = energy;
  for (double& x : cubed.data) x = x * x * x + x;
  check_equal({energy, "hard-argmax"}, {cubed, "hard-argmax"}, 1e-300);
  for (const char* id : {"hard-argmax", "hard-sample"}) {
    const Array weights = Case{energy, id}.weights();
    CHECK(zeros_in(weights) == 30);
    check_sums(weights, 1e-300);
  }
  check_equal({energy, "hard-sample"}, {energy, "hard-sample"}, 1e-300);
  CHECK(best_of(Case{Array({1, 3}, 2), "hard-argmax"}.weights().row(0)) == 0);
}

TEST_CASE("the mean of many draws nears the soft context as the root of their number") {
  const Ran soft = Case{energy, "softmax"}.run();
  for (const int samples : {100, 10000}) {
    const Ran hard = Case{energy, with("hard-sample", {{"samples", samples}})}.run();
    const Array &p = soft.outputs.at("weights"), &c = hard.outputs.at("context");
    const Array value = Case{energy, ""}.values();
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t d = 0; d < 2; ++d) {
        double variance = 0;
        for (std::size_t j = 0; j < 6; ++j)
          variance += p(i, j) * std::pow(value(j, d) - soft.outputs.at("context")(i, d), 2);
        CHECK(std::abs(c(i, d) - soft.outputs.at("context")(i, d)) <
              4 * std::sqrt(variance / samples));
      }
    }
  }
}

TEST_CASE("local windows: zeros outside, softmax when wide, the identity when nothing else is in") {
  const Array near = Case{energy, with("local-monotonic", {{"D", 1}})}.weights();
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) CHECK((near(i, j) > 0) == (i <= j + 1 && j <= i + 1));
  }
  check_equal({energy, with("local-monotonic", {{"D", 6}})}, {energy, "softmax"});
  const Array alone = Case{energy, with("local-monotonic", {{"D", 0}})}.weights();
  for (std::size_t i = 0; i < 6; ++i) CHECK(alone(i, i) == 1);

  const auto predict = [](double D, bool gaussian, bool renormalise) {
    return with("local-predictive",
                {{"D", D}, {"gaussian", gaussian}, {"renormalise", renormalise}});
  };
  const Json place = position(2, 1.5);
  check_equal({energy, predict(6, false, false), place}, {energy, "softmax"});
  check_equal({energy, predict(1e8, true, false), place}, {energy, "softmax"}, 100 * tolerance);
  const Ran bell = Case{energy, predict(2, true, false), place}.run();
  const Array& p = bell.outputs.at("position_p");
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(p(i) > 0);
    CHECK(p(i) < 6);
    CHECK(sum_of(bell.outputs.at("weights").row(i)) < 1);
    for (std::size_t j = 0; j < 6; ++j)
      CHECK((bell.outputs.at("weights")(i, j) > 0) ==
            (std::abs(static_cast<double>(j) - p(i)) <= 2));
  }
  check_sums(Case{energy, predict(2, true, true), place}.weights());
}

TEST_CASE("picked subsets: all is softmax, one is hard, none outside") {
  const Json all{{"z", to_json(Array({6, 6}, 1))}};
  check_equal({energy, "reinforced-alignment", all}, {energy, "softmax"});
  Array one({6, 6}, 0);
  for (std::size_t i = 0; i < 6; ++i) one(i, (2 * i) % 6) = 1;
  CHECK(distance(Case{energy, "reinforced-alignment", {{"z", to_json(one)}}}.weights(), one) == 0);
  const Ran drawn = Case{energy, with("reinforced-alignment", {{"policy", "scores"}})}.run();
  const Array &u = drawn.parameters.at("alignment.u"), &weights = drawn.outputs.at("weights");
  for (std::size_t i = 0; i < weights.data.size(); ++i)
    CHECK((weights.data[i] > 0) == (u.data[i] < 1 / (1 + std::exp(-energy.data[i]))));
}

TEST_CASE("sigmoid: between 0 and 1, a half at 0, shrinks values, leaves their hull") {
  const Case soft{energy, "sigmoid"};
  for (const double weight : soft.weights().data) CHECK((weight > 0 && weight < 1));
  CHECK(Case{Array({1, 2}, 0), "sigmoid"}.weights().data == Row{0.5, 0.5});
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t c = 0; c < 2; ++c)
      CHECK(std::abs(soft.weights()(0, j) * soft.values()(j, c)) <= std::abs(soft.values()(j, c)));
  }
  const Case half{Array({1, 1}, 0), "sigmoid"};
  CHECK(distance(half.run().outputs.at("context"), scaled(half.values(), .5)) < tolerance);
}

TEST_CASE("sparsemax: one-hot beyond a gap of 1, sparser as scores grow") {
  CHECK(Case{Array({1, 3}, 0), "sparsemax"}.weights().data[0] == doctest::Approx(1. / 3));
  Array gap({1, 3}, 0);
  gap(0, 1) = 1;
  CHECK(Case{gap, "sparsemax"}.weights().data == Row{0, 1, 0});
  std::size_t before = 0;
  for (const double by : {0.03, 0.25, 1.0, 4.0}) {
    const std::size_t now = zeros_in(Case{scaled(energy, by), "sparsemax"}.weights());
    CHECK(now >= before);
    before = now;
  }
  CHECK(before > 20);
}

TEST_CASE("entmax: softmax at 1, sparsemax at 2, argmax in the end with ties shared") {
  const auto at = [](double alpha) { return with("alpha-entmax", {{"alpha", alpha}}); };
  const auto check_same = [&](const Json& a, const Json& b, double within) {
    for (const Array& scores : {energy, wide_energy, scaled(energy, 1000)})
      check_equal({scores, a}, {scores, b}, within);
  };
  check_same(at(1), "softmax", 1e-300);
  check_same(at(2), "sparsemax", tolerance);
  check_equal({energy, at(1 + 1e-9)}, {energy, "softmax"}, 1e-7);
  check_equal({energy, at(1e6)}, {energy, "hard-argmax"});
  Array tied = energy;
  tied(1, 0) = tied(1, 4) = 9;
  for (const double alpha : {1.5, 2., 100., 1e5, 3e38}) {
    const Array weights = Case{tied, at(alpha)}.weights();
    CHECK(weights(1, 0) == doctest::Approx(0.5).epsilon(tolerance));
    CHECK(weights(1, 4) == weights(1, 0));
    check_sums(weights);
  }
  check_equal({energy, with("alpha-entmax", {{"learned", true}}), {{"gamma", 0}}},
              {energy, at(1.5)});
  check_equal({energy, with("alpha-entmax", {{"learned", true}}), {{"gamma", -800}}},
              {energy, "softmax"});
  check_equal({energy, with("alpha-entmax", {{"learned", true}}), {{"gamma", 800}}},
              {energy, "sparsemax"});
}

TEST_CASE("sinkhorn: both marginals, softmax without iterations, a permutation when cold") {
  const auto of = [](int k, double t) {
    return with("sinkhorn-normalise", {{"iterations", k}, {"temperature", t}});
  };
  check_equal({energy, of(0, 1)}, {energy, "softmax"});
  check_equal({energy, of(0, .75)}, {energy, with("softmax-temperature", {{"temperature", .75}})});
  const Array even = Case{scaled(energy, .5), of(300, .75)}.weights();
  check_sums(even);
  Array turned({6, 6});
  for (std::size_t i = 0; i < 36; ++i) turned.data[i] = even(i % 6, i / 6);
  check_sums(turned, 100 * tolerance);
  // Along cold rows and columns the best assignment remains: here by all 720 permutations.
  std::vector<std::size_t> order{0, 1, 2, 3, 4, 5}, best = order;
  const auto worth = [](const std::vector<std::size_t>& p) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += energy(i, p[i]);
    return sum;
  };
  while (std::next_permutation(order.begin(), order.end()))
    if (worth(order) > worth(best)) best = order;
  const Array cold = Case{energy, of(500, .02)}.weights();
  for (std::size_t i = 0; i < 6; ++i) CHECK(cold(i, best[i]) > 0.99);
}

TEST_CASE("localness: rows sum to 1, softmax when wide, weights near the centre") {
  const Json place{{"W_p", {{2}, {-2}}}, {"u_p", {1.5}}};
  const auto of = [](double D) { return with("gaussian-localness", {{"D", D}}); };
  check_equal({energy, of(1e9), place}, {energy, "softmax"}, 10 * tolerance);
  for (const double D : {1e-3, 1., 10.}) check_sums(Case{energy, of(D), place}.weights());
  Json centre = place;
  centre["u_p"] = {0};  // P = n / 2 = 3
  const Array narrow = Case{energy, of(.01), centre}.weights();
  for (std::size_t i = 0; i < 6; ++i) CHECK(narrow(i, 3) == doctest::Approx(1));
  for (const char* mode : {"layer", "query"}) {
    Json full = place;
    full["u_d"] = {-3};
    if (mode[0] == 'l') full["W_d"] = {{1}, {1}};
    check_sums(Case{energy, with("gaussian-localness", {{"mode", mode}}), full}.weights());
  }
}

TEST_CASE("syntax distances: a chain by default, softmax where they do not count") {
  const auto of = [](double s) { return with("syntax-distance-gaussian", {{"s", s}}); };
  Json place = position(2, 1.5);
  check_equal({energy, of(1e9), place}, {energy, "softmax"}, 10 * tolerance);
  const Array drawn = Case{energy, of(2), place}.weights();
  Array chain({6, 6});
  for (std::size_t i = 0; i < 36; ++i)
    chain.data[i] = std::abs(static_cast<double>(i / 6) - static_cast<double>(i % 6));
  place["distance"] = to_json(chain);
  CHECK(distance(Case{energy, of(2), place}.weights(), drawn) == 0);

  const Json level{{"distance", {0, 0, 0, 0, 0, 0}}}, far{{"distance", {0, 1, 6, 5, 5.5, 2}}};
  check_equal({energy, "syntax-distance-decay", level}, {energy, "softmax"});
  const Array decayed = Case{energy, "syntax-distance-decay", far}.weights();
  const Array soft = Case{energy, "softmax"}.weights();
  check_sums(decayed);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(decayed(i, 2) == 0);
    CHECK(decayed(i, 4) == 0);
    CHECK(decayed(i, 3) > 0);
    CHECK(decayed(i, 5) / decayed(i, 0) == doctest::Approx(soft(i, 5) / soft(i, 0) / 4));
  }
  const Json out{{"distance", to_json(Array({6, 6}, 9))}};
  const Ran empty = Case{energy, "syntax-distance-decay", out}.run();
  CHECK(zeros_in(empty.outputs.at("weights")) == 36);
  CHECK(!empty.warnings.empty());
}

TEST_CASE("speech tricks: softmax at beta 1 and at k = n, smoothing evens out, k keys at most") {
  const auto of = [](const Json& knobs) { return with("sharpen-topk-smooth", knobs); };
  check_equal({energy, of({{"beta", 1}})}, {energy, "softmax"});
  check_equal({energy, of({{"mode", "top-k"}, {"k", 6}})}, {energy, "softmax"});
  CHECK(zeros_in(Case{energy, of({{"mode", "top-k"}, {"k", 2}})}.weights()) == 24);
  const Row tie = Case{Array({1, 4}, 1), of({{"mode", "top-k"}, {"k", 2}})}.weights().data;
  CHECK(tie == Row{0.5, 0.5, 0, 0});
  const Array soft = Case{energy, "softmax"}.weights();
  const Array smooth = Case{energy, of({{"mode", "smooth"}})}.weights();
  const Array sharp = Case{energy, "sharpen-topk-smooth"}.weights();
  check_sums(smooth);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto peak = [&](const Array& a) { return a(i, best_of(a.row(i))); };
    CHECK(peak(smooth) < peak(soft));
    CHECK(peak(sharp) > peak(soft));
  }
}

TEST_CASE("uniform does not look at queries, keys or scores, only at the mask") {
  check_equal({energy, "uniform"}, {Case::noise({6, 6}, 9, "other"), "uniform"}, 1e-300);
  for (const double weight : Case{energy, "uniform"}.weights().data)
    CHECK(weight == doctest::Approx(1. / 6));
  Array mask({6, 6}, 1);
  mask(0, 1) = mask(0, 2) = 0;
  CHECK(Case{energy, "uniform", Json::object(), mask}.weights()(0, 5) == doctest::Approx(.25));
}

}  // namespace attend::testing::alignment_test
