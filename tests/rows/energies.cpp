// SPDX-License-Identifier: Apache-2.0
#include "tests/rows/energies.h"

#include <algorithm>
#include <cmath>

#include "catalogue/entry.h"
#include "ops/random.h"

namespace attend::testing {

Array normal(const Shape& shape, std::uint64_t seed, double size) {
  Array array(shape);
  const RandomStream stream(seed, "test");
  for (std::size_t i = 0; i < array.data.size(); ++i) array.data[i] = size * stream.normal(i);
  return array;
}

Json on_energies(const Array& energies, const std::string& alignment, const Json& mask) {
  const std::size_t n = energies.cols();
  Array unit({n, n});
  for (std::size_t j = 0; j < n; ++j) unit(j, j) = 1;
  Json document{{"schema", "attention-playground/1"}, {"seed", 1}};
  document["inputs"] = {{"query", to_json(Array({energies.rows(), 2}, 0.5))},
                        {"key", to_json(Array({n, 2}, 0.5))},
                        {"value", to_json(unit)},
                        {"energy", to_json(energies)}};
  document["mechanism"] = {{"type", "attention"}, {"score", "external-energy"}};
  document["mechanism"]["alignment"] = Json::parse(alignment);
  document["parameters"] = Json::object();
  if (!mask.is_null())
    document["mechanism"]["mask"] = Json::array({{{"type", "mask-explicit"}, {"allowed", mask}}});
  return document;
}

std::vector<Json> masks(std::size_t m, std::size_t n) {
  const RandomStream stream(m * 100 + n, "mask");
  Json some = Json::array(), holes = Json::array();
  for (std::size_t i = 0; i < m; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < n; ++j)
      row.push_back(j == i % n || stream.uniform(i * n + j) < 0.6 ? 1 : 0);
    some.push_back(row);
    if (i == 0) std::fill(row.begin(), row.end(), Json(0));
    holes.push_back(row);
  }
  return {Json(), some, holes};
}

Json causal_rows(std::size_t n) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < n; ++j) row.push_back(j <= i ? 1 : 0);
    rows.push_back(row);
  }
  return rows;
}

bool allows(const Json& mask, std::size_t flat) {
  if (mask.is_null()) return true;
  const std::size_t n = mask[0].size();
  return mask[flat / n][flat % n] != 0;
}

bool any_allowed(const Json& mask, std::size_t row) {
  return mask.is_null() ||
         std::any_of(mask[row].begin(), mask[row].end(), [](const Json& x) { return x != 0; });
}

double off_reference(const Mechanism& alignment, const Json& document) {
  const Ran ran = run_json(document);
  ReferenceIn in;
  for (const auto& [name, output] : ran.outputs) in.tensors[name] = output;
  for (const auto& [name, parameter] : ran.parameters)
    in.parameters[name.substr(std::string("alignment.").size())] = parameter;
  in.knobs = ran.knobs.at("/mechanism/alignment");
  return distance(ran.outputs.at("weights"), reference_of(alignment)(in).at("weights"));
}

double off_slope(Json document, const std::string& of, const std::string& part) {
  const Ran plain = run_json(document);
  const Array cotangent = normal(plain.outputs.at(of).shape, 77, 1);
  const auto objective = [&](const Json& moved) {
    const Array output = run_json(moved).outputs.at(of);
    double sum = 0;
    for (std::size_t i = 0; i < output.data.size(); ++i) sum += output.data[i] * cotangent.data[i];
    return sum;
  };
  for (const auto& [name, parameter] : plain.parameters)
    document["parameters"][name] = to_json(parameter);
  Json asking = document;
  asking["gradient"] = {{"of", of}, {"cotangent", to_json(cotangent)}};
  double worst = 0;
  for (const auto ran = run_json(asking); const auto& [name, gradient] : ran.gradients) {
    const bool input = name.starts_with("inputs.");
    if (!input && name.find(part) == std::string::npos) continue;
    for (std::size_t i = 0; i < gradient.data.size(); ++i) {
      Json moved = document;
      Json& number =
          (input ? moved["inputs"][name.substr(7)] : moved["parameters"][name])["data"][i];
      const double base = number.get<double>();
      constexpr double step = 1e-5;
      number = base + step;
      const double above = objective(moved);
      number = base - step;
      const double slope = (above - objective(moved)) / (2 * step);
      worst = std::max(worst, std::abs(slope - gradient.data[i]) / (1 + std::abs(slope)));
    }
  }
  return worst;
}

}  // namespace attend::testing
