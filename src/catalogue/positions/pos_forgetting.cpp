// SPDX-License-Identifier: Apache-2.0
// A forgetting gate:  e_ij - |G_i - G_j|, G_t = sum_{l <= t} ln f_l: the gates after the earlier token, up to the
// later one. The gates are given, or come from the token:  f_t = sigma(x_t w_f + b_f)
// Lin et al. 2025 (Forgetting Transformer), arXiv:2503.02130
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/heads/head_tables.h"

namespace attend::pos_forgetting_entry {
namespace {

// A gate that training moves below zero forgets all but everything.
constexpr double smallest = 1e-30;

Var log_gates(const PositionIn& in) {  // [.. 1 n]
  if (in.text("gates") == "given") {
    const Var f = of_each_head(in, "f", "n");
    return log(maximum(f, scalar(f, smallest)));
  }
  const Var w = of_each_head(in, "w_f", "dx");       // [.. 1 dx]
  const Var x = matmul(w, in.whole.k, false, true);  // [.. 1 n]
  return -activation("softplus", -(x + of_each_head(in, "b_f", "")));
}

Var score(const PositionIn& in, Var scores) {  // scores [.. m n]
  const Var gates = log_gates(in), sums = cumsum(gates, -1);
  const Var G = let("G", cumsum(gates, -1));  // [.. 1 n]
  const auto gaps_to = [&](Var rows) {
    const Var gaps = let("|G_i - G_j|", absolute(rows - G));
    // Logarithms of squashed gates are below 0, so G falls: for keys of the past, this is G_j - G_i.
    const bool falls = in.rows == nullptr && in.text("gates") == "token";
    return falls ? stated(gaps, by_key_intent(in.inputs.memory), {sums, gates}) : gaps;
  };
  const bool each_is_a_key =
      in.rows == nullptr && in.inputs.memory == 0 && in.row_count() == in.inputs.k.extent(-2);
  if (each_is_a_key) return scores - gaps_to(transpose(G));
  // A query behind the last key has no gate of its own.
  const auto last = static_cast<double>(in.inputs.k.extent(-2)) - 1;
  const Var place = transpose(in.row_index()) + static_cast<double>(in.inputs.memory);  // [1 m]
  const Var of_rows = transpose(take(G, -maximum(-place, scalar(place, -last))));       // [.. m 1]
  return scores - gaps_to(of_rows);
}

}  // namespace

// Gate by gate between the two tokens.
Arrays reference(const ReferenceIn& in) {
  Row f(in["key"].rows());
  for (std::size_t t = 0; t < f.size(); ++t) {
    const bool given = in.text("gates") == "given";
    f[t] = given ? in.parameter("f")(t)
                 : activate("sigmoid", inner(in["inputs.key"].row(t), in.parameter("w_f").data) +
                                           in.parameter("b_f")());
  }
  return scores_plus(in, [&](std::size_t i, std::size_t j) {
    double kept = 1;
    for (std::size_t l = std::min(i, j) + 1; l <= std::max(i, j) && l < f.size(); ++l) kept *= f[l];
    return std::log(kept);
  });
}

extern const Mechanism record{.id = "pos-forgetting",
                              .aliases = {"fox"},
                              .parameters = {{.name = "f",
                                              .shape = "n | h n",
                                              .distribution = Distribution::half,
                                              .values = {0, 1, true}},
                                             {"w_f", "dx | h dx"},
                                             {"b_f", " | h", Distribution::zero}},
                              .knobs = {gates_knob},
                              .laws = {.permutation = false},
                              .behaviour = Position{.score = score}};
}  // namespace attend::pos_forgetting_entry
