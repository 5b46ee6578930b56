// SPDX-License-Identifier: Apache-2.0
// Convolution along the rows: F_i = act(sum_s X_{i+s-(size-1)/2} K_s + b), zero padded
// Kim 2014, arXiv:1408.5882
#include "catalogue/entry.h"

namespace attend::fm_cnn1d_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"], kernel = in.param("kernel");  // [n d_in] [size d_in d_out]
  const std::size_t n = x.extent(-2), d = x.extent(-1), size = kernel.extent(0),
                    before = (size - 1) / 2;
  in.label("n", x);
  std::vector<Var> padded{x};
  if (before > 0) padded.insert(padded.begin(), zeros(in.graph(), {before, d}));
  if (size - 1 > before) padded.push_back(zeros(in.graph(), {size - 1 - before, d}));
  const Var rows = padded.size() == 1 ? x : concat(padded, -2);  // [n+size-1 d_in]
  Var f = in.param("b");                                         // [1 d_out]
  for (std::size_t s = 0; s < size; ++s)
    f = f + matmul(slice(rows, -2, s, s + n), squeeze(slice(kernel, 0, s, s + 1), 0));
  return {{out::output, let("F", in.activate(f)), "n d_out"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &K = in.parameter("kernel");
  const std::size_t size = K.shape[0], before = (size - 1) / 2;
  Array f({x.rows(), K.cols()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t o = 0; o < K.cols(); ++o) {
      double sum = in.parameter("b")(o);
      for (std::size_t s = 0; s < size; ++s) {
        if (i + s < before || i + s - before >= x.rows()) continue;
        for (std::size_t c = 0; c < x.cols(); ++c) sum += x(i + s - before, c) * K(s, c, o);
      }
      f(i, o) = activate(in.text("act"), sum);
    }
  }
  return {{"output", f}};
}

extern const Mechanism record{
    .id = "fm-cnn1d",
    .parameters = {{"kernel", "size d_in d_out"}, {"b", "d_out", Distribution::zero}},
    .symbols = {{"d_out", "d_in"}},
    .knobs = {size_knob("size", "size", 3., 1, 9), activation_knob("relu")},
    .roles = {{"x", "n d_in"}},
    .laws = {.permutation = false},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_cnn1d_entry
