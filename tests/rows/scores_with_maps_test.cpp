// SPDX-License-Identifier: Apache-2.0
// What the catalogue says of scores with learned maps; all scores where norms and gaps are zero.
#include "tests/each.h"
#include "tests/rows/score_tables.h"

namespace attend::testing::scores_with_maps_test {

using namespace tables;

TEST_CASE("dot is bilinear, symmetric and blind to rotation") {
  same(scores("dot", 2 * q + other, k), 2 * scores("dot", q, k) + scores("dot", other, k));
  same(scores("dot", k, k), transposed(scores("dot", k, k)));
  const auto rotated = [](Array x) {
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const double a = x(i, 1), c = x(i, 4);
      x(i, 1) = 0.6 * a - 0.8 * c;
      x(i, 4) = 0.8 * a + 0.6 * c;
    }
    return x;
  };
  same(scores("dot", rotated(q), rotated(k)), scores("dot", q, k));
}

TEST_CASE("the bilinear family") {
  const Array narrow = random({5, 3}, "narrow"), U = random({3, 2}, "U"), V = random({6, 2}, "V");
  const Array general = scores("general", q, narrow, {{"W", wide}});
  const Array dots = scores("dot", q, k);
  same(scores("general", q, k, {{"W", eye(6)}}), dots);
  same(scores("general", q, k, {{"W", (1 / std::sqrt(6)) * eye(6)}}), scores("scaled-dot", q, k));
  // W = U V^T is the product of keys mapped by U and queries mapped by V.
  const auto map = [](const Array& x, const Array& M) { return scores("dot", x, transposed(M)); };
  same(scores("general", q, narrow, {{"W", map(U, transposed(V))}}),
       scores("dot", map(q, V), map(narrow, U)));
  const Array prior = random({3}, "prior"), alone = scores("key-linear", q, narrow, {{"w", prior}});
  same(scores("biased-general", q, narrow, {{"W", transposed(wide)}, {"b", Array({3})}}), general);
  same(scores("biased-general", 0 * q, narrow, {{"b", prior}}), alone);
  same(scores("biased-general", q, narrow, {{"W", transposed(wide)}, {"b", prior}}),
       scores("biaffine", q, narrow, {{"U", wide}, {"u", prior}}));
  same(scores("biaffine", q, narrow, {{"U", Array({3, 6})}, {"u", prior}}), alone);
  same(scores(with("activated-general", {{"act", "identity"}}), q, narrow, {{"W", wide}}), general);
  same(scores(with("co-affinity", {{"act", "identity"}}), q, narrow, {{"W", transposed(wide)}}),
       general);
  const Array a = weights("activated-general", 100 * q, narrow, {{"W", wide}});
  for (std::size_t i = 0; i < 4; ++i) {
    const Row row = a.row(i);
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    CHECK(*high / *low <= std::exp(2) + 1e-4);
    CHECK(*high / *low > 2);  // near its bound here
  }
  const Array affinity = scores("co-affinity", q, k, {{"W", W}});
  same(affinity, transposed(scores("co-affinity", k, q, {{"W", transposed(W)}})));
  CHECK(largest(scores("co-affinity", .1 * q, k, {{"W", W}})) < 1);
}

TEST_CASE("deep: two layers are additive, the last bias is not seen, layers without end") {
  const Given two{{"W0", W}, {"W1", k}, {"b1", b}, {"w", w}};  // any tables will do: k is 5 x 6
  const Array keys = random({7, 5}, "keys");
  Given shifted = two;
  shifted["b_L"] = number(0.75);
  const Json deep = with("deep", {{"layers", 2}, {"act", "tanh"}});
  const Array additive = scores("additive", q, keys, {{"W1", W}, {"W2", k}, {"b", b}, {"w", w}});
  same(scores(deep, q, keys, two), additive);
  same(scores(deep, q, keys, shifted), additive + number(0.75));
  same(weights(deep, q, keys, shifted), weights(deep, q, keys, two));
  // A layer of identity in a network of identities changes nothing; eight layers, six of them W_l.
  Given eight = shifted;
  for (const char* name : {"W2", "W3", "W4", "W5", "W6", "W7"}) eight[name] = eye(6);
  same(scores(with("deep", {{"layers", 8}, {"act", "identity"}}), q, keys, eight),
       scores(with("deep", {{"layers", 2}, {"act", "identity"}}), q, keys, shifted));
  // The width is read off any layer, and a layer that is not there is refused.
  CHECK(run_json(document("deep", q, k, {{"W2", eye(4)}})).parameters.at("score.w").shape ==
        Shape{4});
  CHECK_THROWS_WITH_AS((void)scores("deep", q, k, {{"W3", eye(6)}}), doctest::Contains("score.W3"),
                       Error);
  CHECK_THROWS_AS((void)scores("deep", q, k, {{"W2", eye(6)}, {"b2", Array({5})}}), Error);
  CHECK_THROWS_AS((void)scores(with("deep", {{"layers", 1}}), q, k), Error);
}

TEST_CASE("gat-score ranks the keys alike for every query, until a mask hides some") {
  const Given given{{"W", W}, {"a", flat({w, b})}};
  const auto best = [](const Row& row) {
    return std::max_element(row.begin(), row.end()) - row.begin();
  };
  const Array e = scores("gat-score", q, k, given);
  for (std::size_t i = 1; i < 4; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t l = 0; l < 5; ++l) CHECK((e(i, j) < e(i, l)) == (e(0, j) < e(0, l)));
    }
  }
  Json masked = document("gat-score", k, k, given);
  masked["mechanism"]["mask"] = Json::parse(R"([{"type": "mask-explicit", "allowed":
    [[1,0,0,0,0],[0,1,0,0,0],[0,0,1,0,0],[0,0,0,1,0],[0,0,0,0,1]]}])");
  const Array a = run_json(masked).outputs.at("weights");
  for (std::size_t i = 0; i < 5; ++i) CHECK(best(a.row(i)) == static_cast<long>(i));
}

