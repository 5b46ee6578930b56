// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/attention.h"
#include "ops/primitive.h"
#include "ops/text.h"

// The record of a fused node: what one form has of its own, and what all forms have in common. Every form is printed as
// one call, its cells are not written out, and a node of its own gives the gradients.
namespace attend::fused {

struct Form {
  std::string_view name, gradient_name;
  const char* in_latex;
  Shape (*shape)(const std::vector<Shape>& in, const Attributes& attributes);
  void (*forward)(const Forward& forward);
  // The gradients of the operands, one behind the other. In: the operands, the result, and its gradient.
  void (*backward)(const Forward& forward);
  Cost (*cost)(const Sizes& sizes);
  Cost (*backward_cost)(const Sizes& sizes);
  // Whether an operand has no gradient. Null: every operand has one.
  bool (*constant)(const Attributes& attributes, std::size_t operand) = nullptr;
  std::size_t (*parts)(const Sizes& sizes) = nullptr;

  [[nodiscard]] bool is_constant(const Attributes& attributes, std::size_t operand) const {
    return constant != nullptr && constant(attributes, operand);
  }
};

// Where the gradients of a backward node go: in the order of the operands.
class GradientPlaces {
 public:
  explicit GradientPlaces(const Forward& f) : f_(f), next_(f.out) {}

  // The next operand's, which the kernel reads as `rows`.
  Place take(std::size_t operand, const Rows& rows) {
    return {take(operand), rows.row, rows.head, rows.each, rows.count};
  }
  real* take(std::size_t operand) {
    real* const here = next_;
    next_ += element_count(*f_.in_shapes[operand]);
    return here;
  }
  [[nodiscard]] real* rest() const { return next_; }

 private:
  const Forward& f_;
  real* next_;
};

Shape gradient_shape(const Form& form, const std::vector<Shape>& in, const Attributes& attributes);
std::vector<Var> gradients_by(const Form& form, const Primitive& gradient, const Backward& b);
// Heads count as a batch already; what is shared among them or among the examples is repeated where the other operands'
// leading axes would not fit.
Var batch_of_heads(const Batch& b);
Text hidden_cell(const CellQuery& query);

template <const Form& form>
struct FormRecord {
  static Text latex(const Expression& e) { return latex_call(form.in_latex, e.in); }
  static Text python(const Expression& e) { return python_call(std::string(form.name), e.in); }
  static Shape shape_of_gradient(const std::vector<Shape>& in, const Attributes& attributes) {
    return gradient_shape(form, in, attributes);
  }
  static std::vector<Var> vjp(const Backward& b) { return gradients_by(form, gradient, b); }

  static const Primitive gradient;
};

template <const Form& form>
const Primitive FormRecord<form>::gradient{.name = form.gradient_name,
                                           .shape = shape_of_gradient,
                                           .forward = form.backward,
                                           .latex = latex,
                                           .python = python,
                                           .cell = hidden_cell,
                                           .smooth = false,
                                           .cost = form.backward_cost};

template <const Form& form>
Primitive record_of() {
  using Record = FormRecord<form>;
  return {.name = form.name,
          .shape = form.shape,
          .forward = form.forward,
          .vjp = Record::vjp,
          .latex = Record::latex,
          .python = Record::python,
          .cell = hidden_cell,
          .smooth = false,
          .batch = batch_of_heads,
          .cost = form.cost,
          .parts = form.parts};
}

}  // namespace attend::fused
