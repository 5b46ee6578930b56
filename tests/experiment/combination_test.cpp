// SPDX-License-Identifier: Apache-2.0
// Whole modules put together at random: what the catalogue's data forbids is refused with its
// reason, everything else runs and keeps the universal laws.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "ops/random.h"
#include "tests/experiment/combinations.h"

namespace attend::testing::combination_test {
namespace {

// How many modules are drawn around each mechanism: all of them by ./test --all.
std::size_t wanted() { return sweeps_in_full() ? 18 : 4; }

// Rows of weights: U1 (nonnegative, sums), U2 (masked entries are 0), U6 (contexts in the hull).
void check_rows(const Ran& ran, const Combination& drawn) {
  const Array& weights = ran.outputs.at("weights");
  for (const double a : weights.data) CHECK(std::isfinite(a));
  // A core's weights need not be shares of anything.
  if (drawn.has("core") && !drawn.all(&Laws::rows_sum_to_one)) return;
  const bool features = std::any_of(drawn.chosen.begin(), drawn.chosen.end(), [](const auto& one) {
    const auto* own = std::get_if<Dimensionality>(&one.second->behaviour);
    return own != nullptr && own->scores != nullptr;
  });
  const std::size_t inner = features ? weights.shape.back() : 1;
  const std::size_t n = features ? weights.shape.end()[-2] : weights.shape.back();
  const std::size_t m = weights.data.size() / inner / n;
  const auto mask = ran.outputs.find("mask");
  const std::size_t mask_rows = mask == ran.outputs.end() ? 1 : mask->second.rows();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t f = 0; f < inner; ++f) {
      double sum = 0;
      bool any = false;
      for (std::size_t j = 0; j < n; ++j) {
        const double a = weights.data[(i * n + j) * inner + f];
        const bool allowed = mask == ran.outputs.end() || mask->second(i % mask_rows, j) != 0;
        any = any || allowed;
        CHECK(std::isfinite(a));
        if (drawn.all(&Laws::nonnegative)) CHECK(a >= 0);
        if (!allowed) CHECK(a == 0);
        sum += a;
      }
      // A window may see nothing that the mask allows: then the row is 0, and that is said.
      if (any && sum == 0 && !features) CHECK(!ran.warnings.empty());
      if (any && sum != 0 && drawn.all(&Laws::rows_sum_to_one))
        CHECK_MESSAGE(std::abs(sum - 1) < 10 * tolerance, "row " << i << ": " << sum);
      if (!any) CHECK(sum == 0);
    }
  }
}

#ifdef ATTEND_DOUBLE
double dot_all(const Arrays& a, const Arrays& b) {
  double sum = 0;
  for (const auto& [name, array] : a) {
    for (std::size_t i = 0; i < array.data.size(); ++i) sum += array.data[i] * b.at(name).data[i];
  }
  return sum;
}

// U7: the slope along one random direction through all inputs and parameters.
void check_slope(const Combination& drawn) {
  if (!drawn.by_gradient()) return;
  Json full = with_parameters(drawn.document(), drawn.seed());
  full["outputs"] = {"context"};
  full["gradient"] = {{"of", "context"}};
  const Ran ran = run_json(full);
  Arrays direction;
  for (const auto& [name, gradient] : ran.gradients) {
    const RandomStream stream(drawn.seed(), "direction:" + name);
    direction[name] = Array(gradient.shape);
    for (std::size_t i = 0; i < gradient.data.size(); ++i)
      direction[name].data[i] = stream.normal(i);
  }
  const auto at = [&](double step) {
    Json moved = full;
    moved.erase("gradient");
    for (const auto& [name, along] : direction) {
      Json& data = (name.starts_with("inputs.") ? moved["inputs"][name.substr(7)]
                                                : moved["parameters"][name])["data"];
      for (std::size_t i = 0; i < along.data.size(); ++i)
        data[i] = data[i].get<double>() + step * along.data[i];
    }
    double sum = 0;
    const Array context = run_json(moved).outputs.at("context");
    for (const double x : context.data) sum += x;
    return sum;
  };
  const double slope = dot_all(ran.gradients, direction);
  const auto difference = [&](double step) { return (at(step) - at(-step)) / (2 * step); };
  const double near = difference(1e-6), far = difference(3e-6);
  // Where the two differences disagree, a kink (a relu, a threshold) lies between them.
  if (std::abs(near - far) > 1e-4 * (1 + std::abs(near))) return;
  CHECK_MESSAGE(std::abs(near - slope) < 2e-3 * (1 + std::abs(slope)),
                "slope " << near << ", gradient " << slope);
}
#endif

