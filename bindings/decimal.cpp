// SPDX-License-Identifier: Apache-2.0
// Between numbers and digits as JavaScript has it: in the module this stands for ops/decimal.cpp
// and for the C library's strtod, which with all that they call are 20 KB.
#include "ops/decimal.h"

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstring>
#include <emscripten/em_js.h>

// digitsOf is digits.js's.
EM_JS_DEPS(decimal, "$stringToUTF8,$UTF8ToString");
EM_JS(void, write_digits, (double value, int digits, int fixed, char* out, int size),
      { stringToUTF8(digitsOf(value, digits, fixed), out, size); });
EM_JS(double, read_digits, (const char* text), { return Number(UTF8ToString(text)); });

// What is read is a number and nothing else: JSON's, or one of decimal.h's. The library has the
// three in one object, so all of them are here.
extern "C" {
double strtod(const char* text, char** end) {
  if (end != nullptr) *end = const_cast<char*>(text) + std::strlen(text);
  return read_digits(text);
}
// The JSON library prints characters' numbers; with fractions it would be 4 KB.
int vsniprintf(char* out, std::size_t size, const char* format, std::va_list arguments);
int snprintf(char* out, std::size_t size, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = vsniprintf(out, size, format, arguments);
  va_end(arguments);
  return length;
}
float strtof(const char* text, char** end) { return static_cast<float>(strtod(text, end)); }
long double strtold(const char* text, char** end) { return strtod(text, end); }
}

namespace attend::decimal {
namespace {

std::string written(double value, int digits, bool fixed) {
  std::array<char, 512> buffer{};
  write_digits(value, digits, fixed, buffer.data(), static_cast<int>(buffer.size()));
  return buffer.data();
}

}  // namespace

std::string fixed(double value, int digits) { return written(value, digits, true); }
std::string scientific(double value, int digits) { return written(value, digits, false); }
std::string shortest(double value) { return written(value, -1, false); }

}  // namespace attend::decimal
