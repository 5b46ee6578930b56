// SPDX-License-Identifier: Apache-2.0
// Primitives that make numbers: constants, indices, sinusoids of positions.
#include <algorithm>
#include <cmath>

#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

Shape own_shape(const std::vector<Shape>&, const Attributes& a) {
  return {a.integers.begin(), a.integers.end()};
}

Text number_python(const Expression& e) {
  const double value = e.node.attributes.number;
  std::string text = number_exact(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  if (e.node.shape.empty())
    return value < 0 ? Text{"(" + text + ")", Text::literal} : Text{text, Text::literal};
  const std::string size = python_tuple(e.node.attributes.integers);
  const std::string call = value == 0   ? ".zeros(" + size
                           : value == 1 ? ".ones(" + size
                                        : ".full(" + size + ", " + text;
  return {module_of(e) + call + ", dtype=x_type)"};
}

double angle_frequency(std::size_t channel, std::size_t width, double base) {
  const double pair = static_cast<double>(channel / 2 * 2);
  return std::pow(base, -pair / static_cast<double>(width));
}

Shape sinusoid_shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape shape = in[0];
  shape.push_back(static_cast<std::size_t>(a[0]));
  return shape;
}

void forward_sinusoid(const Forward& f) {
  const std::size_t width = f.node.shape.back();
  const std::size_t count = element_count(*f.in_shapes[0]);
  for (std::size_t c = 0; c < width; ++c) {
    const double frequency = angle_frequency(c, width, f.node.attributes.number);
    for (std::size_t p = 0; p < count; ++p) {
      const double angle = static_cast<double>(f.in[0][p]) * frequency;
      f.out[p * width + c] = static_cast<real>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
}

Text sinusoid_cell(const CellQuery& q) {
  const std::size_t width = q.node.shape.back(), c = q.flat % width;
  return {std::string(c % 2 == 0 ? "\\sin" : "\\cos") + "\\left(\\frac{" +
          q.operand(0, q.flat / width).text + "}{" + number_latex(q.node.attributes.number) + "^{" +
          std::to_string(c / 2 * 2) + "/" + std::to_string(width) + "}}\\right)"};
}

}  // namespace

namespace primitives {
const Primitive fill{"fill",
                     own_shape,
                     [](const Forward& f) {
                       std::fill_n(f.out, element_count(f.node.shape),
                                   static_cast<real>(f.node.attributes.number));
                     },
                     nullptr,
                     [](const Expression& e) { return number_text(e.node.attributes.number); },
                     number_python,
                     [](const CellQuery& q) { return number_text(q.node.attributes.number); },
                     {{{}, {{2, 3}, 1.5}}, {{}, {{}, -2}}}};

const Primitive iota{"iota",
                     own_shape,
                     [](const Forward& f) {
                       for (std::size_t i = 0; i < element_count(f.node.shape); ++i)
                         f.out[i] = static_cast<real>(i);
                     },
                     nullptr,
                     [](const Expression& e) { return Text{e.node.shape.size() == 1 ? "j" : "i"}; },
                     [](const Expression& e) {
                       const std::string count = std::to_string(element_count(e.node.shape));
                       const std::string range =
                           module_of(e) + ".arange(" + count + ", dtype=x_type)";
                       std::string axes;
                       for (std::size_t i = 1; i < e.node.shape.size(); ++i) axes += ", None";
                       return Text{axes.empty() ? range : range + "[:" + axes + "]"};
                     },
                     [](const CellQuery& q) { return Text{std::to_string(q.flat)}; },
                     {{{}, {{5}}}, {{}, {{5, 1}}}}};

const Primitive sinusoid{"sinusoid",
                         sinusoid_shape,
                         forward_sinusoid,
                         nullptr,
                         [](const Expression& e) { return latex_call("\\operatorname{PE}", e.in); },
                         [](const Expression& e) {
                           return python_call("sinusoid",
                                              {tensor_operand(e, 0),
                                               {std::to_string(e.integer(0))},
                                               {number_exact(e.node.attributes.number)}});
                         },
                         sinusoid_cell,
                         {{{{4}}, {{6}, 10000}}, {{{2, 3}}, {{5}, 100}}},
                         false};
}  // namespace primitives

Var fill(Graph& graph, Shape shape, double value) {
  return graph.record(primitives::fill, {}, {{shape.begin(), shape.end()}, value});
}

Var iota(Graph& graph, std::size_t count, long axis_from_end) {
  std::vector<long> shape(static_cast<std::size_t>(axis_from_end), 1);
  shape.front() = static_cast<long>(count);
  return graph.record(primitives::iota, {}, {std::move(shape), 0});
}

Var sinusoid(Var positions, std::size_t width, double base) {
  return positions.graph().record(primitives::sinusoid, {positions},
                                  {{static_cast<long>(width)}, base});
}

}  // namespace attend
