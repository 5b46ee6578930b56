// SPDX-License-Identifier: Apache-2.0
// What the catalogue says of each mask: its limit cases, and what it equals.
#include "tests/rows/masks.h"

#include <cmath>
#include <doctest/doctest.h>

namespace attend::testing::masks_test {
namespace {

constexpr std::size_t n = 6;

Array context(const char* masks, const Json& parameters = {}) {
  return run_json(masked(masks, n, n, parameters)).outputs.at("context");
}

Array weights(const char* masks, const Json& parameters = {}) {
  return run_json(masked(masks, n, n, parameters)).outputs.at("weights");
}

Json with(const char* name, const Array& table) { return {{name, to_json(table)}}; }

// Where two steps of a mask lead.
Array twice(const Array& mask) {
  return mask_where(mask.rows(), mask.cols(), [&](std::size_t i, std::size_t j) {
    bool reached = false;
    for (std::size_t via = 0; via < mask.cols(); ++via)
      reached = reached || (mask(i, via) != 0 && mask(via, j) != 0);
    return reached;
  });
}

double share(const Array& mask) {
  double sum = 0;
  for (const double one : mask.data) sum += one;
  return sum / static_cast<double>(mask.data.size());
}

}  // namespace

TEST_CASE("limit cases of the masks are full, the identity, or causal") {
  CHECK(pairs(R"({"type": "mask-window", "window": 5})", n).data == full(n).data);
  CHECK(pairs(R"({"type": "mask-window", "window": 0})", n).data == own_pairs(n).data);
  CHECK(pairs(R"({"type": "mask-block", "block": 6})", n).data == full(n).data);
  CHECK(pairs(R"({"type": "mask-block", "block": 1})", n).data == own_pairs(n).data);
  CHECK(pairs(R"({"type": "mask-block-local", "l_q": 2, "l_m": 6})", n).data == past_pairs(n).data);
  CHECK(pairs(R"({"type": "mask-sparse-strided", "l": 6, "part": "first"})", n).data ==
        past_pairs(n).data);
  for (const char* part : {"second", "union"}) {
    const std::string fixed =
        R"({"type": "mask-sparse-fixed", "l": 3, "c": 3, "part": ")" + std::string(part) + "\"}";
    CHECK(pairs(fixed.c_str(), n).data == past_pairs(n).data);
  }
  CHECK(pairs(R"({"type": "mask-routing", "clusters": 1})", n).data == full(n).data);
  Json complete{{"type", "mask-graph"}, {"adjacency", Json::array()}};
  for (std::size_t i = 0; i < n; ++i) complete["adjacency"].push_back(std::vector<double>(n, 1));
  CHECK(pairs(complete.dump().c_str(), n).data == full(n).data);
  for (auto& row : complete["adjacency"]) row = std::vector<double>(n, 0);
  CHECK(pairs(complete.dump().c_str(), n).data == own_pairs(n).data);
  CHECK(pairs(R"("mask-lsh")", n, with("mask.0.R", Array({2, 6, 2}, 0))).data == full(n).data);
  const Json none = with("mask.0.random", Array({n, n}, 0));
  CHECK(pairs(R"({"type": "mask-bigbird", "global": 6})", n, none).data == full(n).data);
  CHECK(pairs(R"({"type": "mask-bigbird", "global": 0, "window": 1})", n, none).data ==
        pairs(R"({"type": "mask-window", "window": 1})", n).data);
}

TEST_CASE("forward, backward and the diagonal make the whole") {
  const Array fw = pairs(R"("mask-directional-fw")", n), bw = pairs(R"("mask-directional-bw")", n),
              others = pairs(R"("mask-diagonal")", n), self = own_pairs(n);
  for (std::size_t i = 0; i < fw.data.size(); ++i) {
    CHECK(fw.data[i] + bw.data[i] == others.data[i]);
    CHECK(others.data[i] + self.data[i] == 1);
  }
  const Array a = weights(R"("mask-diagonal")");
  for (std::size_t i = 0; i < n; ++i) CHECK(a(i, i) == 0);
}

