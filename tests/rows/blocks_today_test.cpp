// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of norms, feed-forward layers, blocks, mixers and the cells of today.
#include "tests/rows/today.h"

namespace attend::testing::today::blocks_today_test {
namespace {

const Array x = random({6, 4}, "x");
const Array zero44({4, 4}), ones4({4}, 1);

Array with_mean(Array rows, double mean) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < rows.cols(); ++c) sum += rows(i, c);
    for (std::size_t c = 0; c < rows.cols(); ++c)
      rows(i, c) += mean - sum / static_cast<double>(rows.cols());
  }
  return rows;
}

Json block(const Json& members = Json::object()) {
  Json json{{"type", "transformer-block"},
            {"attention", {{"heads", {{"type", "multi-head"}, {"count", 2}}}}}};
  json.update(members);
  return json;
}

// The mixer as the bare core in heads.
Json bare(const Json& members = Json::object()) {
  Json json{{"type", "linear-mixer"}, {"count", 2},     {"conv", 0},    {"act", "identity"},
            {"norm", "none"},         {"gate", "none"}, {"core", "gla"}};
  json.update(members);
  return json;
}

// The example with every parameter given, and these in their place.
Json given(const Json& mechanism, const Given& parameters) {
  Json json = with_parameters(document(mechanism, x), 4);
  for (const auto& [name, array] : parameters) json["parameters"][name] = to_json(array);
  return json;
}

}  // namespace

TEST_CASE("rmsnorm does not see the length of a row, and gives it the root mean square 1") {
  const Json norm{{"type", "rmsnorm"}, {"eps", 1e-12}};
  const Given gamma{{"structure.gamma", random({4}, "gamma")}};
  same(output(document(norm, scaled(x, 7), gamma)), output(document(norm, x, gamma)), 1e-5);
  const Array y = output(document(norm, x));
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(inner(y.row(i), y.row(i)) == doctest::Approx(4).epsilon(1e-5));
}

TEST_CASE(
    "rows of mean 0 have one and the same rmsnorm and layer-norm; a shift is inert to the latter") {
  const Array centred = with_mean(x, 0);
  same(output(document({{"type", "rmsnorm"}, {"eps", 1e-5}}, centred)),
       output(document({{"type", "layer-norm"}, {"eps", 1e-5}}, centred)));
  same(output(document("layer-norm", with_mean(x, 3))), output(document("layer-norm", centred)));
}

TEST_CASE("an offset of 1 is gamma + 1") {
  for (const char* type : {"rmsnorm", "layer-norm"}) {
    const Array gamma = random({4}, "gamma");
    Array more = gamma;
    for (double& number : more.data) number += 1;
    same(output(document({{"type", type}, {"offset", 1}}, x, {{"structure.gamma", gamma}})),
         output(document({{"type", type}}, x, {{"structure.gamma", more}})));
  }
}

TEST_CASE("swiglu is bilinear without an activation, keeps rows apart, and ends at its bias") {
  const Json bilinear{{"type", "swiglu"}, {"act", "identity"}, {"hidden", 5}};
  const Array y = output(document(bilinear, x));
  same(output(document(bilinear, scaled(x, 3))), scaled(y, 9));
  Array moved = x;
  for (std::size_t c = 0; c < 4; ++c) moved(2, c) += 1;
  const Json layer{{"type", "swiglu"}, {"hidden", 5}};
  const Array before = output(document(layer, x)), after = output(document(layer, moved));
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t c = 0; c < 4; ++c) CHECK((after(i, c) == before(i, c)) == (i != 2));
  }
  const Array bias = random({4}, "b");
  const Array end =
      output(document(layer, x, {{"structure.W_up", Array({4, 5})}, {"structure.b_down", bias}}));
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t c = 0; c < 4; ++c) CHECK(end(i, c) == doctest::Approx(bias(c)));
  }
}

