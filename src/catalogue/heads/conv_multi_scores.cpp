// SPDX-License-Identifier: Apache-2.0
// Multi-output attention by convolution: each filter of the score gives its own row of scores,
//   E = [e^1; ..; e^filters],  A = align(E),  C = A V
// Du et al. 2019;  Galassi, Lippi, Torroni 2021, section IV-D1, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/reason.h"

namespace attend::conv_multi_scores_entry {

// Nothing is split: the score has a row for each filter, whatever the queries. Softmax inside.
Arrays reference(const ReferenceIn& in) {
  const Array &k = in["key"], &w = in.parameter("score.w");
  const std::size_t n = k.rows(), l = w.cols() / k.cols();
  Array weights({w.rows(), n});
  for (std::size_t f = 0; f < w.rows(); ++f) {
    Row responses;
    for (std::size_t i = 0; i + l <= n; ++i) {
      Row window;
      for (std::size_t o = 0; o < l; ++o) {
        window = joined(window, k.row(i + o));
      }
      responses.push_back(std::tanh(inner(window, w.row(f)) + in.parameter("score.b")(f)));
    }
    Row e(n, 0), count(n, 0);
    for (std::size_t i = 0; i < responses.size(); ++i) {
      for (std::size_t j = i; j < i + l; ++j) {
        e[j] += responses[i];
        ++count[j];
      }
    }
    for (std::size_t j = 0; j < n; ++j) e[j] /= count[j] > 0 ? count[j] : 1;
    weights.set(softened(e), f);
  }
  if (w.rows() == 1 && in.has("query")) {  // one filter serves every query
    weights = rows_by(in["query"].rows(), [&](std::size_t) { return Row(weights.row(0)); });
  }
  return {{"weights", weights}, {"context", product(weights, in["value"])}};
}

extern const Mechanism record{
    .id = "conv-multi-scores",
    .knobs = {size_knob("filters", "filters", 1., 1, 8)},
    .excludes = {{"score", {"convolution-based"}, true, "rows-from-filters"_reason}},
    .drops_query = true,
    .beside = {{"score", "convolution-based"}},
    .laws = {.permutation = false},
    .example = R"("filters": 3)",
    .behaviour = Heads{}};
}  // namespace attend::conv_multi_scores_entry
