// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/measuring.h"

namespace attend::testing {

// The result of a measurement written as JSON text, and its value.
inline Json measured(const std::string& measurement) {
  return answer_measurement(parse_json(measurement));
}
inline double value_of(const Json& measurement) {
  return answer_measurement(measurement)["value"].get<double>();
}
inline double value_of(const std::string& measurement) { return value_of(parse_json(measurement)); }

}  // namespace attend::testing
