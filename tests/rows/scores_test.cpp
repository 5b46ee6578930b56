// SPDX-License-Identifier: Apache-2.0
// What the catalogue says of each score: equalities between rows, limit cases, bounds.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <numeric>

#include "ops/random.h"
#include "tests/experiment/harness.h"

namespace attend::testing {
namespace {

Array random(const Shape& shape, const char* name) {
  Array array(shape);
  const RandomStream stream(11, name);
  for (std::size_t i = 0; i < array.data.size(); ++i) array.data[i] = stream.normal(i);
  return array;
}

const Array q = random({4, 6}, "q"), k = random({5, 6}, "k"), other = random({4, 6}, "other");
const Array W = random({6, 6}, "W"), wide = random({3, 6}, "wide"), b = random({6}, "b"),
            w = random({6}, "w");

Array flat(const std::vector<Array>& parts) {  // one behind the other, as a vector
  Array all({0});
  for (const Array& part : parts)
    all.data.insert(all.data.end(), part.data.begin(), part.data.end());
  all.shape = {all.data.size()};
  return all;
}

Array stacked(const Array& above, const Array& below) {
  Array all = flat({above, below});
  all.shape = {above.rows() + below.rows(), above.cols()};
  return all;
}

Array transposed(const Array& x) {
  Array y({x.cols(), x.rows()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < x.cols(); ++j) y(j, i) = x(i, j);
  }
  return y;
}

Array operator*(double a, Array x) {
  for (double& number : x.data) number *= a;
  return x;
}

Array operator+(Array x, const Array& row) {  // a number, a row, or a table
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += row.data[i % row.data.size()];
  return x;
}

Array number(double value) { return Array(Shape{}, value); }

Array eye(std::size_t n) {
  Array one({n, n});
  for (std::size_t i = 0; i < n; ++i) one(i, i) = 1;
  return one;
}

Array unit_rows(Array x) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double length = std::sqrt(inner(x.row(i), x.row(i)));
    for (std::size_t c = 0; c < x.cols(); ++c) x(i, c) /= length;
  }
  return x;
}

using Given = std::map<std::string, Array>;

Json document(const Json& score, const Array& query, const Array& key, const Given& given) {
  Json json{{"schema", "attention-playground/1"}, {"seed", 1}, {"mechanism", {{"score", score}}}};
  json["inputs"] = {{"query", to_json(query)}, {"key", to_json(key)}};
  for (const auto& [name, tensor] : given) json["parameters"]["score." + name] = to_json(tensor);
  return json;
}

Array output(const char* name, const Json& score, const Array& query, const Array& key,
             const Given& given = {}) {
  return run_json(document(score, query, key, given)).outputs.at(name);
}

Array scores(const Json& score, const Array& query, const Array& key, const Given& given = {}) {
  return output("scores", score, query, key, given);
}

Array weights(const Json& score, const Array& query, const Array& key, const Given& given = {}) {
  return output("weights", score, query, key, given);
}

// Whether all the steps of a document have at most two axes: nothing is computed pair by pair.
bool only_tables(const Json& json) {
  const Recording recording(read_document(json));
  const Result result = run(recording, Detail::everything);
  return std::all_of(result.tensors.begin(), result.tensors.end(),
                     [](const ResultTensor& t) { return t.shape.size() <= 2; });
}

Json with(const char* id, Json knobs) {
  knobs["type"] = id;
  return knobs;
}

Array reversed(Array x) {
  std::reverse(x.data.begin(), x.data.end());
  return x;
}

void same(const Array& x, const Array& y) { CHECK(distance(x, y) < 10 * tolerance); }
void differ(const Array& x, const Array& y) { CHECK(distance(x, y) > 1e-3); }

double largest(const Array& x) {
  double most = 0;
  for (const double number : x.data) most = std::max(most, std::abs(number));
  return most;
}

}  // namespace

TEST_CASE("additive, concat and stacked-san-score are one function under three names") {
  const Array W2 = random({3, 6}, "W2"), narrow = random({5, 3}, "narrow");  // dq != dk
  const Array e = scores("additive", q, narrow, {{"W1", W}, {"W2", W2}, {"b", b}, {"w", w}});
  same(e, scores("concat", q, narrow, {{"W", stacked(W2, W)}, {"b", b}, {"w", w}}));
  same(e, scores("stacked-san-score", q, narrow, {{"W_I", W2}, {"W_Q", W}, {"b", b}, {"w_P", w}}));
  CHECK(largest(e) <= std::accumulate(w.data.begin(), w.data.end(), 0.0,
                                      [](double s, double x) { return s + std::abs(x); }));
  for (const char* id : {"additive", "concat", "self-additive", "deep"})
    same(weights(id, q, k, {{"w", Array({6})}}), Array({4, 5}, 0.2));
}

