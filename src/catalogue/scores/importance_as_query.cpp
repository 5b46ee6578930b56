// SPDX-License-Identifier: Apache-2.0
// Importance vector from outside:  e_ij = act(..) . w_i with w_i an input in place of a parameter
// Ma et al. 2018 (Sentic LSTM);  Galassi, Lippi, Torroni 2021, section IV-B, arXiv:1902.02181
#include "catalogue/entry.h"

namespace attend::importance_as_query_entry {
namespace {

Var build(const ScoreIn& in) {                // q [m dq]  k [n dk]
  Var w = in.rows_of(in.need("importance"));  // [m a] or [1 a]
  if (w.extent(0) > 1) {  // the rows are a batch of vectors, behind that of the heads
    Shape shape(in.q.rank() + 1, 1);
    shape[shape.size() - 3] = w.extent(0);
    shape.back() = w.extent(1);
    w = reshape(w, shape);  // [.. m 1 a]
  }
  return in.base(in.q, {{"w", w}});  // [m n]
}

}  // namespace

// The additive base.
Arrays reference(const ReferenceIn& in) {
  const Array &w = in["importance"], &q = in["query"], &k = in["key"];
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      for (std::size_t c = 0; c < w.cols(); ++c) {
        double x = in.parameter("base.b")(c);
        for (std::size_t r = 0; r < q.cols(); ++r) x += q(i, r) * in.parameter("base.W1")(r, c);
        for (std::size_t r = 0; r < k.cols(); ++r) x += k(j, r) * in.parameter("base.W2")(r, c);
        e(i, j) += activate("tanh", x) * w(w.rows() > 1 ? i : 0, c);
      }
    }
  }
  return {{"scores", e}};
}

extern const Mechanism record{.id = "importance-as-query",
                              .roles = {{"importance", "m dw | 1 dw"}},
                              .slots = {{.name = "base",
                                         .kind = Kind::score,
                                         .fallback = "additive",
                                         .among = {"additive", "concat"}}},
                              .behaviour = Score{build}};
}  // namespace attend::importance_as_query_entry
