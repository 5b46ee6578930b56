// SPDX-License-Identifier: Apache-2.0
// Functions of two operands, cell by cell, with broadcasting.
#include <cmath>

#include "kernels/elementwise.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

using Span = std::span<const real>;
using Out = std::span<real>;

Shape broadcast_shape(const std::vector<Shape>& in, const Attributes&) {
  return broadcast_shapes(in[0], in[1]);
}

// A run is vector with vector, vector with one number, or one number with vector.
template <class Operation>
void run_binary(const Forward& f, Operation op) {
  for_each_run<2>(f.node.shape, {*f.in_shapes[0], *f.in_shapes[1]},
                  [&](std::size_t at, const auto& offset, std::size_t count, const auto& step) {
                    op(f.in[0] + offset[0], step[0], f.in[1] + offset[1], step[1], f.out + at,
                       count);
                  });
}

// Kernels take contiguous runs; strided ones (a transposed operand, never recorded today) go cell
// by cell.
template <class Kernel>
void by_kernel(const Forward& f, Kernel kernel) {
  run_binary(f, [&](const real* a, std::size_t sa, const real* b, std::size_t sb, real* out,
                    std::size_t count) {
    if (sa == 1 && sb == 1) return kernel(Span(a, count), Span(b, count), Out(out, count));
    if (sa == 1 && sb == 0) return kernel(Span(a, count), *b, Out(out, count));
    if (sa == 0 && sb == 1) return kernel(*a, Span(b, count), Out(out, count));
    for (std::size_t i = 0; i < count; ++i) {
      kernel(Span(a + i * sa, 1), Span(b + i * sb, 1), Out(out + i, 1));
    }
  });
}

template <class Function>
void by_cell(const Forward& f, Function function) {
  run_binary(f, [&](const real* a, std::size_t sa, const real* b, std::size_t sb, real* out,
                    std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = function(a[i * sa], b[i * sb]);
  });
}

// Which operand an operation merely passes on because the other is the number that changes nothing;
// -1 if neither is.
template <class IsNumber>
int passed_on(std::string_view name, IsNumber is_number) {
  const bool sum = name == "add" || name == "subtract";
  const bool product = name == "multiply" || name == "divide";
  if ((sum && is_number(1, '0')) || (product && is_number(1, '1'))) return 0;
  if ((name == "add" && is_number(0, '0')) || (name == "multiply" && is_number(0, '1'))) return 1;
  return -1;
}

Text apply_latex(std::string_view name, const Text& a, const Text& b) {
  if (name == "add") return {a.text + " + " + as_addend(b), Text::sum};
  if (name == "subtract") {
    return {a.text + " - " + as_factor(b), Text::sum};
  }
  if (name == "multiply") {
    return {a.at(Text::product) + " \\cdot " + as_factor(b), Text::product};
  }
  if (name == "divide") return {"\\frac{" + a.text + "}{" + b.text + "}"};
  if (name == "power") return {raised(a, b.text)};
  if (name == "greater") return {"[\\," + a.text + " > " + b.text + "\\,]"};
  if (name == "equal") return {"[\\," + a.text + " = " + b.text + "\\,]"};
  return latex_call("\\max", {a, b});
}

// A scalar 1 in front of a product is not worth a reader's time.
Text said(std::string_view name, const std::vector<const Shape*>& shapes, const Text& a,
          const Text& b) {
  const int passed = passed_on(name, [&](std::size_t k, char digit) {
    return shapes[k]->empty() && (k == 0 ? a : b).text == std::string(1, digit);
  });
  return passed < 0 ? apply_latex(name, a, b) : passed == 0 ? a : b;
}

Text latex(const Expression& e) {
  return said(e.node.primitive->name, e.in_shapes, e.in[0], e.in[1]);
}

Text cell(const CellQuery& q) {
  return said(q.node.primitive->name, q.in_shapes,
              q.operand(0, broadcast_position(q.flat, *q.in_shapes[0], q.node.shape)),
              q.operand(1, broadcast_position(q.flat, *q.in_shapes[1], q.node.shape)));
}

Text python(const Expression& e) {
  const std::string_view name = e.node.primitive->name;
  const int passed = passed_on(name, [&](std::size_t k, char digit) {
    return e.in[k].binding == Text::literal && e.in[k].text == std::string(1, digit) + ".0";
  });
  if (passed >= 0) return e.in[static_cast<std::size_t>(passed)];
  const bool numbers = e.in[0].binding == Text::literal && e.in[1].binding == Text::literal;
  const Text a = numbers ? tensor_operand(e, 0) : e.in[0], b = e.in[1];
  if (name == "add") return {a.text + " + " + b.at(Text::product), Text::sum};
  if (name == "subtract") return {a.text + " - " + b.at(Text::product), Text::sum};
  if (name == "multiply") return {a.at(Text::product) + " * " + b.at(Text::prefix), Text::product};
  if (name == "divide") return {a.at(Text::product) + " / " + b.at(Text::prefix), Text::product};
  if (name == "power") return {a.at(Text::atom) + " ** " + b.at(Text::atom), Text::product};
  if (name == "maximum") {
    if (!e.torch)
      return python_call("np.maximum",
                         {a, b.binding == Text::literal ? Text{unbracketed(b.text)} : b});
    if (a.binding == Text::literal && a.text == "0.0") return python_call("torch.relu", {b});
    if (b.binding != Text::literal) return python_call("torch.maximum", {tensor_operand(e, 0), b});
    return b.text == "0.0" ? python_call("torch.relu", {a})
                           : python_call("torch.clamp", {a, {"min=" + unbracketed(b.text)}});
  }
  const std::string sign = name == "greater" ? " > " : " == ";
  return {"real(" + a.at(Text::product) + sign + b.at(Text::product) + ")"};
}