TEST_CASE("keys are mapped once, whatever the number of queries") {
  const Json document_ = document("additive", q, k, {});
  const Recording recording(read_document(document_));
  bool once = false;
  for (const ResultTensor& t : run(recording, Detail::everything).tensors)
    once = once || (t.name.find("K W_2") != std::string::npos && t.shape == Shape{5, 6});
  CHECK(once);
  for (const char* id : {"general", "biased-general", "biaffine", "decomposable", "gat-score",
                         "trilinear", "hermitian", "co-affinity", "activated-general"})
    CHECK_MESSAGE(only_tables(document(id, q, k, {})), id);
  CHECK_FALSE(only_tables(document_));
}

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

TEST_CASE("scaled-dot is dot over the root of the width, of variance one") {
  same(scores("scaled-dot", q, k), (1 / std::sqrt(6)) * scores("dot", q, k));
  const Array many = random({300, 64}, "many"), keys = random({300, 64}, "keys");
  const Array e = scores("scaled-dot", many, keys);
  CHECK(inner(e.data, e.data) / static_cast<double>(e.data.size()) ==
        doctest::Approx(1).epsilon(.05));
}

TEST_CASE("similarities: what they do not see, and how far they go") {
  const Array shift = random({6}, "shift");
  same(scores("dot-over-keynorm", q, k), scores("dot-over-keynorm", q, 7 * k));
  const Array cosine = scores("similarity-cosine", q, k);
  for (std::size_t i = 0; i < 4; ++i) {
    const double length = std::sqrt(inner(q.row(i), q.row(i)));
    for (std::size_t j = 0; j < 5; ++j)
      CHECK(scores("dot-over-keynorm", q, k)(i, j) == doctest::Approx(length * cosine(i, j)));
  }
  same(scores("similarity-cosine", 3 * q, 5 * k), cosine);
  const Json sharp = with("similarity-cosine", {{"beta", 4}});
  CHECK(largest(scores(sharp, q, q)) <= 4 + 1e-5);
  same(scores(sharp, unit_rows(q), unit_rows(k)), 4 * scores("dot", unit_rows(q), unit_rows(k)));
  for (const bool squared : {false, true}) {
    const Json l2 = with("similarity-l2", {{"squared", squared}});
    same(scores(l2, q + shift, k + shift), scores(l2, q, k));
    const Array self = scores(l2, q, q);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) CHECK((i == j ? self(i, j) == 0 : self(i, j) < 0));
    }
  }
  // With keys of one length the squared distance is twice the product, up to a number a row.
  same(weights(with("similarity-l2", {{"squared", true}}), q, unit_rows(k)),
       weights("dot", 2 * q, unit_rows(k)));
  for (const char* measure : {"l1", "pearson", "angular"}) {
    const Json json = with("similarity-generic", {{"measure", measure}});
    same(scores(json, q, k), transposed(scores(json, k, q)));
  }
  const Json angular = with("similarity-generic", {{"measure", "angular"}});
  CHECK(scores(angular, q, 1e-3 * q)(2, 2) == doctest::Approx(1).epsilon(1e-6));
  CHECK(scores(angular, q, -2 * q)(2, 2) == doctest::Approx(0).epsilon(1e-6));
  const Json pearson = with("similarity-generic", {{"measure", "pearson"}});
  same(scores(pearson, 3 * q + number(2), k), scores(pearson, q, k));
  same(scores(pearson, Array({4, 6}, .1), k), Array({4, 5}));
}