TEST_CASE("trilinear, decomposable and hermitian come down to dot") {
  const Array nothing({6}), ones({6}, 1), dots = scores("dot", q, k);
  same(scores("trilinear", q, k, {{"w", flat({nothing, nothing, ones})}}), dots);
  same(scores(with("trilinear", {{"bias", true}}), q, k,
              {{"w", flat({nothing, nothing, ones})}, {"b", number(2)}}),
       dots + number(2));
  const Given separable{{"w", flat({w, b, nothing})}};
  const Array a = weights("trilinear", q, k, separable);
  for (std::size_t i = 1; i < 4; ++i) CHECK(distance(part(a, i), part(a, 0)) < tolerance);
  same(a, weights("key-linear", q, k, {{"w", w}}));
  const Json plain = with("decomposable", {{"act", "identity"}});
  same(scores(plain, q, k, {{"W1", eye(6)}, {"W2", eye(6)}}), dots);
  const Json shared = with("decomposable", {{"shared", true}});
  same(scores(shared, q, k, {{"W1", W}, {"b1", b}}),
       scores("decomposable", q, k, {{"W1", W}, {"b1", b}, {"W2", W}, {"b2", b}}));
  for (const auto energies = scores("decomposable", q, k); const double e : energies.data)
    CHECK(e >= 0);
  const Array zero({6, 6}), V = random({6, 6}, "V");
  same(scores("hermitian", q, k, {{"R_Q", eye(6)}, {"I_Q", zero}, {"R_K", eye(6)}, {"I_K", zero}}),
       dots);
  const Given maps{{"R_Q", W}, {"I_Q", V}};
  const auto self = [&](const Json& knobs, Given given) {
    given.insert(maps.begin(), maps.end());
    return scores(with("hermitian", knobs), k, k, given);
  };
  const Array once = self({{"shared", true}}, {});
  same(once, transposed(once));
  same(once, self({{"shared", true}, {"middle", true}}, {{"M_R", eye(6)}, {"M_I", zero}}));
  const Array turned = self({{"shared", true}}, {{"M_R", zero}, {"M_I", eye(6)}});
  same(turned, -1 * transposed(turned));
  const Array apart = self(Json::object(), {});
  differ(apart, transposed(apart));
}

Mechanisms scores_of_pairs() {
  Mechanisms list = every_score();
  std::erase_if(list,
                [](const Mechanism* score) { return score->roles.size() > 0 || score->recurrent; });
  return list;
}

// A score as it is, and with each of its choices.
std::vector<Json> variants_of(const Mechanism& score) {
  std::vector<Json> all{with(score.id.data(), Json::object())};
  for (const Knob& knob : score.knobs) {
    for (const std::string_view choice : knob.choices)
      all.push_back(with(score.id.data(), {{std::string(knob.name), std::string(choice)}}));
    if (knob.name == "eps") all.push_back(with(score.id.data(), {{"eps", 0}}));
  }
  return all;
}

const Each stays_finite("stays finite, and so do its gradients, where norms and gaps are zero",
                        scores_of_pairs, [](const Mechanism& mechanism) {
                          Array twins = q;
                          for (std::size_t c = 0; c < 6; ++c) twins(1, c) = 0;
                          for (const Json& score : variants_of(mechanism)) {
                            for (const Array& keys : {twins, -1 * twins, Array({4, 6})}) {
                              Json json = document(score, twins, keys, {});
                              json["gradient"] = {{"of", "scores"}};
                              const Ran ran = run_json(json);  // refuses what is not finite
                              for (const auto& [name, gradient] : ran.gradients) {
                                for (const double slope : gradient.data)
                                  CHECK_MESSAGE(std::isfinite(slope), score.dump());
                              }
                            }
                          }
                        });

Mechanisms scores_of_any_length() {
  Mechanisms list = scores_of_pairs();
  std::erase_if(list, [](const Mechanism* score) { return score->id == "location-based"; });
  return list;
}

const Each of_many_keys("gives weights that sum to one over a thousand keys with large features",
                        scores_of_any_length, [](const Mechanism& mechanism) {
                          const Array many = 1e3 * random({1024, 6}, "many");
                          for (const Json& score : variants_of(mechanism)) {
                            const Array a =
                                run_json(document(score, 1e3 * q, many, {})).outputs.at("weights");
                            for (std::size_t i = 0; i < a.rows(); ++i) {
                              const Row row = a.row(i);
                              CHECK_MESSAGE(std::accumulate(row.begin(), row.end(), 0.0) ==
                                                doctest::Approx(1).epsilon(1e-4),
                                            score.dump());
                            }
                          }
                        });

TEST_CASE("the gradient of a distance is exactly 0 where its slope has no value") {
  CHECK(scores_of_any_length().size() > 15);
  for (const Json& score :
       {with("similarity-l2", Json::object()), with("similarity-generic", {{"measure", "l1"}}),
        with("similarity-generic", {{"measure", "angular"}})}) {
    Array one({1, 6});
    std::copy_n(q.data.begin(), 6, one.data.begin());
    Json json = document(score, one, one, {});
    json["gradient"] = {{"of", "scores"}};
    for (const auto ran = run_json(json); const auto& [name, gradient] : ran.gradients) {
      if (name == "inputs.query" || name == "inputs.key")
        CHECK_MESSAGE(largest(gradient) < 1e-6, score.dump() << " " << name);
    }
  }
}

}  // namespace attend::testing::scores_with_maps_test