TEST_CASE("a gated layer whose gate is 1 is the mlp without its activation") {
  const Array up = random({4, 5}, "up"), down = random({5, 4}, "down");
  const Json gated{{"type", "swiglu"}, {"act", "identity"}};
  same(output(document(gated, x,
                       {{"structure.W_gate", Array({4, 5})},
                        {"structure.b_gate", Array({5}, 1)},
                        {"structure.W_up", up},
                        {"structure.W_down", down}})),
       output(document({{"type", "mlp"}, {"act", "identity"}}, x,
                       {{"structure.W1", up}, {"structure.W2", down}})));
}

TEST_CASE("dyt is odd, bounded by gamma, and linear where its steepness is small") {
  const Array gamma = random({4}, "gamma");
  for (const char* act : {"tanh", "erf"}) {
    const Json json{{"type", "dyt"}, {"act", act}};
    const Given own{{"structure.gamma", gamma}};
    same(output(document(json, scaled(x, -1), own)), scaled(output(document(json, x, own)), -1));
    const Array far = output(document(json, scaled(x, 1e3), own));
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t c = 0; c < 4; ++c) CHECK(std::abs(far(i, c)) <= std::abs(gamma(c)) + 1e-6);
    const Given flat{{"structure.gamma", gamma}, {"structure.alpha", Array(Shape{}, 1e-4)}};
    same(output(document(json, scaled(x, 2), flat)), scaled(output(document(json, x, flat)), 2),
         1e-6);
  }
}

TEST_CASE("a token shift of 0 leaves rows alone, one of 1 puts each in the place of the next") {
  same(output(document("token-shift", x, {{"structure.mu", Array({4})}})), x);
  const Array moved = output(document("token-shift", x, {{"structure.mu", ones4}}));
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t c = 0; c < 4; ++c)
      CHECK(moved(i, c) == doctest::Approx(i == 0 ? 0 : x(i - 1, c)));
}

TEST_CASE("group-norm with one group is layer-norm, and adds its bonus behind") {
  same(output(document({{"type", "group-norm"}, {"groups", 1}}, x)),
       output(document("layer-norm", x)));
  Json json = document({{"type", "group-norm"}, {"groups", 2}}, x);
  const Array plain = output(json), bonus = random({6, 4}, "bonus");
  json["inputs"]["bonus"] = to_json(bonus);
  const Array more = output(json);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(plain(i, 0) + plain(i, 1) == doctest::Approx(0).epsilon(1e-4));
    for (std::size_t c = 0; c < 4; ++c)
      CHECK(more(i, c) == doctest::Approx(plain(i, c) + bonus(i, c)));
  }
  json["mechanism"]["groups"] = 3;
  CHECK_THROWS_WITH_AS(run_json(json), doctest::Contains("groups must divide d"), Error);
}

