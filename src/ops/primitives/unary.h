// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/batch_rules.h"
#include "ops/primitive.h"
#include "ops/text.h"

// What functions of one operand, cell by cell, share.
namespace attend::unary {

using Kernel = void (*)(std::span<const real>, std::span<real>);
using Said = Text (*)(const Text& x);

inline Shape shape(const std::vector<Shape>& in, const Attributes&) { return in[0]; }

template <Kernel kernel>
void forward(const Forward& f) {
  const std::size_t count = element_count(f.node.shape);
  kernel({f.in[0], count}, {f.out, count});
}

template <Said said>
Text latex(const Expression& e) {
  return said(e.in[0]);
}

template <Said said>
Text cell(const CellQuery& q) {
  return said(q.operand(0, q.flat));
}

// "torch.exp(x)": the library's function of the same name.
inline Text python(const Expression& e) {
  return python_call(module_of(e) + "." + std::string(e.node.primitive->name),
                     {tensor_operand(e, 0)});
}

// The same for a function that NumPy lacks: the script defines it at its beginning.
inline Text python_helper(const Expression& e) {
  return e.torch ? python(e)
                 : python_call(std::string(e.node.primitive->name), {tensor_operand(e, 0)});
}

// A matrix and a scalar, drawn between `low` and `high` tenths.
template <int low, int high>
constexpr List<Sample> between = {{{{3, 4}}, {}, low / 10., high / 10.},
                                  {{{}}, {}, low / 10., high / 10.}};

// The record of such a function; `said` writes it in LaTeX. What `own` leaves empty is filled in.
template <Said said>
constexpr Primitive record(Primitive own) {
  own.shape = shape;
  own.latex = latex<said>;
  own.cell = cell<said>;
  if (own.python == nullptr) own.python = python;
  if (own.samples.size() == 0) own.samples = between<-20, 20>;
  own.keeps_rows = true;
  own.batch = batch::by_broadcasting;
  return own;
}

}  // namespace attend::unary
