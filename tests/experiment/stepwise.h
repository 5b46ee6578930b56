// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "experiment/learning/stepwise.h"
#include "experiment/service.h"
#include "tests/experiment/harness.h"

// Documents that run one row at a time, beside the whole program.
namespace attend::testing {

#ifdef ATTEND_DOUBLE
inline constexpr double exact_steps = 1e-12;
#else
inline constexpr double exact_steps = 2e-5;
#endif

inline Json stepped(const Json& document, const std::string& over = "") {
  return parse_json(stepwise_text(document.dump(), over));
}

// The largest difference between what the steps gave and what the whole program gives.
inline double gap_of_steps(const Json& document, const Json& steps) {
  const Json whole = parse_json(run_document(document.dump()))["outputs"];
  double most = 0;
  for (const auto& [name, output] : steps["outputs"].items()) {
    const auto found = output["data"].get<std::vector<double>>();
    const auto wanted = whole[name]["data"].get<std::vector<double>>();
    CHECK(found.size() == wanted.size());
    for (std::size_t i = 0; i < std::min(found.size(), wanted.size()); ++i)
      most = std::max(most, std::abs(found[i] - wanted[i]) / (1 + std::abs(wanted[i])));
    for (const double x : found) CHECK(std::isfinite(x));
  }
  return most;
}

}  // namespace attend::testing
