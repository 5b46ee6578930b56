// SPDX-License-Identifier: Apache-2.0
// Items of the mask slot that change energies or tokens, and what holds for every item.
#include <cmath>
#include <doctest/doctest.h>

#include "catalogue/entry.h"
#include "tests/each.h"
#include "tests/rows/masks.h"

namespace attend::testing::mask_energies_test {
namespace {

constexpr std::size_t n = 6;

bool has_table(const Mechanism& mechanism) {
  return std::any_of(mechanism.knobs.begin(), mechanism.knobs.end(),
                     [](const Knob& knob) { return knob.type == Knob::Type::matrix; });
}

Json item(const Mechanism& mechanism) {
  Json json = Json::parse("{" + std::string(mechanism.example) + "}");
  json["type"] = std::string(mechanism.id);
  return json;
}

void check_against_reference(const Mechanism& mechanism, std::size_t m, std::size_t keys) {
  Json document = masked(item(mechanism), m, keys);
  document["inputs"]["rule"] = to_json(noise({m, keys}, "rule"));
  const Ran ran = run_json(document);
  ReferenceIn in;
  for (const auto read = read_document(document); const auto& [name, input] : read.inputs)
    in.tensors[name] = in.tensors["inputs." + name] = Array(input.tensor);
  for (const auto& [name, output] : ran.outputs) in.tensors[name] = output;
  for (const auto& [name, parameter] : ran.parameters)
    in.parameters[name.substr(name.rfind('.') + 1)] = parameter;
  in.knobs = ran.knobs.at("/mechanism/mask/0");
  for (const auto& [name, expected] : reference_of(mechanism)(in)) {
    CHECK_MESSAGE(distance(ran.outputs.at(name), expected) < tolerance,
                  mechanism.id << " of " << m << " x " << keys << ", " << name);
  }
}

// Whether its record says for how many tokens there is such a mask.
bool needs_a_size(const Mechanism& mask) { return mask.extents.size() > 0 && !has_table(mask); }

// Whether it takes so many queries and keys. What its record leaves open it has to take.
bool takes(const Mechanism& mask, std::size_t m, std::size_t keys) {
  if (!needs_a_size(mask)) return true;
  try {
    (void)run_json(masked(item(mask), m, keys));
  } catch (const Error& error) {
    CHECK(error.path.starts_with("/mechanism/mask"));
    return false;
  }
  return true;
}

Mechanisms masks_of_any_size() {
  Mechanisms list = every_mask();
  std::erase_if(list, [](const Mechanism* mask) { return has_table(*mask); });
  return list;
}

const Each sizes(
    "equals its reference for few tokens and for many", masks_of_any_size,
    [](const Mechanism& mask) {
      std::size_t taken = 0;
      for (const auto& [m, keys] : std::vector<std::pair<std::size_t, std::size_t>>{
               {1, 1}, {1, 7}, {7, 1}, {2, 3}, {9, 17}, {33, 33}, {20, 20}, {34, 34}}) {
        if (!takes(mask, m, keys)) continue;
        check_against_reference(mask, m, keys);
        ++taken;
      }
      CHECK(taken > (needs_a_size(mask) ? 1 : 7));
    });

const Each one_head("is the same in one head, and row by row", every_mask,
                    [](const Mechanism& mask) {
                      const std::size_t size = needs_a_size(mask) ? mask.extents.begin()->size : 5;
                      Json document = masked(item(mask), size, size);
                      document["inputs"]["rule"] = to_json(noise({size, size}, "rule"));
                      document["mechanism"]["score"] = "dot";
                      const Ran plain = run_json(document);
                      document["parameters"] = Json::object();
                      for (const auto& [name, table] : plain.parameters)
                        document["parameters"][name] = to_json(table);
                      Json heads = document;
                      heads["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 1}};
                      for (const char* map : {"W_Q", "W_K", "W_V", "W_O"}) {
                        Array one = own_pairs(6);
                        if (map[2] != 'O') one.shape.insert(one.shape.begin(), 1);
                        heads["parameters"]["heads." + std::string(map)] = to_json(one);
                      }
                      CHECK(distance(run_json(heads).outputs.at("context"),
                                     plain.outputs.at("context")) < tolerance);
                      Json rows = document;  // a temperature of 1 in every row
                      rows["mechanism"]["alignment"] = "adaptive-temperature";
                      rows["parameters"]["alignment.W"] = std::vector<double>(6, 0);
                      rows["parameters"]["alignment.U"] = std::vector<double>(6, 0);
                      CHECK(distance(run_json(rows).outputs.at("context"),
                                     plain.outputs.at("context")) < tolerance);
                    });

const Each no_weight(
    "leaves no weight where it rules out, whatever aligns, for scores up to 10^4", every_mask,
    [](const Mechanism& mask) {
      for (const Mechanism* alignment : every_alignment()) {
        SUBCASE(alignment->id.data()) {
          Json document = example_document(*alignment, 2);
          const auto shape = [&](const char* role) {
            return document["inputs"][role]["shape"].get<Shape>();
          };
          if (has_table(mask) && shape("key")[0] != 5) return;
          if (!takes(mask, shape("query")[0], shape("key")[0])) return;
          Array query = noise(shape("query"), "large");
          for (double& x : query.data) x *= 3000;
          document["inputs"]["query"] = to_json(query);
          document["inputs"]["rule"] = to_json(noise({shape("query")[0], shape("key")[0]}, "rule"));
          document["mechanism"]["mask"] = Json::array({item(mask)});
          const Ran ran = run_json(document);
          const Array& a = ran.outputs.at("weights");
          for (std::size_t i = 0; i < a.data.size(); ++i) {
            CHECK(std::isfinite(a.data[i]));
            if (ran.outputs.contains("mask") && ran.outputs.at("mask").data[i] == 0)
              CHECK(a.data[i] == 0);
          }
        }
      }
    });

}  // namespace

TEST_CASE("a constant on all positions changes nothing, minus infinity takes the weight") {
  const Ran plain = run_json(masked("[]", n, n));
  const Ran constant = run_json(masked(
      R"({"type": "positional-mask-energy", "values": [7.5, 7.5, 7.5, 7.5, 7.5, 7.5]})", n, n));
  CHECK(distance(constant.outputs.at("weights"), plain.outputs.at("weights")) < tolerance);
  CHECK(distance(constant.outputs.at("scores"), plain.outputs.at("scores")) == 0);
  const Ran cut = run_json(
      masked(R"({"type": "positional-mask-energy", "values": [0, null, 0, 0, null, 0]})", n, n));
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(cut.outputs.at("weights")(i, 1) == 0);
    CHECK(cut.outputs.at("weights")(i, 4) == 0);
  }
  CHECK(distance(cut.outputs.at("scores"), plain.outputs.at("scores")) == 0);
  const Ran none = run_json(masked(
      R"({"type": "positional-mask-energy", "values": [null, null, null, null, null, null]})", n,
      n));
  for (const double x : none.outputs.at("context").data) CHECK(x == 0);
}

TEST_CASE("a rule of weight 0 changes nothing, a heavy one decides") {
  Json document = masked(R"({"type": "rule-augmented", "rho": 0})", n, n);
  Array rule({n, n}, 0);
  for (std::size_t i = 0; i < n; ++i) rule(i, 2) = 1;
  document["inputs"]["rule"] = to_json(rule);
  const Ran plain = run_json(masked("[]", n, n)), off = run_json(document);
  CHECK(distance(off.outputs.at("weights"), plain.outputs.at("weights")) < tolerance);
  document["mechanism"]["mask"][0]["rho"] = 200;
  const Ran heavy = run_json(document);
  for (std::size_t i = 0; i < n; ++i) CHECK(heavy.outputs.at("weights")(i, 2) > 0.999);
  CHECK(distance(heavy.outputs.at("scores"), plain.outputs.at("scores")) == 0);
}

TEST_CASE("masked words are hidden in the rows, and attention still looks both ways") {
  const Json token{{"mask.0.x_mask", {1, 2, 3, 4, 5, 6}}};
  const Ran ran =
      run_json(masked(R"({"type": "mask-mlm", "rate": 1, "masked": 1, "random": 0})", 3, n, token));
  CHECK(!ran.outputs.contains("mask"));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t c = 0; c < 6; ++c) CHECK(ran.outputs.at("key")(j, c) == double(c + 1));
  }
  for (const double weight : ran.outputs.at("weights").data)
    CHECK(weight == doctest::Approx(1. / n));
  const Array key = noise({n, 6}, "k");
  for (const char* idle : {R"({"type": "mask-mlm", "rate": 0})",
                           R"({"type": "mask-mlm", "rate": 1, "masked": 0, "random": 0})"}) {
    const Ran same = run_json(masked(idle, n, n, token));
    CHECK(distance(same.outputs.at("key"), key) < tolerance);
    for (const double weight : same.outputs.at("weights").data) CHECK(weight > 0);
  }
  Json random = masked(R"({"type": "mask-mlm", "rate": 1, "masked": 0, "random": 1})", n, n, token);
  random["parameters"]["mask.0.u_token"] = {0.99, 0.8, 0.6, 0.4, 0.2, 0};
  const Array turned = run_json(random).outputs.at("key");
  for (std::size_t j = 0; j < n; ++j)
    CHECK(distance(rows_between(turned, j, j + 1), rows_between(key, n - 1 - j, n - j)) <
          tolerance);
}

TEST_CASE("of many words 15 % are picked, and 80 % of these hidden") {
  const std::size_t many = 4000;
  const Ran ran = run_json([&] {
    Json document = masked(R"("mask-mlm")", 1, many, {{"mask.0.x_mask", {9, 9, 9, 9, 9, 9}}});
    document["outputs"] = {"key"};
    return document;
  }());
  const Array key = noise({many, 6}, "k");
  double hidden = 0, changed = 0;
  for (std::size_t j = 0; j < many; ++j) {
    hidden += ran.outputs.at("key")(j, 0) == 9 ? 1. / many : 0;
    changed += std::abs(ran.outputs.at("key")(j, 0) - key(j, 0)) > 1e-4 ? 1. / many : 0;
  }
  CHECK(std::abs(hidden - 0.12) < 0.02);
  CHECK(std::abs(changed - 0.135) < 0.02);
}

}  // namespace attend::testing::mask_energies_test