TEST_CASE("a directional mask leaves one row without keys: zero, and a warning") {
  const Ran fw = run_json(masked(R"("mask-directional-fw")", n, n));
  const Ran bw = run_json(masked(R"("mask-directional-bw")", n, n));
  for (std::size_t c = 0; c < 6; ++c) {
    CHECK(fw.outputs.at("context")(0, c) == 0);
    CHECK(bw.outputs.at("context")(n - 1, c) == 0);
  }
  CHECK(fw.warnings.size() == 1);
  CHECK(bw.warnings.size() == 1);
}

TEST_CASE("under the causal mask the past does not see the future") {
  const Json document = masked(R"("mask-causal")", n, n);
  const Ran ran = run_json(document);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) CHECK(ran.outputs.at("weights")(i, j) == 0);
  }
  const Array value = noise({n, 6}, "v");
  CHECK(distance(rows_between(ran.outputs.at("context"), 0, 1), rows_between(value, 0, 1)) <
        tolerance);
  Json other = document;
  for (const char* role : {"query", "key", "value"}) {
    for (std::size_t i = 4 * 6; i < n * 6; ++i) other["inputs"][role]["data"][i] = 3. - double(i);
  }
  const Array &before = ran.outputs.at("context"), after = run_json(other).outputs.at("context");
  CHECK(distance(rows_between(after, 0, 4), rows_between(before, 0, 4)) == 0);
  CHECK(distance(after, before) > 0.1);
}

TEST_CASE("the causal mask minds the order of the keys") {
  Json turned = masked(R"("mask-causal")", n, n);
  const Array before = run_json(turned).outputs.at("context");
  for (const char* role : {"key", "value"}) {
    Array rows = noise({n, 6}, role == std::string("key") ? "k" : "v");
    std::rotate(rows.data.begin(), rows.data.begin() + 12, rows.data.end());
    turned["inputs"][role] = to_json(rows);
  }
  CHECK(distance(run_json(turned).outputs.at("context"), before) > 0.1);
}

TEST_CASE("padding equals cutting the keys off") {
  for (const std::size_t length : {1, 4}) {
    Json cut = masked(Json::array(), n, n);
    cut["inputs"]["key"] = to_json(rows_between(noise({n, 6}, "k"), 0, length));
    cut["inputs"]["value"] = to_json(rows_between(noise({n, 6}, "v"), 0, length));
    const Json padding{{"type", "mask-padding"}, {"length", length}};
    CHECK(distance(run_json(masked(padding, n, n)).outputs.at("context"),
                   run_json(cut).outputs.at("context")) < tolerance);
  }
}

TEST_CASE("blocks are attentions of their own") {
  const Array all = context(R"({"type": "mask-block", "block": 2})");
  for (std::size_t start = 0; start < n; start += 2) {
    Json alone = masked(Json::array(), n, n);
    for (auto& [role, name] :
         std::map<std::string, std::string>{{"query", "q"}, {"key", "k"}, {"value", "v"}}) {
      alone["inputs"][role] = to_json(rows_between(noise({n, 6}, name), start, start + 2));
    }
    CHECK(distance(run_json(alone).outputs.at("context"), rows_between(all, start, start + 2)) <
          tolerance);
  }
}

TEST_CASE("local blocks see their block's past and the memory before it") {
  CHECK(pairs(R"({"type": "mask-block-local", "l_q": 3, "l_m": 1})", n).data ==
        mask_where(n, n, [](std::size_t i, std::size_t j) {
          return j <= i && j >= (i < 3 ? 0U : 2U);
        }).data);
}

