// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/primitive.h"

namespace attend {

// Three significant digits in LaTeX: "0.365", "-1.20", "1.23 \cdot 10^{-5}". Zeros at the end go
// when the number is exactly what is left ("0.5", "2"), and a whole number below 100000 keeps its
// digits.
std::string number_latex(double value);
// The same as an operand.
Text number_text(double value);
// A constant of a formula: the root of a whole number, and one over such a root, are written as roots.
Text constant_text(double value);

// The shortest decimal text that reads back as the same double ("1", "0.5", "1e-12").
std::string number_exact(double value);

// The number that these digits are.
std::size_t whole_number(std::string_view digits);

// A name that the user gave, with the signs escaped that LaTeX reads as commands: "my\_data \&".
std::string latex_escaped(std::string_view name);

// "f(x)" in LaTeX and in Python.
Text latex_call(const std::string& function, const std::vector<Text>& arguments);
Text python_call(const std::string& function, const std::vector<Text>& arguments);

// A base with a superscript: bracketed if it is more than an atom, in braces if it has a
// superscript already.
std::string raised(const Text& base, const std::string& superscript);

// A base with a subscript.
std::string lowered(const Text& base, const std::string& subscript);

// A factor behind a dot: in brackets when it starts with a minus sign or is a sum.
std::string as_factor(const Text& term);

// "(2, 3)", "(2,)", "()".
std::string python_tuple(const std::vector<long>& values);

// Operand k where Python wants a tensor: a literal is wrapped.
Text tensor_operand(const Expression& expression, std::size_t k);

// A negative literal without the brackets that it carries between operators.
std::string unbracketed(const std::string& literal);

// "torch" or "np".
std::string module_of(const Expression& expression);

// Axis `position` counted from the end, as exported code counts it, so that code for one head
// serves many.
long from_end(std::size_t axis, std::size_t rank);

// At most `limit` terms joined by `sign`; the rest is elided with dots. In a sum, a minus sign in
// front of a term is taken up.
Text joined(const std::vector<Text>& terms, const std::string& sign, int binding,
            std::size_t limit = 16);

// A term of a sum, in brackets when it starts with a minus sign or is a sum itself.
std::string as_addend(const Text& term);

}  // namespace attend
