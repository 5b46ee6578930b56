// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/layers/residual_block.h"

#include <cmath>

#include "catalogue/parts/layers/loops.h"
#include "ops/rms_norm.h"
#include "ops/text.h"

namespace attend {

Var ResidualBlock::norm(int k, Var rows) const {
  const std::string& kind = in_.text("norm");
  if (kind == "none") return rows;
  const std::string number = std::to_string(in_.flag("shared") ? 1 : k);
  const Var scale = in_.param("norm" + number + ".gamma") + in_.scalar("offset");  // [1 d]
  const bool layer = kind == "layer";
  const Var eps = in_.has("eps") ? in_.scalar("eps") : fill(in_.graph(), {}, layer ? 1e-5 : 1e-6);
  const Var normed = layer ? layer_norm(rows, scale, in_.param("norm" + number + ".beta"), eps)
                           : rms_norm(rows, eps) * scale;
  return let("N_{" + std::to_string(k) + "}", normed);  // [n d]
}

Var ResidualBlock::called(const char* slot, const Call& call, const Tensors& inputs,
                          Var rows) const {
  const Tensors results = in_.call(slot, call, inputs);
  const Var output = results.find("output");
  const Var y = output ? output : results["context"];
  if (y.shape() == rows.shape()) return y;
  refuse(in_.choice.in(slot)->path,
         "the output is added to the input rows, so both need the shape " + to_text(rows.shape()) +
             "; found " + to_text(y.shape()));
}

Array block_norm_by_loops(const ReferenceIn& in, const std::string& number, Array x) {
  if (in.text("norm") == "none") return x;
  const bool layer = in.text("norm") == "layer";
  const std::string name = "norm" + (in.flag("shared") ? "1" : number);
  const double eps = in.knobs.contains("eps") ? in.number("eps") : layer ? 1e-5 : 1e-6;
  const auto d = static_cast<double>(x.cols());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    double mean = 0, variance = 0;
    for (const double one : x.row(i)) mean += layer ? one / d : 0;
    for (const double one : x.row(i)) variance += (one - mean) * (one - mean) / d;
    for (std::size_t c = 0; c < x.cols(); ++c) {
      x(i, c) = (x(i, c) - mean) / std::sqrt(variance + eps) *
                (in.parameter(name + ".gamma")(c) + in.number("offset"));
      if (layer) x(i, c) += in.parameter(name + ".beta")(c);
    }
  }
  return x;
}

Array gated_by_loops(const ReferenceIn& in, const Array& x) {
  const auto with = [&](const Array& rows, const char* W, const char* b) {
    return affine(rows, in.parameter(std::string("ffn.") + W),
                  in.parameter(std::string("ffn.") + b));
  };
  Array gate = activated(with(x, "W_gate", "b_gate"), "silu");
  const Array up = with(x, "W_up", "b_up");
  for (std::size_t i = 0; i < gate.data.size(); ++i) gate.data[i] *= up.data[i];
  return with(gate, "W_down", "b_down");
}

}  // namespace attend
