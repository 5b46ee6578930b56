// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "ops/batch_rules.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/primitive.h"
#include "ops/text.h"

// What functions of two operands, cell by cell and with broadcasting, share.
namespace attend::binary {

using Span = std::span<const real>;
using Out = std::span<real>;
using Said = Text (*)(const Text& a, const Text& b);

inline Shape shape(const std::vector<Shape>& in, const Attributes&) {
  return broadcast_shapes(in[0], in[1]);
}

// A run is vector with vector, vector with one number, or one number with vector.
template <class Operation>
void by_run(const Forward& f, Operation operation) {
  for_each_run<2>(f.node.shape, {*f.in_shapes[0], *f.in_shapes[1]},
                  [&](std::size_t at, const auto& offset, std::size_t count, const auto& step) {
                    operation(f.in[0] + offset[0], step[0], f.in[1] + offset[1], step[1],
                              f.out + at, count);
                  });
}

// Whether the runs are so short that a call for each would take longer than its numbers.
bool has_short_runs(const Forward& f);
// The same numbers: the runs are laid behind each other first.
void in_longer_runs(const Forward& f, void (*kernel)(Span, Span, Out));

// Kernels take contiguous runs; strided ones (a transposed operand, never recorded today) go cell
// by cell.
template <class Kernel>
void by_kernel(const Forward& f, Kernel kernel) {
  if (has_short_runs(f))
    return in_longer_runs(f, [](Span a, Span b, Out out) { Kernel()(a, b, out); });
  by_run(f, [&](const real* a, std::size_t sa, const real* b, std::size_t sb, real* out,
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
  by_run(f, [&](const real* a, std::size_t sa, const real* b, std::size_t sb, real* out,
                std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = function(a[i * sa], b[i * sb]);
  });
}

// The digit that changes nothing as the left or the right operand, so that the other is merely
// passed on; ' ' where there is none.
struct Neutral {
  char left = ' ', right = ' ';

  // Which operand is passed on, -1 if neither: `is_number(k, digit)` says whether operand k is it.
  template <class IsNumber>
  [[nodiscard]] constexpr int passed_on(IsNumber is_number) const {
    if (is_number(1, right)) return 0;
    return is_number(0, left) ? 1 : -1;
  }
};

// A scalar 1 in front of a product is not worth a reader's time.
template <Said said, Neutral neutral>
Text without_neutral(const std::vector<const Shape*>& shapes, const Text& a, const Text& b) {
  const int passed = neutral.passed_on([&](std::size_t k, char digit) {
    return shapes[k]->empty() && (k == 0 ? a : b).text == std::string(1, digit);
  });
  return passed < 0 ? said(a, b) : passed == 0 ? a : b;
}

template <Said said, Neutral neutral>
Text latex(const Expression& e) {
  return without_neutral<said, neutral>(e.in_shapes, e.in[0], e.in[1]);
}

template <Said said, Neutral neutral>
Text cell(const CellQuery& q) {
  return without_neutral<said, neutral>(
      q.in_shapes, q.operand(0, broadcast_position(q.flat, *q.in_shapes[0], q.node.shape)),
      q.operand(1, broadcast_position(q.flat, *q.in_shapes[1], q.node.shape)));
}

// `said` in Python. Of two bare numbers one becomes a tensor.
template <Said said, Neutral neutral = Neutral{}>
Text python(const Expression& e) {
  const int passed = neutral.passed_on([&](std::size_t k, char digit) {
    return e.in[k].binding == Text::literal && e.in[k].text == std::string(1, digit) + ".0";
  });
  if (passed >= 0) return e.in[static_cast<std::size_t>(passed)];
  const bool numbers = e.in[0].binding == Text::literal && e.in[1].binding == Text::literal;
  return said(numbers ? tensor_operand(e, 0) : e.in[0], e.in[1]);
}

// Operands between `low` and `high` tenths.
template <int low, int high>
constexpr List<Sample> between = {{{{3, 4}, {3, 4}}, {}, low / 10., high / 10.},
                                  {{{2, 3, 1}, {4}}, {}, low / 10., high / 10.},
                                  {{{3, 1}, {2, 1, 4}}, {}, low / 10., high / 10.},
                                  {{{}, {2, 3}}, {}, low / 10., high / 10.}};

// The gradient reaches each operand summed over the axes along which it was repeated.
inline std::vector<Var> to_operands(const Backward& b, Var first, Var second) {
  return {sum_to(first, b.in[0].shape()), sum_to(second, b.in[1].shape())};
}

// The record of such a function; `said` writes it in LaTeX. What `own` leaves empty is filled in.
template <Said said, Neutral neutral = Neutral{}>
constexpr Primitive record(Primitive own) {
  own.shape = shape;
  own.latex = latex<said, neutral>;
  own.cell = cell<said, neutral>;
  if (own.samples.size() == 0) own.samples = between<-20, 20>;
  own.keeps_rows = true;
  own.batch = batch::by_broadcasting;
  return own;
}

}  // namespace attend::binary