TEST_CASE("a block without norms and with a feed-forward of 0 is x + attention") {
  const Given own{{"structure.ffn.W_down", Array({11, 4})}};
  for (const char* order : {"pre", "post", "sandwich", "output", "parallel"}) {
    const Json json = given(block({{"norm", "none"}, {"order", order}}), own);
    Json alone = document(in_heads({{"type", "multi-head"}, {"count", 2}}), x);
    for (const auto& [name, array] : json["parameters"].items()) {
      if (name.starts_with("structure.attention."))
        alone["parameters"][name.substr(std::string("structure.attention.").size())] = array;
    }
    alone["parameters"].erase("ffn");
    Json no_bias = json;  // the drawn biases of the feed-forward are left out
    for (const char* bias : {"b_gate", "b_up", "b_down"})
      no_bias["parameters"].erase(std::string("structure.ffn.") + bias);
    Array sum = output(alone, "context");
    for (std::size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += x.data[i];
    same(output(no_bias), sum);
  }
}

TEST_CASE("a block whose parts end in 0 is the identity in the orders pre and parallel") {
  const Given own{{"structure.ffn.W_down", Array({11, 4})},
                  {"structure.attention.heads.W_O", zero44}};
  for (const char* order : {"pre", "parallel", "sandwich", "output"})
    same(output(document(block({{"order", order}}), x, own)), x);
}

TEST_CASE("causal attention makes a causal block, in every order and with every norm") {
  for (const char* order : {"pre", "post", "sandwich", "output", "parallel"}) {
    for (const char* norm : {"rms", "layer", "none"}) {
      Json json = block({{"order", order}, {"norm", norm}});
      json["attention"]["mask"] = "mask-causal";
      check_causal(document(json, x));
    }
  }
}

TEST_CASE("one norm for both parts of a parallel block is two norms with the same scale") {
  const Array gamma = random({4}, "gamma");
  Json shared = given(block({{"order", "parallel"}, {"shared", true}}), {});
  shared["parameters"]["structure.norm1.gamma"] = to_json(gamma);
  Json apart = shared;
  apart["mechanism"]["shared"] = false;
  apart["parameters"]["structure.norm2.gamma"] = to_json(gamma);
  same(output(shared), output(apart));
}

TEST_CASE("a block says what does not fit its residual, its slots and its names") {
  Json json = document(block(), x, {{"structure.attention.heads.W_O", random({4, 3}, "W")}});
  CHECK_THROWS_WITH_AS(run_json(json), doctest::Contains("both need the shape [6 4]"), Error);
  json = document(block({{"ffn", "rmsnorm"}}), x);
  CHECK_THROWS_WITH_AS(run_json(json), doctest::Contains("swiglu, mlp, mixture-of-experts do"),
                       Error);
  json = document(block(), x, {{"structure.norm3.gamma", ones4}});
  CHECK_THROWS_WITH_AS(run_json(json), doctest::Contains("no parameter \"structure.norm3.gamma\""),
                       Error);
  CHECK(output(document(block(), random({1, 4}, "one"))).rows() == 1);
}

TEST_CASE("a block may hold a core, or attention without heads") {
  Json json = block();
  json["attention"] = {{"core", {{"type", "linear"}, {"causal", true}}},
                       {"heads", {{"type", "multi-head"}, {"count", 2}}}};
  check_causal(document(json, x));
  json["attention"] = {{"heads", nullptr}, {"mask", "mask-causal"}};
  check_causal(document(json, x));
}

TEST_CASE("a mixer without its additions is its core in heads") {
  const Json json = given(bare(), {});
  Json alone = document(in_heads({{"type", "multi-head"}, {"count", 2}}, {{"core", "gla"}}), x);
  for (const char* name : {"W_Q", "W_K", "W_V", "W_O"})
    alone["parameters"][std::string("heads.") + name] =
        json["parameters"][std::string("structure.") + name];
  alone["parameters"]["structure.alpha"] = json["parameters"]["structure.core.alpha"];
  same(output(json), output(alone, "context"));
  same(output(json, "weights"), output(alone, "weights"));
}

TEST_CASE("a convolution that keeps its own row is none") {
  const Json without = given(bare(), {});
  Json with = document(bare({{"conv", 3}}), x);
  with["parameters"] = without["parameters"];
  Array kernel({2, 3, 2});
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t c = 0; c < 2; ++c) kernel(t, 2, c) = 1;
  for (const char* side : {"Q", "K", "V"})
    with["parameters"][std::string("structure.conv_") + side] = to_json(kernel);
  same(output(with), output(without));
}

TEST_CASE("a mixer is causal, with shared key heads and one norm for all heads too") {
  for (const bool joined : {false, true}) {
    const Json json{{"type", "linear-mixer"}, {"count", 4}, {"groups", 2}, {"joined", joined}};
    check_causal(document(json, x));
    const Array zero = output(document(json, x, {{"structure.W_O", zero44}}));
    for (const double number : zero.data) CHECK(number == 0);
  }
}

TEST_CASE("a mixer whose key heads do not divide its value heads is refused at groups") {
  const Json json = document({{"type", "linear-mixer"}, {"count", 4}, {"groups", 3}}, x);
  CHECK_THROWS_WITH_AS(run_json(json), doctest::Contains("groups must divide count"), Error);
}

