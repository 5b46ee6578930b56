// SPDX-License-Identifier: Apache-2.0
// Gradients of whole experiments against central finite differences, in double, for every mechanism
// that is differentiable.
#include <cmath>
#include <doctest/doctest.h>

#include "ops/random.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::gradient_test {
namespace {

#ifdef ATTEND_DOUBLE
// One number of a parameter or an input of the document.
double& entry(Json& document, const std::string& name, std::size_t i) {
  Json& source = name.starts_with("inputs.") ? document["inputs"][name.substr(7)]
                                             : document["parameters"][name];
  return source["data"][i].get_ref<double&>();
}

void make_numbers_doubles(Json& json) {
  for (Json& item : json) {
    if (item.is_structured()) make_numbers_doubles(item);
    if (item.is_number_integer()) item = item.get<double>();
  }
}

double objective(const Json& document, const std::string& of, const Array& cotangent) {
  const Ran ran = run_json(document);
  const Array& output = ran.outputs.at(of);
  double sum = 0;
  for (std::size_t i = 0; i < output.data.size(); ++i) sum += output.data[i] * cotangent.data[i];
  return sum;
}

// Whether a number of an input has to be a whole one: then half a one more is refused, with that reason.
bool is_whole(Json document, const std::string& name) {
  if (!name.starts_with("inputs.")) return false;
  entry(document, name, 0) += 0.5;
  try {
    (void)run_json(document);
  } catch (const Error& error) {
    return std::string_view(error.what()).find("expected whole numbers") != std::string_view::npos;
  }
  return false;
}

void check(const Mechanism& mechanism, std::uint64_t seed) {
  Json document = with_parameters(example_document(mechanism, seed), seed);
  for (auto& [name, input] : document["inputs"].items()) {
    if (input.contains("data")) make_numbers_doubles(input["data"]);
  }
  if (!document.contains("parameters")) document["parameters"] = Json::object();
  for (auto& [name, parameter] : document["parameters"].items())
    make_numbers_doubles(parameter["data"]);
  const Ran plain = run_json(document);
  std::string of = "context";
  for (const char* first : {"logits", "output", "loss", "penalty"}) {
    if (plain.outputs.contains(first)) of = first;
  }
  Array cotangent(plain.outputs.at(of).shape);
  const RandomStream stream(seed, "cotangent");
  for (std::size_t i = 0; i < cotangent.data.size(); ++i) cotangent.data[i] = stream.normal(i);
  Json with_gradient = document;
  with_gradient["gradient"] = {{"of", of}, {"cotangent", to_json(cotangent)}};
  const Ran ran = run_json(with_gradient);
  REQUIRE(!ran.gradients.empty());
  if (!mechanism.differentiable) return;
  for (const auto& [name, gradient] : ran.gradients) {
    const bool words =
        name.starts_with("inputs.") &&
        !document["inputs"][name.substr(std::string("inputs.").size())].contains("data");
    if (words) continue;                     // what reads tokens does not read their features
    if (is_whole(document, name)) continue;  // between two classes lies nothing
    const std::size_t stride = std::max<std::size_t>(1, gradient.data.size() / 5);
    for (std::size_t i = 0; i < gradient.data.size(); i += stride) {
      constexpr double step = 1e-5;
      Json moved = document;
      const double base = entry(moved, name, i);
      entry(moved, name, i) = base + step;
      const double above = objective(moved, of, cotangent);
      entry(moved, name, i) = base - step;
      const double slope = (above - objective(moved, of, cotangent)) / (2 * step);
      CHECK_MESSAGE(std::abs(slope - gradient.data[i]) < 1e-6 * (1 + std::abs(slope)),
                    "seed " << seed << ", " << name << "[" << i << "]: slope " << slope
                            << ", gradient " << gradient.data[i]);
    }
  }
}

const Each slopes("has gradients that agree with finite differences", every_mechanism,
                  [](const Mechanism& mechanism) {
                    for (std::uint64_t seed = 1; seed <= 3; ++seed) check(mechanism, seed);
                  });
#endif

}  // namespace

TEST_CASE("the default cotangent is ones") {
  Json document = with_parameters(example_document(*find_mechanism(Kind::score, "additive")), 1);
  document["gradient"] = {{"of", "context"}};
  const Ran implicit = run_json(document);
  document["gradient"]["cotangent"] = to_json(Array({4, 3}, 1));
  const Ran given = run_json(document);
  REQUIRE(implicit.gradients.size() == given.gradients.size());
  for (const auto& [name, gradient] : given.gradients)
    CHECK(distance(gradient, implicit.gradients.at(name)) == 0);
}

// C = A V with the values given, so dC/dA is the sum of a value row, and dE follows from A.
TEST_CASE("gradients to outputs are those of a step on the way") {
  Json document = with_parameters(example_document(*find_mechanism(Kind::score, "dot")), 1);
  document["gradient"] = {{"of", "context"}};
  CHECK_FALSE(run_json(document).gradients.contains("outputs.weights"));
  document["gradient"]["outputs"] = true;
  const Ran ran = run_json(document);
  const Array &v = ran.outputs.at("value"), &a = ran.outputs.at("weights");
  const Array &da = ran.gradients.at("outputs.weights"), &de = ran.gradients.at("outputs.scores");
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double mean = 0;
    for (std::size_t j = 0; j < a.cols(); ++j) {
      double sum = 0;
      for (std::size_t p = 0; p < v.cols(); ++p) sum += v(j, p);
      CHECK(da(i, j) == doctest::Approx(sum));
      mean += a(i, j) * sum;
    }
    for (std::size_t j = 0; j < a.cols(); ++j)
      CHECK(de(i, j) == doctest::Approx(a(i, j) * (da(i, j) - mean)));
  }
}

}  // namespace attend::testing::gradient_test
