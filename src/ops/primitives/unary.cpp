// SPDX-License-Identifier: Apache-2.0
// Functions of one operand, cell by cell.
#include <algorithm>
#include <numbers>

#include "kernels/elementwise.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

using Kernel = void (*)(std::span<const real>, std::span<real>);

Shape same_shape(const std::vector<Shape>& in, const Attributes&) { return in[0]; }

template <Kernel kernel>
void forward(const Forward& f) {
  const std::size_t count = element_count(f.node.shape);
  kernel({f.in[0], count}, {f.out, count});
}

void copy(const Forward& f) { std::copy_n(f.in[0], element_count(f.node.shape), f.out); }

// The printers know a unary primitive by its name.
std::string latex_name(std::string_view name) {
  if (name == "sigmoid") return "\\sigma";
  if (name == "erf") return "\\operatorname{erf}";
  return "\\" + std::string(name);
}

Text apply_latex(std::string_view name, const Text& x) {
  if (name == "negative") return {"-" + as_factor(x), Text::sum};
  if (name == "exp") return {"e^{" + x.text + "}"};
  if (name == "sqrt") return {"\\sqrt{" + x.text + "}"};
  if (name == "absolute") return {"\\left|" + x.text + "\\right|"};
  if (name == "floor") return {"\\lfloor " + x.text + " \\rfloor"};
  if (name == "detach") return x;  // the same number
  return latex_call(latex_name(name), {x});
}

Text latex(const Expression& e) { return apply_latex(e.node.primitive->name, e.in[0]); }
Text cell(const CellQuery& q) { return apply_latex(q.node.primitive->name, q.operand(0, q.flat)); }

Text python(const Expression& e) {
  const std::string_view name = e.node.primitive->name;
  const Text x = tensor_operand(e, 0);
  if (name == "negative") return {"-" + x.at(Text::prefix), Text::prefix};
  if (name == "detach") return e.torch ? Text{x.at(Text::atom) + ".detach()"} : x;
  // NumPy has neither: they are in the prelude of the script.
  if (!e.torch && (name == "sigmoid" || name == "erf")) return python_call(std::string(name), {x});
  return python_call(module_of(e) + "." + std::string(name), {x});
}

using Vjp = std::vector<Var> (*)(const Backward&);

// Cells between `low` and `high` tenths.
template <int low, int high>
constexpr List<Sample> cells = {{{{3, 4}}, {}, low / 10., high / 10.},
                                {{{}}, {}, low / 10., high / 10.}};

constexpr Primitive unary(std::string_view name, void (*run)(const Forward&), Vjp vjp,
                          List<Sample> samples = cells<-20, 20>, bool smooth = true) {
  return {name, same_shape, run, vjp, latex, python, cell, samples, smooth};
}

Var record(const Primitive& primitive, Var x) { return x.graph().record(primitive, {x}, {}); }

}  // namespace

namespace primitives {
using B = const Backward&;
const Primitive negative = unary("negative", forward<kernels::negative>,
                                 [](B b) -> std::vector<Var> { return {-b.gradient}; });
const Primitive exp = unary("exp", forward<kernels::exp>,
                            [](B b) -> std::vector<Var> { return {b.gradient * b.out}; });
const Primitive log = unary(
    "log", forward<kernels::log>, [](B b) -> std::vector<Var> { return {b.gradient / b.in[0]}; },
    cells<3, 30>);
const Primitive sqrt = unary(
    "sqrt", forward<kernels::sqrt>,
    [](B b) -> std::vector<Var> {  // 0 at 0, where the slope has no value
      const Var positive = attend::greater(b.out, scalar(b.out, 0));
      return {positive * b.gradient * 0.5 / attend::where(positive, b.out, scalar(b.out, 1))};
    },
    cells<3, 30>);
const Primitive tanh = unary("tanh", forward<kernels::tanh>, [](B b) -> std::vector<Var> {
  return {b.gradient * (1 - b.out * b.out)};
});
const Primitive sigmoid = unary("sigmoid", forward<kernels::sigmoid>, [](B b) -> std::vector<Var> {
  return {b.gradient * b.out * (1 - b.out)};
});
const Primitive absolute = unary(
    "absolute", forward<kernels::absolute>,
    [](B b) -> std::vector<Var> {
      return {b.gradient * (attend::greater(b.in[0], scalar(b.in[0], 0)) -
                            attend::greater(scalar(b.in[0], 0), b.in[0]))};
    },
    cells<-20, 20>, false);
const Primitive sin = unary("sin", forward<kernels::sin>, [](B b) -> std::vector<Var> {
  return {b.gradient * attend::cos(b.in[0])};
});
const Primitive cos = unary("cos", forward<kernels::cos>, [](B b) -> std::vector<Var> {
  return {-(b.gradient * attend::sin(b.in[0]))};
});
const Primitive erf = unary("erf", forward<kernels::erf>, [](B b) -> std::vector<Var> {
  return {b.gradient * (2 * std::numbers::inv_sqrtpi) * attend::exp(-(b.in[0] * b.in[0]))};
});
const Primitive arccos = unary(
    "arccos", forward<kernels::arccos>,
    [](B b) -> std::vector<Var> { return {-(b.gradient / attend::sqrt(1 - b.in[0] * b.in[0]))}; },
    cells<-9, 9>);
const Primitive floor = unary("floor", forward<kernels::floor>, nullptr, cells<-20, 20>, false);
const Primitive detach = unary("detach", copy, nullptr, cells<-20, 20>, false);
}  // namespace primitives

Var negative(Var x) { return record(primitives::negative, x); }
Var exp(Var x) { return record(primitives::exp, x); }
Var log(Var x) { return record(primitives::log, x); }
Var sqrt(Var x) { return record(primitives::sqrt, x); }
Var tanh(Var x) { return record(primitives::tanh, x); }
Var sigmoid(Var x) { return record(primitives::sigmoid, x); }
Var absolute(Var x) { return record(primitives::absolute, x); }
Var sin(Var x) { return record(primitives::sin, x); }
Var cos(Var x) { return record(primitives::cos, x); }
Var erf(Var x) { return record(primitives::erf, x); }
Var arccos(Var x) { return record(primitives::arccos, x); }
Var floor(Var x) { return record(primitives::floor, x); }
Var detach(Var x) { return record(primitives::detach, x); }

}  // namespace attend
