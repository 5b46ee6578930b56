// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace attend::fuzz {

// The laws that need another build, asked of tests/python/oracles.py in a process beside this one:
// float = double, and exported code = engine. Only where ATTEND_ORACLES names a share, "16" for
// every sixteenth input that computes; the input decides. What is broken, or nothing.
std::string broken_beside(const std::string& document, std::span<const std::uint8_t> input);

}  // namespace attend::fuzz
