// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "experiment/describing/example.h"
#include "experiment/running/run.h"

// Running documents in tests, and getting their numbers out as double.
namespace attend::testing {

#ifdef ATTEND_DOUBLE
inline constexpr double tolerance = 1e-10;
#else
inline constexpr double tolerance = 2e-5;
#endif

struct Ran {
  Arrays outputs, parameters, gradients;
  std::map<std::string, std::map<std::string, KnobValue, std::less<>>> knobs;  // by slot path
  std::vector<Warning> warnings;
};

Ran run_json(const Json& document);

// The document with every parameter given: random numbers where they are learned (biases too), the
// draw where they are data.
Json with_parameters(const Json& document, std::uint64_t seed);

// A document of one mechanism, whose input x has so many rows of six numbers.
Json document_of_rows(const char* mechanism, std::size_t rows);

Json to_json(const Tensor& tensor);

// Largest difference of two tables, relative to 1 + the size of the numbers; infinite when shapes
// differ.
double distance(const Array& a, const Array& b);

// [h .. ] -> the part of one head.
Array part(const Array& whole, std::size_t index);

}  // namespace attend::testing
