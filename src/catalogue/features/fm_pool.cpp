// SPDX-License-Identifier: Apache-2.0
// All rows as one, feature by feature:  F_c = max_i X_ic  or  (1/n) sum_i X_ic,  or the first or the last row;
// `unit` divides it by its length |F|
#include "catalogue/entry.h"
#include "ops/ratio.h"

namespace attend::fm_pool_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const std::string& by = in.text("by");
  const std::size_t one = by == "last" ? x.extent(-2) - 1 : 0;
  Var f = by == "max"    ? max(x, -2, true)
          : by == "mean" ? mean(x, -2, true)
                         : slice(x, -2, one, one + 1);
  if (in.flag("unit")) f = ratio(f, norm(f, -1, true));  // a row of zeros has no direction
  return {{out::output, let("F", f), "1 d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  Array f({1, x.cols()});
  for (std::size_t c = 0; c < x.cols(); ++c) {
    double most = x(0, c), sum = 0;
    for (std::size_t i = 0; i < x.rows(); ++i) {
      most = std::max(most, x(i, c));
      sum += x(i, c);
    }
    f(0, c) = in.text("by") == "max"    ? most
              : in.text("by") == "mean" ? sum / static_cast<double>(x.rows())
              : in.text("by") == "last" ? x(x.rows() - 1, c)
                                        : x(0, c);
  }
  const double length = in.flag("unit") ? std::sqrt(inner(f.row(0), f.row(0))) : 1;
  for (double& one : f.data) one /= length == 0 ? 1 : length;
  return {{"output", f}};
}

extern const Mechanism record{
    .id = "fm-pool",
    .knobs = {choice_knob("by", "max", {"max", "mean", "first", "last"}), flag_knob("unit", false)},
    .roles = {{"x", "n d"}},
    .behaviour = Structure{build}};
}  // namespace attend::fm_pool_entry
