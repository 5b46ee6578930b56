// SPDX-License-Identifier: Apache-2.0
// Neighbouring rows laid out as one:  F_i = [X_{si}, .., X_{si+s-1}]; all rows unless the knob says how many
#include "catalogue/entry.h"

namespace attend::fm_flatten_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  const std::size_t n = x.extent(-2), d = x.extent(-1);
  const std::size_t size = in.has("size") ? in.integer("size") : n;
  if (n % size != 0) {
    refuse(in.choice.path + "/size", "no row may be left over, so size must divide " +
                                         std::to_string(n) + " rows; found " +
                                         std::to_string(size));
  }
  return {{out::output, let("F", reshape(x, {n / size, size * d})), "m c:feature"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t size = in.knobs.contains("size") ? in.integer("size") : x.rows();
  Array f({x.rows() / size, size * x.cols()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c) f(i / size, i % size * x.cols() + c) = x(i, c);
  }
  return {{"output", f}};
}

extern const Mechanism record{
    .id = "fm-flatten",
    .knobs = {integer_knob("size", "all", 1, 16).at_least(1).optionally()},
    .roles = {{"x", "n d"}},
    .laws = {.permutation = false},
    .extents = {{"n", 48}},
    .behaviour = Structure{build}};
}  // namespace attend::fm_flatten_entry
