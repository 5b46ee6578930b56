// SPDX-License-Identifier: Apache-2.0
// Structured attention, linear chain:  p(z) ~ exp(sum_j e_j z_j + sum_j T[z_j][z_{j+1}]),
//   z in {0,1}^n,  a_j = p(z_j = 1) by forward-backward in log space
// Kim, Denton, Hoang, Rush 2017 (Structured Attention Networks), section 3.1, arXiv:1702.00887
#include "catalogue/entry.h"

namespace attend::structured_chain_entry {
namespace {

// Messages as log odds of z = 1: what arrives from a neighbour with log odds x is
//   ln (e^T01 + e^(T11 + x)) / (e^T00 + e^(T10 + x)),
// which stays as small as T however long the chain is.
struct Passing {
  Var within, constant;  // [.. 2 2] [.. 2 1]: softplus(x + within) is taken, twice
};
Passing passing(Var T) {  // [.. 2 2 2]: one matrix a direction
  const Var from0 = row(T, 0), from1 = row(T, 1);
  const Var gap = squeeze(from1 - from0, -2);  // [.. 2 2]: T10 - T00, T11 - T01
  const Var first = squeeze(from0, -2);
  return {gap, slice(first, -1, 1, 2) - slice(first, -1, 0, 1)};
}

// The messages of all keys, from the first one on; e [.. 2 m n].
Var messages(Var e, const Passing& T) {
  const Var within = expand(T.within, -2);       // [.. 2 1 2]
  const Var moved = e + expand(T.constant, -2);  // [.. 2 m n]
  const Var signs = iota(e.graph(), 2) * 2 - 1;  // -1, 1
  std::vector<Var> list{slice(e, -1, 0, 1)};
  for (std::size_t j = 1; j < e.extent(-1); ++j) {
    const Var both = activation("softplus", list.back() + within);  // [.. 2 m 2]
    list.push_back(slice(moved, -1, j, j + 1) + sum(both * signs, -1, true));
  }
  return concat(list, -1);
}

Var build(const AlignmentIn& in) {  // scores [.. m n]
  const Var T = in.param("T");      // [.. 2 2]
  const std::size_t n = in.scores.extent(-1);
  const Var mask = in.mask ? in.mask : ones(in.graph(), {n});
  // The chain runs over the allowed keys: they are moved to the front, once in order and once
  // backwards; what follows them does not reach them.
  const Var last = static_cast<double>(n - 1) - in.key_index();
  const auto whole = [&](Var order) { return broadcast_to(order, in.scores.shape()); };
  const Var onward = whole(argsort(mask));
  const Var last_all = broadcast_to(last, mask.shape());
  const Var backward = whole(take(last_all, argsort(take(mask, last_all))));
  const Var e = concat({expand(take(in.scores, onward), -3),     //
                        expand(take(in.scores, backward), -3)},  //
                       -3);                                      // [.. 2 m n]
  const Var both =
      messages(e, passing(concat({expand(T, -3), expand(transpose(T), -3)}, -3)));  // [.. 2 m n]
  const auto back = [&](std::size_t direction, Var order) {
    return put(squeeze(slice(both, -3, direction, direction + 1), -3), order, n);
  };
  const Var alpha = let("\\alpha", back(0, onward)), beta = let("\\beta", back(1, backward));
  const Var odds = alpha + beta - in.scores;  // the score is in both
  // a / sum a as a softmax of ln a: the weights of a row may all be too small to differ from 0.
  if (in.flag("normalise")) return softmax(-activation("softplus", -odds), in.mask);
  const Var weights = sigmoid(odds);
  return in.mask ? weights * in.mask : weights;
}

// Every assignment of the allowed keys, weighed one by one.
Row enumerate(const Row& e, const Array& T) {
  const std::size_t n = e.size();
  std::vector<long double> energy(std::size_t{1} << n, 0);
  long double highest = -1e300L;
  for (std::size_t z = 0; z < energy.size(); ++z) {
    for (std::size_t j = 0; j < n; ++j) {
      if ((z >> j & 1) != 0) energy[z] += e[j];
      if (j + 1 < n) energy[z] += T(z >> j & 1, z >> (j + 1) & 1);
    }
    highest = std::max(highest, energy[z]);
  }
  std::vector<long double> on(n, 0);
  long double total = 0;
  for (std::size_t z = 0; z < energy.size(); ++z) {
    const long double p = std::exp(energy[z] - highest);
    total += p;
    for (std::size_t j = 0; j < n; ++j) on[j] += (z >> j & 1) != 0 ? p : 0;
  }
  return row_by(n, [&](std::size_t j) { return static_cast<double>(on[j] / total); });
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, const Row& e) {
    Row chain;
    for (std::size_t j = 0; j < e.size(); ++j)
      if (in.allowed(i, j)) chain.push_back(e[j]);
    chain = enumerate(chain, in.parameter("T"));
    double total = 0;
    for (const double a : chain) total += a;
    Row weights(e.size(), 0);
    for (std::size_t j = 0, next = 0; j < e.size(); ++j)
      if (in.allowed(i, j)) weights[j] = chain[next++] / (in.flag("normalise") ? total : 1);
    return weights;
  });
}

extern const Mechanism record{.id = "structured-chain",
                              .aliases = {"segmentation-attention"},
                              .parameters = {{"T", "2 2"}},
                              .knobs = {flag_knob("normalise", false)},
                              .laws = {.rows_sum_to_one = false, .permutation = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::structured_chain_entry
