// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// The digits of a finite number. Rounded exactly, ties to an even digit. The page's module has
// bindings/decimal.cpp in place of decimal.cpp: JavaScript has all of this already.
namespace attend::decimal {

// With so many digits after the point: "0.250".
std::string fixed(double value, int digits);
// With so many digits after the point of the mantissa, and at least two in the exponent:
// "2.50e-01".
std::string scientific(double value, int digits);
// The same with the fewest digits that read back as the same double: "2.5e-01".
std::string shortest(double value);

}  // namespace attend::decimal