TEST_CASE("multiplying by zero leaks before the softmax and falls short after it") {
  const Array exact = weights(R"("mask-causal")");
  CHECK(distance(weights(R"({"type": "mask-multiply-zero", "variant": "b", "renormalise": true})"),
                 exact) < tolerance);
  const Array leaking = weights(R"({"type": "mask-multiply-zero", "variant": "a"})");
  const Array lacking = weights(R"({"type": "mask-multiply-zero", "variant": "b"})");
  CHECK(distance(leaking, exact) > 0.01);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += lacking(i, j);
    CHECK(sum < 1);
    CHECK(leaking(i, n - 1) > 0);
    CHECK(lacking(i, n - 1) == 0);
  }
}

TEST_CASE("multiplying by any mask, renormalised, equals that mask") {
  for (const char* base :
       {R"({"type": "mask-window", "window": 1})", R"({"type": "mask-directional-fw"})",
        R"({"type": "mask-disco"})", R"({"type": "mask-lsh"})",
        R"({"type": "positional-mask-energy", "values": [0, null, 0, 0, null, 0]})"}) {
    Json nested{{"type", "mask-multiply-zero"}, {"variant", "b"}, {"renormalise", true}};
    nested["base"] = Json::parse(base);
    const Ran ran = run_json(masked(nested, n, n));
    Json parameters = Json::object();  // mask.0.base.R is the other's mask.0.R
    for (const auto& [name, table] : ran.parameters)
      parameters["mask.0." + name.substr(name.rfind('.') + 1)] = to_json(table);
    const Json document = masked(Json::array({Json::parse(base)}), n, n, parameters);
    CHECK_MESSAGE(
        distance(ran.outputs.at("weights"), run_json(document).outputs.at("weights")) < tolerance,
        base);
  }
}

TEST_CASE("a subset of all that came before is the strict past, and no token sees itself") {
  Array past = past_pairs(n);
  CHECK(pairs(R"("mask-disco")", n, with("mask.0.random", past)).data ==
        pairs(R"("mask-directional-fw")", n).data);
  CHECK(pairs(R"("mask-disco")", n, with("mask.0.random", full(n))).data ==
        pairs(R"("mask-diagonal")", n).data);
}

TEST_CASE("selecting every token leaves the directions alone") {
  const Json all{{"mask.0.z_h", std::vector<double>(n, 1)},
                 {"mask.0.z_d", std::vector<double>(n, 1)}};
  CHECK(pairs(R"("mask-selection")", n, all).data == pairs(R"("mask-diagonal")", n).data);
  for (const char* direction : {"fw", "bw"}) {
    const std::string name(direction);
    CHECK(pairs((R"({"type": "mask-selection", "direction": ")" + name + "\"}").c_str(), n, all)
              .data == pairs(("\"mask-directional-" + name + "\"").c_str(), n).data);
  }
  Json some = all;
  some["mask.0.z_h"] = {1, 0, 0, 1, 0, 0};
  some["mask.0.z_d"] = {0, 1, 0, 1, 0, 0};
  CHECK(pairs(R"("mask-selection")", n, some).data ==
        mask_where(n, n, [](std::size_t i, std::size_t j) {
          return (i == 0 && (j == 1 || j == 3)) || (i == 3 && j == 1);
        }).data);
}

TEST_CASE("two steps of the strided pattern reach everything before") {
  for (const std::size_t length : {6U, 16U, 20U}) {
    CHECK(twice(pairs(R"("mask-sparse-strided")", length)).data == past_pairs(length).data);
    CHECK(twice(pairs(R"("mask-sparse-fixed")", length)).data == past_pairs(length).data);
  }
}

TEST_CASE("the mask BigBird draws as many keys for every row, anew with the seed") {
  Json document = masked(R"({"type": "mask-bigbird", "window": 0, "global": 0})", 40, 40, {});
  const Array one = run_json(document).outputs.at("mask");
  document["seed"] = 99;
  CHECK(run_json(document).outputs.at("mask").data != one.data);
  for (std::size_t i = 0; i < 40; ++i) {
    double seen = 0;
    for (std::size_t j = 0; j < 40; ++j) seen += j == i ? 0 : one(i, j);
    CHECK(seen >= 2);
    CHECK(seen <= 3);
  }
  document["mechanism"]["mask"][0]["random"] = 0;
  CHECK(run_json(document).outputs.at("mask").data == own_pairs(40).data);
}

