// SPDX-License-Identifier: Apache-2.0
// Every alignment on scores up to 10^4, from one key to 1024, with rows masked in part and wholly:
// against its reference, which is in double or better. And gradients beyond those of the examples.
#include <algorithm>
#include <cmath>
#include <functional>

#include "catalogue/entry.h"
#include "tests/each.h"
#include "tests/rows/alignment_case.h"

namespace attend::testing::alignment_numbers_test {
namespace {

#ifdef ATTEND_DOUBLE
constexpr double near = 1e-9;
#else
constexpr double near = 1e-5;
#endif

Array some_mask(std::size_t m, std::size_t n) {  // row 1 sees nothing, row 2 one key
  const RandomStream stream(5, "mask");
  Array mask({m, n}, 1);
  for (std::size_t j = 0; j < n; ++j) {
    mask(0, j) = stream.coin(j);
    mask(1, j) = 0;
    mask(2, j) = j == n / 2 ? 1 : 0;
  }
  return mask;
}

// The numbers that move results of these rows by more than float's rounding of their input.
bool amplifies(const std::string& id) {
  return id == "sinkhorn-normalise" || id == "syntax-distance-gaussian";
}

void check_numbers(const Mechanism& mechanism, std::size_t n, double spread, bool masked) {
  const std::string id(mechanism.id);
  Case one{Case::noise({5, n}, spread, "e" + std::to_string(n)), id};
  if (masked) one.mask = some_mask(5, n);
  const Ran ran = one.run();
  ReferenceIn in;
  for (const char* role : {"query", "key", "value"}) in.tensors[role] = ran.outputs.at(role);
  in.tensors["scores"] = one.energy;
  if (masked) in.tensors["mask"] = one.mask;
  for (const auto& [name, parameter] : ran.parameters)
    in.parameters[name.substr(name.find('.') + 1)] = parameter;
  in.knobs = ran.knobs.at("/mechanism/alignment");
  // A large table of distances is not handed back unasked: the tokens as a chain.
  if (id == "syntax-distance-gaussian" && !in.parameters.contains("distance")) {
    Array chain({n, n});
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) chain(i, j) = static_cast<double>(i > j ? i - j : j - i);
    in.parameters["distance"] = chain;
  }
  const Array expected = reference_of(mechanism)(in).at("weights"),
              &found = ran.outputs.at("weights");
  CAPTURE(id);
  CAPTURE(n);
  CAPTURE(spread);
  CAPTURE(masked);
  // A predicted place near n carries float's rounding of n into the bell around it.
  const double place = sizeof(real) == 4 && id == "local-predictive" && n > 100 ? 2e-4 : near;
  const double within = spread > 100 && sizeof(real) == 4 && amplifies(id) ? 2e-2 : place;
  double worst = 0;
  bool legal = true;
  for (std::size_t i = 0; i < found.data.size(); ++i) {
    const double gap =
        std::abs(found.data[i] - expected.data[i]) / (std::abs(expected.data[i]) + 1e-3);
    worst = gap <= worst ? worst : gap;  // a NaN counts
    const bool positive = found.data[i] >= 0 || !mechanism.laws.nonnegative;
    legal = legal && positive && (!masked || one.mask.data[i] != 0 || found.data[i] == 0);
  }
  CHECK(worst <= within);
  CHECK(legal);
  for (std::size_t i = 0; i < 5 && mechanism.laws.rows_sum_to_one; ++i) {
    const double wanted = sum_of(expected.row(i)) == 0 ? 0 : 1;  // a window may be masked out
    CHECK(std::abs(sum_of(found.row(i)) - wanted) < 10 * tolerance);
  }
}

bool draws(const Mechanism& mechanism) {
  return std::any_of(
      mechanism.parameters.begin(), mechanism.parameters.end(),
      [](const Parameter& one) { return origin_of(one.distribution) == Origin::noise; });
}

// Whether longer rows are recorded in more nodes.
bool grows(const Mechanism& mechanism) {
  const auto nodes = [&](std::size_t n) {
    const Case one{Array({5, n}), std::string(mechanism.id)};
    return compile(read_document(one.document())).graph().size();
  };
  return nodes(9) > nodes(5);
}

// A tree has as many queries as keys; these maps have not.
bool is_square(const Mechanism& mechanism) {
  try {
    const Case one{Array({5, 9}), std::string(mechanism.id)};
    (void)compile(read_document(one.document()));
    return false;
  } catch (const Error&) {
    return true;
  }
}

// A drawn key may be another where a cumulated chance differs in its last bit. Graphs that
// grow with n are tested apart.
Mechanisms plain_alignments() {
  Mechanisms list = every_alignment();
  std::erase_if(list, [](const Mechanism* mechanism) {
    return mechanism->recurrent || mechanism->slots.size() > 0 || draws(*mechanism) ||
           is_square(*mechanism) || grows(*mechanism);
  });
  return list;
}

const Each precise("holds its precision for large scores, long rows and masks", plain_alignments,
                   [](const Mechanism& mechanism) {
                     for (const std::size_t n : {1, 2, 17, 64, 1024}) {
                       for (const double spread : {.01, 1., 30., 3000.}) {
                         for (const bool masked : {false, true})
                           check_numbers(mechanism, n, spread, masked);
                       }
                     }
                   });

}  // namespace

