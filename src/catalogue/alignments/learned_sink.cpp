// SPDX-License-Identifier: Apache-2.0
// A learned sink:  a_ij = exp(e_ij) / (exp(s) + sum_k exp(e_ik)), one number s for each head
// gpt-oss, OpenAI 2025, arXiv:2508.10925
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/sinks.h"
#include "catalogue/result.h"

namespace attend::learned_sink_entry {
namespace {

Var build(const AlignmentIn& in) {                // scores [m n]
  return softmax_beside_sink(in, in.param("s"));  // [m n]
}

}  // namespace

// Each weight by itself: a_j = 1 / (exp(s - e_j) + sum_k exp(e_k - e_j)).
Arrays reference(const ReferenceIn& in) {
  const double s = in.parameter("s")();
  Array rest({in["scores"].rows()});
  Arrays out = each_row(in, [&](std::size_t i, const Row& e) {
    Row weights(e.size(), 0);
    long double others = 0;
    for (std::size_t j = 0; j < e.size(); ++j) {
      if (!in.allowed(i, j)) continue;
      long double odds = std::exp(static_cast<long double>(s) - e[j]);
      for (std::size_t k = 0; k < e.size(); ++k)
        if (in.allowed(i, k)) odds += std::exp(static_cast<long double>(e[k]) - e[j]);
      weights[j] = static_cast<double>(1 / odds);
      others += std::exp(static_cast<long double>(e[j]) - s);
    }
    rest(i) = static_cast<double>(1 / (1 + others));
    return weights;
  });
  out["remainder"] = rest;
  return out;
}

extern const Mechanism record{.id = "learned-sink",
                              .aliases = {"sink"},
                              .parameters = {{"s", "", Distribution::zero}},
                              .laws = {.rows_sum_to_one = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::learned_sink_entry