TEST_CASE("global tokens bring every pair within two steps, and without draws BigBird repeats") {
  const Json none = with("mask.0.random", Array({12, 12}, 0));
  const char* bird = R"({"type": "mask-bigbird", "window": 0, "global": 1})";
  CHECK(twice(pairs(bird, 12, none)).data == full(12).data);
  Json document = masked(bird, 12, 12, none);
  const Array one = run_json(document).outputs.at("mask");
  document["seed"] = 99;
  CHECK(run_json(document).outputs.at("mask").data == one.data);
}

TEST_CASE("more rounds of hashing cover more pairs, and closer tokens meet more often") {
  double last = 0;
  for (const std::size_t rounds : {1U, 2U, 4U, 8U}) {
    Array planes = noise({8, 6, 2}, "R");
    planes.data.resize(rounds * 12);
    planes.shape[0] = rounds;
    const double now = share(pairs(R"("mask-lsh")", 16, with("mask.0.R", planes)));
    CHECK(now >= last);
    last = now;
  }
  Json document = masked(R"("mask-lsh")", 1, 5, {});
  Array key({5, 6}, 0);  // at 0, 45, 90, 135 and 180 degrees from the query
  for (std::size_t j = 0; j < 5; ++j) {
    key(j, 0) = std::cos(0.25 * 3.141592653589793 * static_cast<double>(j));
    key(j, 1) = std::sin(0.25 * 3.141592653589793 * static_cast<double>(j));
  }
  document["inputs"]["query"] = to_json(rows_between(key, 0, 1));
  document["inputs"]["key"] = to_json(key);
  Array met({1, 5});
  for (int draw = 0; draw < 300; ++draw) {
    document["parameters"] = with("mask.0.R", noise({1, 6, 2}, "planes " + std::to_string(draw)));
    const Array mask = run_json(document).outputs.at("mask");
    for (std::size_t j = 0; j < 5; ++j) met(0, j) += mask(0, j);
  }
  CHECK(met(0, 0) == 300);
  for (std::size_t j = 0; j < 4; ++j) CHECK(met(0, j) > met(0, j + 1));
  CHECK(met(0, 4) == 0);  // opposite vectors never share a bucket
}

TEST_CASE("a token that no cluster takes sees nothing") {
  Json document = masked(R"({"type": "mask-routing", "clusters": 3})", n, n,
                         with("mask.0.mu", Array({3, 6}, 0)));  // ties: all take tokens 0 and 1
  const Ran ran = run_json(document);
  CHECK(ran.outputs.at("mask").data ==
        mask_where(n, n, [](std::size_t i, std::size_t j) { return i < 2 && j < 2; }).data);
  for (std::size_t c = 0; c < 6; ++c) CHECK(ran.outputs.at("context")(n - 1, c) == 0);
}

TEST_CASE("the sorting shows the first t blocks, and all of them in the end") {
  Json document = masked("[]", n, n);
  Array query({n, 6}, 0), map({12, 3}, 0);  // the sum of query block r is e_r
  for (std::size_t r = 0; r < 3; ++r) {
    query(2 * r, r) = 1;
    map(r, (r + 2) % 3) = 1;  // place r holds block r + 2
  }
  document["inputs"]["query"] = to_json(query);
  document["parameters"] = with("mask.0.W", map);
  const std::vector<std::size_t> order{2, 0, 1};
  for (std::size_t t = 0; t <= 3; ++t) {
    document["mechanism"]["mask"] = Json::array({Json{{"type", "mask-sortcut"}, {"t", t}}});
    CHECK(run_json(document).outputs.at("mask").data ==
          mask_where(n, n, [&](std::size_t, std::size_t j) {
            return std::find(order.begin(), order.begin() + static_cast<long>(t), j / 2) !=
                   order.begin() + static_cast<long>(t);
          }).data);
  }
}

}  // namespace attend::testing::masks_test