TEST_CASE("entmax for every exponent, against bisection on its threshold") {
  const Mechanism& entmax = *find_mechanism(Kind::alignment, "alpha-entmax");
  for (const double alpha : {1., 1.0001, 1.01, 1.3, 1.5, 1.9, 2., 2.5, 3., 4.}) {
    for (const double spread : {.01, 1., 30., 3000.}) {
      Case one{Case::noise({4, 40}, spread, "x"), with("alpha-entmax", {{"alpha", alpha}})};
      ReferenceIn in;
      in.tensors["scores"] = one.energy;
      in.knobs["alpha"] = alpha;
      const Array expected = reference_of(entmax)(in).at("weights"), found = one.weights();
      CAPTURE(alpha);
      CAPTURE(spread);
      double worst = 0;
      for (std::size_t i = 0; i < found.data.size(); ++i)
        worst =
            std::max(worst, std::abs(found.data[i] - expected.data[i]) / (expected.data[i] + 1e-3));
      CHECK(worst <= near);
    }
  }
}

#ifdef ATTEND_DOUBLE
namespace {

double objective(const Json& document, const Array& cotangent) {
  const Array context = run_json(document).outputs.at("context");
  return inner(context.data, cotangent.data);
}

// Slopes by scores and parameters against central differences, by `step`.
void check_slopes(Case one, double step = 1e-5) {
  one.gradient_of = "context";
  one.cotangent = Case::noise({one.energy.rows(), 2}, 1, "g");
  const Ran ran = one.run();
  const Json document = Case{one.energy, one.alignment, one.parameters, one.mask}.document();
  for (const auto& [name, gradient] : ran.gradients) {
    if (name == "inputs.value" || name == "alignment.distance") continue;
    const std::string place = name.starts_with("inputs.") ? "inputs" : "parameters";
    const std::string key = place == "inputs" ? name.substr(7) : name;
    if (place == "parameters" && !document["parameters"].contains(key)) continue;
    for (std::size_t i = 0; i < gradient.data.size(); ++i) {
      const auto moved = [&](double by) {
        Json copy = document;
        Json& source = copy[place][key];
        Json* number = &source;
        if (source.is_object()) number = &source["data"][i];
        *number = number->get<double>() + by;
        return objective(copy, one.cotangent);
      };
      const double slope = (moved(step) - moved(-step)) / (2 * step);
      CAPTURE(one.alignment.dump());
      CAPTURE(name);
      CAPTURE(i);
      CAPTURE(slope);
      CAPTURE(gradient.data[i]);
      CHECK(std::abs(slope - gradient.data[i]) < 1e-6 * (1 + std::abs(slope)));
    }
  }
}

Json tensor(const Shape& shape, const std::string& name) {
  return to_json(Case::noise(shape, 1, name));
}

}  // namespace