TEST_CASE("similarity-rbf goes from uniform to the nearest key alone") {
  same(weights(with("similarity-rbf", {{"s", 1e7}}), q, k), Array({4, 5}, 0.2));
  const Array sharp = weights(with("similarity-rbf", {{"s", 0.01}}), q, k);
  const Array gaps = scores("similarity-l2", q, k);
  for (std::size_t i = 0; i < 4; ++i) {
    const Row row = gaps.row(i);
    const auto nearest = std::max_element(row.begin(), row.end()) - row.begin();
    CHECK(sharp(i, nearest) == doctest::Approx(1));
  }
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

TEST_CASE("scores that no query moves, and one that no key moves") {
  for (const Mechanism* m : all_mechanisms()) {
    if (m->kind() != Kind::score || std::get<Score>(m->behaviour).reads_query || !m->roles.empty())
      continue;
    const Array e = scores(std::string(m->id), q, k);
    same(e, scores(std::string(m->id), other, k));
    for (std::size_t j = 0; j < e.cols(); ++j) {
      for (std::size_t i = 0; i < e.rows(); ++i) CHECK(e(i, j) == e(0, j));
    }
  }
  same(scores("key-linear", q, k, {{"w", w}}), scores("self-dot", q, k, {{"q", w}}));
  Array constant({4, 6});
  for (std::size_t i = 0; i < constant.data.size(); ++i) constant.data[i] = w.data[i % 6];
  same(scores("self-dot", q, k, {{"q", w}}), scores("dot", constant, k));
  const Array own = scores("self-additive", q, k, {{"W", W}, {"b", b}, {"w", w}});
  const Given asked{{"W1", Array({6, 6})}, {"W2", W}, {"b", b}, {"w", w}};
  same(own, scores("additive", q, k, asked));
  Given moved = asked;  // a constant query is a bias
  moved["W1"] = eye(6);
  moved["b"] = b + (-1 * w);
  same(own, scores("additive", constant, k, moved));
  const Json location = with("location-based", {{"N", 5}});
  same(scores(location, q, k), scores(location, q, 3 * k + b));
  same(weights(location, q, k), weights(location, q, reversed(k)));
  CHECK_THROWS_AS((void)scores(with("location-based", {{"N", 4}}), q, k), Error);
  Json outside = document("external-energy", q, k, {});
  const Array energy = random({4, 5}, "energy");
  outside["inputs"]["energy"] = to_json(energy);
  same(run_json(outside).outputs.at("scores"), energy);
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
  for (const double e : scores("decomposable", q, k).data) CHECK(e >= 0);
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

TEST_CASE("scores stay finite, and so do their gradients, where norms and gaps are zero") {
  Array twins = q;
  for (std::size_t c = 0; c < 6; ++c) twins(1, c) = 0;
  std::vector<Json> all;
  for (const Mechanism* m : all_mechanisms()) {
    if (m->kind() != Kind::score || !m->roles.empty() || m->recurrent) continue;
    all.emplace_back(with(m->id.data(), Json::object()));
    for (const Knob& knob : m->knobs) {
      for (const std::string_view choice : knob.choices)
        all.push_back(with(m->id.data(), {{std::string(knob.name), std::string(choice)}}));
      if (knob.name == "eps") all.push_back(with(m->id.data(), {{"eps", 0}}));
    }
  }
  for (const Json& score : all) {
    for (const Array& keys : {twins, -1 * twins, Array({4, 6})}) {
      Json json = document(score, twins, keys, {});
      json["gradient"] = {{"of", "scores"}};
      const Ran ran = run_json(json);  // refuses what is not finite
      for (const auto& [name, gradient] : ran.gradients) {
        for (const double slope : gradient.data) CHECK_MESSAGE(std::isfinite(slope), score.dump());
      }
    }
    const Array many = 1e3 * random({1024, 6}, "many");
    if (score["type"] == "location-based") continue;
    const Array a = run_json(document(score, 1e3 * q, many, {})).outputs.at("weights");
    for (std::size_t i = 0; i < a.rows(); ++i) {
      const Row row = a.row(i);
      CHECK_MESSAGE(
          std::accumulate(row.begin(), row.end(), 0.0) == doctest::Approx(1).epsilon(1e-4),
          score.dump());
    }
  }
  // Exactly 0 where the slope has no value.
  for (const Json& score :
       {with("similarity-l2", Json::object()), with("similarity-generic", {{"measure", "l1"}}),
        with("similarity-generic", {{"measure", "angular"}})}) {
    Array one({1, 6});
    std::copy_n(q.data.begin(), 6, one.data.begin());
    Json json = document(score, one, one, {});
    json["gradient"] = {{"of", "scores"}};
    for (const auto& [name, gradient] : run_json(json).gradients) {
      if (name == "inputs.query" || name == "inputs.key")
        CHECK_MESSAGE(largest(gradient) < 1e-6, score.dump() << " " << name);
    }
  }
}

}  // namespace attend::testing
