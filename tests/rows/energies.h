// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/experiment/harness.h"

// Documents whose scores are given, for tests of alignments alone.
namespace attend::testing {

// Normal numbers of this size.
Array normal(const Shape& shape, std::uint64_t seed, double size);

// Energies [m n] under an alignment (JSON text); the values are the unit vectors, so that the
// context repeats the weights. `mask` holds rows of 0 and 1, or is null.
Json on_energies(const Array& energies, const std::string& alignment, const Json& mask);

// No mask, a random one with something allowed in each row, and one with rows that allow nothing.
std::vector<Json> masks(std::size_t m, std::size_t n);
Json causal_rows(std::size_t n);
bool allows(const Json& mask, std::size_t flat);
bool any_allowed(const Json& mask, std::size_t row);

// How far the weights are from the mechanism's reference.
double off_reference(const Mechanism& alignment, const Json& document);

// The largest difference between the gradients of an output and finite differences, relative to
// 1 + the slope; over the parameters whose name contains `part`, and all inputs.
double off_slope(Json document, const std::string& of, const std::string& part = "");

}  // namespace attend::testing