TEST_CASE("slopes of every mode, with and without a mask") {
  const Array energy = Case::noise({4, 5}, 1, "slopes");
  const Json place{{"W_p", tensor({2, 3}, "W")}, {"u_p", tensor({3}, "u")}};
  Json layer = place, query = place, syntax = place;
  layer["W_d"] = tensor({2, 3}, "V");
  layer["u_d"] = query["u_d"] = tensor({3}, "w");
  syntax["w_p"] = syntax["u_p"];
  syntax.erase("u_p");
  syntax["distance"] = tensor({5, 5}, "d");
  const std::vector<std::pair<Json, Json>> cases{
      {with("sharpen-topk-smooth", {{"beta", 3}}), Json::object()},
      {with("sharpen-topk-smooth", {{"mode", "top-k"}}), Json::object()},
      {with("sharpen-topk-smooth", {{"mode", "smooth"}}), Json::object()},
      {with("sinkhorn-normalise", {{"gumbel", true}}), {{"gumbel", tensor({4, 5}, "n")}}},
      {with("sinkhorn-normalise", {{"iterations", 0}}), Json::object()},
      {"gaussian-localness", place},
      {with("gaussian-localness", {{"mode", "layer"}}), layer},
      {with("gaussian-localness", {{"mode", "query"}}), query},
      {"syntax-distance-gaussian", syntax},
      {"syntax-distance-decay", Json::object()},
      {"syntax-distance-decay", {{"distance", to_json(Array({4, 5}, 1))}}},
      {"reinforced-alignment", Json::object()},
      {"sparsemax", Json::object()},
      {"sigmoid", Json::object()}};
  for (const auto& [alignment, parameters] : cases) {
    check_slopes({energy, alignment, parameters});
    check_slopes({energy, alignment, parameters, some_mask(4, 5)});
  }
}

TEST_CASE("slopes of entmax by the scores and by gamma") {
  for (const double spread : {.25, 1., 4.}) {
    const Array energy = Case::noise({4, 5}, spread, "slopes");
    for (const double alpha : {1., 1.001, 1.2, 1.5, 2., 2.5, 3., 4.})
      check_slopes({energy, with("alpha-entmax", {{"alpha", alpha}})}, 1e-6);
    for (const double gamma : {-18., -8., -2., 0., 1., 5.}) {
      const Json learned = with("alpha-entmax", {{"learned", true}});
      const Json given{{"gamma", gamma}};
      check_slopes({energy, learned, given});
      check_slopes({energy, learned, given, some_mask(4, 5)});
    }
  }
}

TEST_CASE("Jacobians of entmax as the papers state them") {
  for (const double gamma : {-1., 0., 2.}) {
    const double alpha = 1 + activate("sigmoid", gamma), r = alpha - 1;
    Case one{
        Case::noise({1, 6}, 1, "j"), with("alpha-entmax", {{"learned", true}}), {{"gamma", gamma}}};
    const Row a = one.weights().row(0);
    Row g(6, 0);
    double total = 0, entropy = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      if (a[j] > 0) total += g[j] = std::pow(a[j], 2 - alpha);
      if (a[j] > 0) entropy += a[j] * std::log(a[j]);
    }
    one.gradient_of = "weights";
    for (std::size_t k = 0; k < 6; ++k) {
      one.cotangent = Array({1, 6});
      one.cotangent(0, k) = 1;
      const Ran ran = one.run();
      for (std::size_t j = 0; j < 6; ++j)
        CHECK(std::abs(ran.gradients.at("inputs.energy")(0, j) -
                       ((j == k ? g[k] : 0) - g[j] * g[k] / total)) < 1e-12);
      const double own = a[k] > 0 ? a[k] * std::log(a[k]) : 0, share = g[k] / total;
      const double by_alpha = (a[k] - share) / (r * r) - (own - share * entropy) / r;
      CHECK(ran.gradients.at("alignment.gamma")() ==
            doctest::Approx(by_alpha * r * (1 - r)).epsilon(1e-9));
    }
  }
}
#endif

}  // namespace attend::testing::alignment_numbers_test
