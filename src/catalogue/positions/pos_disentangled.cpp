// SPDX-License-Identifier: Apache-2.0
// Disentangled attention: content meets content, content meets distance, distance meets content,
//   e_ij = (q_i.k_j + q_i.K_r[delta(i,j)] + k_j.Q_r[delta(i,j)]) / sqrt((1 + terms) d),
//   delta(i,j) = clip(i - j + k, 0, 2k - 1)
// He et al. 2021 (DeBERTa), section 3.1, equations 2 to 4, arXiv:2006.03654
#include "catalogue/entry.h"

namespace attend::pos_disentangled_entry {
namespace {

Var score(const PositionIn& in, Var scores) {              // scores [m n]
  const Var q = in.inputs.q, keys = in.inputs.k;           // [m d] [n d]
  const Var K_r = in.param("K_r"), Q_r = in.param("Q_r");  // [2k d]
  const auto k = static_cast<double>(in.integer("k"));
  const Var distance = in.row_index() - in.key_index();  // [m n]
  const Var delta = clip(distance + k, 0, 2 * k - 1);
  const bool c2p = in.flag("c2p"), p2c = in.flag("p2c");
  const double terms = 1 + (c2p ? 1 : 0) + (p2c ? 1 : 0);
  const double scale = 1 / std::sqrt(terms * static_cast<double>(keys.extent(-1)));
  // Its own scale replaces that of the score.
  Var e = scores + (scale - in.score_scale) * matmul(q, keys, false, true);
  if (c2p) {
    const Var all = let("Q K_r^{\\top}", matmul(q, K_r, false, true));  // [m 2k]
    e = e + scale * let("\\text{c2p}", take(all, delta));
  }
  if (p2c) {
    const Var turned = in.text("gather") == "paper" ? clip(k - distance, 0, 2 * k - 1) : delta;
    const Var all = let("K Q_r^{\\top}", matmul(keys, Q_r, false, true));  // [n 2k]
    e = e + scale * let("\\text{p2c}", transpose(take(all, transpose(turned))));
  }
  return e;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &keys = in["key"];
  const auto k = static_cast<long>(in.number("k"));
  const auto delta = [k](std::size_t i, std::size_t j) {
    const long apart = static_cast<long>(i) - static_cast<long>(j);
    if (apart <= -k) return std::size_t{0};
    return static_cast<std::size_t>(apart >= k ? 2 * k - 1 : apart + k);
  };
  const bool paper = in.text("gather") == "paper";
  return {{"scores", table_by(q.rows(), keys.rows(), [&](std::size_t i, std::size_t j) {
             double sum = inner(q.row(i), keys.row(j));
             if (in.flag("c2p")) sum += inner(q.row(i), in.parameter("K_r").row(delta(i, j)));
             if (in.flag("p2c"))
               sum +=
                   inner(keys.row(j), in.parameter("Q_r").row(paper ? delta(j, i) : delta(i, j)));
             const int terms =
                 1 + static_cast<int>(in.flag("c2p")) + static_cast<int>(in.flag("p2c"));
             return sum / std::sqrt(terms * static_cast<double>(keys.cols()));
           })}};
}

extern const Mechanism record{
    .id = "pos-disentangled",
    .aliases = {"deberta"},
    .parameters = {{"K_r", "2k dk"}, {"Q_r", "2k dk"}},
    .knobs = {size_knob("k", "k", 4., 1, 16), flag_knob("c2p", true), flag_knob("p2c", true),
              choice_knob("gather", "released", {"released", "paper"})},
    .needs_query = true,
    .needs_product = true,
    .laws = {.permutation = false},
    .behaviour = Position{.score = score}};
}  // namespace attend::pos_disentangled_entry