void check_refused(const Combination& drawn) {
  std::string message;
  try {
    (void)read_document(drawn.document());
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK_MESSAGE(message.find("cannot be combined with") != std::string::npos, message);
}

// An error in one module is told with what the module was, and the others are still tried.
template <class Check>
void attempt(const Combination& drawn, Check check) {
  const std::string module = drawn.text();
  CAPTURE(module);
  try {
    check();
  } catch (const Error& error) {
    FAIL_CHECK(error.path << " " << std::string(error.what()));
  }
}

const Each random_modules("runs in random modules or is refused with the catalogue's reason",
                          every_part, [](const Mechanism& around) {
                            std::size_t done = 0;
                            for (std::uint64_t round = 1; done < wanted(); ++round) {
                              REQUIRE_MESSAGE(round < 5000, "fits into no module");
                              const Combination drawn = combination(around, round);
                              if (!drawn.sizes_fit()) continue;
                              attempt(drawn, [&] {
                                if (!drawn.forbidden().empty()) return check_refused(drawn);
                                ++done;
                                check_rows(run_json(drawn.document()), drawn);
#ifdef ATTEND_DOUBLE
                                if (done % 4 == 0) check_slope(drawn);
#endif
                              });
                            }
                          });

// Without what goes by places: the slots left are score, alignment, heads and so on.
Combination without_places(Combination drawn) {
  std::erase_if(drawn.chosen, [](const auto& one) {
    const std::string& slot = one.first;
    return slot == "mask" || slot == "position" || slot == "key" || slot == "output" ||
           slot == "penalties" || slot == "query";
  });
  drawn.chosen.emplace_back("query", find_mechanism(Kind::query, "query-basic"));
  return drawn;
}

// What chooses one key goes by the index where keys tie.
bool ignores_order(const Combination& drawn) {
  return drawn.all(&Laws::permutation) && drawn.by_gradient();
}

Mechanisms orderless_parts() {
  Mechanisms list = every_part();
  std::erase_if(list, [](const Mechanism* part) {
    const Combination alone = without_places({{{std::string(slot_name(part->kind())), part}}});
    return alone.chosen.size() == 1 || !alone.forbidden().empty() || !ignores_order(alone);
  });
  return list;
}

void check_turned(const Combination& drawn) {
  const Json document = with_parameters(drawn.document(), drawn.seed());
  Json turned = document;
  std::set<std::string> by_key{"key", "value"};
  for (const auto& [slot, mechanism] : drawn.chosen) {
    for (const Role& role : mechanism->roles)
      if (slot == "value" && role.shape.starts_with("n ")) by_key.emplace(role.name);
  }
  for (const std::string& role : by_key) {
    std::vector<double> rows = turned["inputs"][role]["data"];
    std::rotate(rows.begin(), rows.begin() + 12, rows.end());
    turned["inputs"][role]["data"] = rows;
  }
  CHECK(distance(run_json(turned).outputs.at("context"), run_json(document).outputs.at("context")) <
        100 * tolerance);
}

void check_one_key(const Combination& drawn) {
  if (drawn.has("heads") || drawn.has("aggregate") || !drawn.all(&Laws::rows_sum_to_one)) return;
  if (drawn.has("value")) return;  // the context is no mean of the values that come in
  if (drawn.is_square()) return;   // there is one key for five queries
  Json alone = drawn.document();
  alone["inputs"]["key"] = to_json(Array({1, 6}, 0.5));
  alone["inputs"]["value"] = to_json(Array({1, 6}, 2));
  for (const auto& [slot, mechanism] : drawn.chosen) {
    for (const Role& role : mechanism->roles) {
      if (role.shape.find(" n") != std::string_view::npos)
        alone["inputs"][std::string(role.name)] = to_json(Array({5, 1}, 0.1));
    }
  }
  const Array context = run_json(alone).outputs.at("context");
  for (const double number : context.data) CHECK(number == doctest::Approx(2));
}

const Each orderless("does not see the order of keys in random modules without places",
                     orderless_parts, [](const Mechanism& around) {
                       std::size_t done = 0;
                       for (std::uint64_t round = 1; 4 * done < wanted(); ++round) {
                         REQUIRE_MESSAGE(round < 5000, "fits into no module without places");
                         const Combination drawn = without_places(combination(around, round));
                         if (!drawn.forbidden().empty() || !drawn.sizes_fit() ||
                             !ignores_order(drawn))
                           continue;
                         ++done;
                         attempt(drawn, [&] {
                           check_turned(drawn);
                           check_one_key(drawn);
                         });
                       }
                     });

}  // namespace
}  // namespace attend::testing::combination_test
