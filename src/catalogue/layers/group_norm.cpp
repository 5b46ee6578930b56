// SPDX-License-Identifier: Apache-2.0
// Group norm of every row: each of `groups` equal parts of the features is brought to mean 0 and variance 1,
//   y = (x - mean) / sqrt(var + eps) * gamma + beta,  and a bonus, if one comes in, is added behind
// Wu & He 2018, arXiv:1803.08494
#include "catalogue/entry.h"
#include "ops/rms_norm.h"

namespace attend::group_norm_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const std::size_t n = x.extent(-2), d = x.extent(-1), K = in.integer("groups");
  const Var parts = reshape(x, {n, K, d / K});
  const Var centred = parts - mean(parts, -1, true);
  const Var normed = reshape(rms_norm(centred, in.scalar("eps")), {n, d});
  Var y = normed * in.param("gamma") + in.param("beta");  // [n d]
  if (const Var bonus = inputs.find("bonus")) y = y + bonus;
  return {{out::output, let("Y", y), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  Array y(x.shape);
  const std::size_t K = in.integer("groups");
  const std::size_t width = x.cols() / K;
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c) {
      const std::size_t first = c / width * width;
      double mean = 0, variance = 0;
      for (std::size_t u = first; u < first + width; ++u) mean += x(i, u) / double(width);
      for (std::size_t u = first; u < first + width; ++u)
        variance += std::pow(x(i, u) - mean, 2) / double(width);
      y(i, c) =
          (x(i, c) - mean) / std::sqrt(variance + in.number("eps")) * in.parameter("gamma")(c) +
          in.parameter("beta")(c) + (in.has("bonus") ? in["bonus"](i, c) : 0);
    }
  }
  return {{"output", y}};
}

extern const Mechanism record{
    .id = "group-norm",
    .parameters = {{"gamma", "d", Distribution::one}, {"beta", "d", Distribution::zero}},
    .knobs = {size_knob("groups", "K", 2., 1, 16).divides("d"),
              number_knob("eps", 1e-5, 1e-12, 1e-3).above(0).log_scale()},
    .roles = {{"x", "n d"}, {"bonus", "n d", false}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::group_norm_entry