TEST_CASE("a mixer's gates of the core come from its rows") {
  const Json json{{"type", "linear-mixer"}, {"core", {{"type", "gla"}, {"gates", "token"}}}};
  const Ran ran = run_json(with_parameters(document(json, x), 2));
  CHECK(ran.parameters.at("structure.core.W_alpha").shape == Shape{2, 4, 2});
  check_causal(document(json, x));
}

TEST_CASE("minGRU with an open gate forgets, and depends on its state only linearly") {
  const auto cell = [&](const char* act, double gate) {
    Array b({6});
    for (std::size_t c = 3; c < 6; ++c) b(c) = gate;
    Array W = random({4, 6}, "W");
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 3; c < 6; ++c) W(r, c) = 0;
    return document({{"type", "fm-rnn"}, {"cell", {{"type", "mingru"}, {"act", act}}}}, x,
                    {{"structure.cell.W", W}, {"structure.cell.b", b}});
  };
  const Array open = output(cell("identity", 60)), W = random({4, 6}, "W");
  for (std::size_t t = 0; t < 6; ++t) {
    const Row u = mapped(x.row(t), W);
    for (std::size_t c = 0; c < 3; ++c) CHECK(open(t, c) == doctest::Approx(u[c]).epsilon(1e-4));
  }
  const Array squashed = output(cell("g", 0));
  for (const double number : squashed.data) CHECK(number > 0);
  // The gate is 1/2 everywhere: a state doubled before the first row is doubled in what is left of it.
  Json from = cell("identity", 0);
  const Array none = output(from);
  from["inputs"]["initial"] = to_json(Array({1, 3}, 1));
  const Array one = output(from);
  for (std::size_t t = 0; t < 6; ++t)
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(one(t, c) - none(t, c) ==
            doctest::Approx(std::pow(.5, static_cast<double>(t + 1))).epsilon(1e-3));
}

TEST_CASE("minLSTM with equal gates takes the mean, also where both are as good as 0") {
  for (const double gate : {0., -800.}) {
    Array b({9});
    for (std::size_t c = 3; c < 9; ++c) b(c) = gate;
    Array W = random({4, 9}, "W");
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 3; c < 9; ++c) W(r, c) = 0;
    const Array h =
        output(document({{"type", "fm-rnn"}, {"cell", {{"type", "minlstm"}, {"act", "identity"}}}},
                        x, {{"structure.cell.W", W}, {"structure.cell.b", b}}));
    for (std::size_t t = 0; t < 6; ++t) {
      const Row u = mapped(x.row(t), W);
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(h(t, c) == doctest::Approx((u[c] + (t == 0 ? 0 : h(t - 1, c))) / 2).epsilon(1e-4));
    }
  }
}

TEST_CASE("sLSTM stays below 1, begins with o z, and is inert to a constant in all input gates") {
  const Array W = random({4, 12}, "W"), U = random({3, 12}, "U"), b = random({12}, "b");
  const auto states = [&](double more) {
    Array shifted = b;
    for (std::size_t c = 0; c < 3; ++c) shifted(c) += more;
    return output(document(
        {{"type", "fm-rnn"}, {"cell", "slstm"}}, scaled(x, 5),
        {{"structure.cell.W", W}, {"structure.cell.U", U}, {"structure.cell.b", shifted}}));
  };
  const Array h = states(0);
  for (const double number : h.data) CHECK(std::abs(number) < 1);
  const Row all = mapped(scaled(x, 5).row(0), W);
  for (std::size_t c = 0; c < 3; ++c)
    CHECK(h(0, c) == doctest::Approx(activate("sigmoid", all[9 + c] + b(9 + c)) *
                                     activate("tanh", all[6 + c] + b(6 + c)))
                         .epsilon(1e-4));
  same(states(5), h);
  same(states(-900), h, 1e-3);
  same(states(900), h, 1e-3);
}

}  // namespace attend::testing::today::blocks_today_test
