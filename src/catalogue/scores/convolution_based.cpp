// SPDX-License-Identifier: Apache-2.0
// Convolution-based score:  s_i = act([k_i; ..; k_{i+l-1}] . w + b),
//   e_j = mean of s_i over the windows that hold key j, i = j-l+1 .. j
// Du et al. 2019 (Convolution-Based Neural Attention), doi:10.1109/ACCESS.2019.2900335;
// Galassi, Lippi, Torroni 2021, table IV, arXiv:1902.02181
#include "catalogue/entry.h"

namespace attend::convolution_based_entry {
namespace {

// Whether window i holds key j, [n-l+1 n].
Var windows_of_keys(Graph& graph, std::size_t n, std::size_t l) {
  const Var offset = iota(graph, n) - iota(graph, n - l + 1, 2);
  return greater(offset, scalar(offset, -1)) *
         greater(scalar(offset, static_cast<double>(l)), offset);
}

Var build(const ScoreIn& in) {         // k [n dk]
  const auto [w, b] = in.params<2>();  // [f l*dk] [1 f]
  const std::size_t n = in.k.extent(-2), l = in.integer("l");
  if (n < l) {  // no window fits
    Shape shape = w.shape();
    shape.back() = n;
    return zeros(in.graph(), shape);
  }
  const std::size_t count = n - l + 1;
  std::vector<Var> shifted;
  for (std::size_t o = 0; o < l; ++o) shifted.push_back(slice(in.k, -2, o, o + count));
  const Var windows = concat(shifted, -1);                                   // [n-l+1 l*dk]
  const Var s = let("S", in.activate(matmul(windows, w, false, true) + b));  // [n-l+1 f]
  const Var holds = windows_of_keys(in.graph(), n, l);                       // [n-l+1 n]
  const Var total = matmul(s, holds, true);                                  // [f n]
  return in.text("edge") == "zero" ? total / static_cast<double>(l)          // [f n]
                                   : total / sum(holds, -2, true);
}

bool has_rows_of_its_own(const Scope& in) { return in.integer("filters") > 1; }

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &k = in["key"], &w = in.parameter("w");
  const std::size_t n = k.rows(), l = w.cols() / k.cols();
  Array e({w.rows() > 1 || !in.has("query") ? w.rows() : in["query"].rows(), n});
  for (std::size_t f = 0; f < e.rows(); ++f) {
    const std::size_t filter = w.rows() > 1 ? f : 0;
    for (std::size_t j = 0; j < n; ++j) {
      double total = 0, count = 0;
      for (std::size_t i = 0; i + l <= n; ++i) {
        if (i > j || i + l <= j) continue;
        double x = in.parameter("b")(filter);
        for (std::size_t c = 0; c < l * k.cols(); ++c)
          x += k(i + c / k.cols(), c % k.cols()) * w(filter, c);
        total += activate(in.text("act"), x);
        ++count;
      }
      if (in.text("edge") == "zero") count = static_cast<double>(l);
      e(f, j) = count > 0 ? total / count : 0;
    }
  }
  return {{"scores", e}};
}

extern const Mechanism record{
    .id = "convolution-based",
    .parameters = {{"w", "filters l*dk"}, {"b", "filters", Distribution::zero}},
    .knobs = {size_knob("l", "l", 3., 1, 9), size_knob("filters", "filters", 1., 1, 8),
              activation_knob("tanh"), choice_knob("edge", "drop", {"drop", "zero"})},
    .laws = {.permutation = false},
    .behaviour = Score{.build = build, .reads_query = false, .asks_nobody = has_rows_of_its_own}};
}  // namespace attend::convolution_based_entry