// Operands between `low` and `high` tenths.
template <int low, int high>
constexpr List<Sample> pairs = {{{{3, 4}, {3, 4}}, {}, low / 10., high / 10.},
                                {{{2, 3, 1}, {4}}, {}, low / 10., high / 10.},
                                {{{3, 1}, {2, 1, 4}}, {}, low / 10., high / 10.},
                                {{{}, {2, 3}}, {}, low / 10., high / 10.}};

using B = const Backward&;
// The gradient reaches each operand summed over the axes along which it was repeated.
std::vector<Var> to_operands(B b, Var a, Var c) {
  return {a ? sum_to(a, b.in[0].shape()) : Var{}, c ? sum_to(c, b.in[1].shape()) : Var{}};
}

constexpr Primitive binary(std::string_view name, void (*run)(const Forward&),
                           std::vector<Var> (*vjp)(B), List<Sample> samples = pairs<-20, 20>,
                           bool smooth = true) {
  return {name, broadcast_shape, run, vjp, latex, python, cell, samples, smooth};
}

Var record(const Primitive& primitive, Var a, Var b) {
  return a.graph().record(primitive, {a, b}, {});
}

}  // namespace

namespace primitives {
const Primitive add = binary(
    "add", [](const Forward& f) { by_kernel(f, [](auto... x) { kernels::add(x...); }); },
    [](B b) { return to_operands(b, b.gradient, b.gradient); });
const Primitive subtract = binary(
    "subtract", [](const Forward& f) { by_kernel(f, [](auto... x) { kernels::subtract(x...); }); },
    [](B b) { return to_operands(b, b.gradient, -b.gradient); });
const Primitive multiply = binary(
    "multiply", [](const Forward& f) { by_kernel(f, [](auto... x) { kernels::multiply(x...); }); },
    [](B b) { return to_operands(b, b.gradient * b.in[1], b.gradient * b.in[0]); });
const Primitive divide = binary(
    "divide", [](const Forward& f) { by_kernel(f, [](auto... x) { kernels::divide(x...); }); },
    [](B b) { return to_operands(b, b.gradient / b.in[1], -(b.gradient * b.out / b.in[1])); },
    pairs<5, 30>);
const Primitive maximum = binary(
    "maximum", [](const Forward& f) { by_kernel(f, [](auto... x) { kernels::maximum(x...); }); },
    [](B b) {
      const Var second = attend::greater(b.in[1], b.in[0]);
      return to_operands(b, b.gradient * (1 - second), b.gradient * second);
    },
    pairs<-20, 20>, false);
const Primitive power = binary(
    "power", [](const Forward& f) { by_cell(f, [](real a, real b) { return std::pow(a, b); }); },
    [](B b) {
      const Var zero = scalar(b.gradient, 0);
      const Var positive = attend::greater(b.in[0], zero);
      const Var base = attend::where(positive, b.in[0], zero + 1);
      return to_operands(
          b, attend::where(positive, b.gradient * b.in[1] * attend::power(base, b.in[1] - 1), zero),
          attend::where(positive, b.gradient * b.out * attend::log(base), zero));
    },
    pairs<3, 30>);
const Primitive greater = binary(
    "greater", [](const Forward& f) { by_cell(f, [](real a, real b) -> real { return a > b; }); },
    nullptr, pairs<-20, 20>, false);
const Primitive equal = binary(
    "equal", [](const Forward& f) { by_cell(f, [](real a, real b) -> real { return a == b; }); },
    nullptr, pairs<0, 20>, false);
}  // namespace primitives

Var add(Var a, Var b) { return record(primitives::add, a, b); }
Var subtract(Var a, Var b) { return record(primitives::subtract, a, b); }
Var multiply(Var a, Var b) { return record(primitives::multiply, a, b); }
Var divide(Var a, Var b) { return record(primitives::divide, a, b); }
Var maximum(Var a, Var b) { return record(primitives::maximum, a, b); }
Var power(Var a, Var b) { return record(primitives::power, a, b); }
Var greater(Var a, Var b) { return record(primitives::greater, a, b); }
Var equal(Var a, Var b) { return record(primitives::equal, a, b); }

}  // namespace attend
