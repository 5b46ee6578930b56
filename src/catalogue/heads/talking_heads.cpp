// SPDX-License-Identifier: Apache-2.0
// Talking heads, which mix their scores before the alignment and their weights after it:
//   E'_s = sum_t E_t W_pre[t,s],  A = align(E'),  A'_s = sum_t A_t W_post[t,s],  head_s = A'_s V_s
// Shazeer et al. 2020, arXiv:2003.02436
#include <string>

#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"

namespace attend::talking_heads_entry {
namespace {

// Maps [.. h m n] -> [.. h m n]: map s is the sum over t of map t times W[t, s].
Var mixed(Var maps, Var W) {
  const auto rank = static_cast<long>(maps.rank());
  std::vector<long> last, back;  // the heads behind the keys, and in front of the rows again
  for (long axis = 0; axis < rank - 3; ++axis) last.push_back(axis);
  back = last;
  for (const long axis : {rank - 2, rank - 1, rank - 3}) last.push_back(axis);
  for (const long axis : {rank - 1, rank - 3, rank - 2}) back.push_back(axis);
  return permute(matmul(permute(maps, last), W), back);
}

Var scores(const HeadsIn& in, Var e) { return let("E'", mixed(e, in.param("W_pre"))); }
Var weights(const HeadsIn& in, Var a) { return let("A'", mixed(a, in.param("W_post"))); }

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &pre = in.parameter("W_pre"), &post = in.parameter("W_post");
  const std::size_t h = pre.rows(), n = x.rows(), p = in.parameter("W_Q").cols(),
                    pv = in.parameter("W_V").cols();
  const auto entry = [&](const std::string& side, std::size_t t, std::size_t i, std::size_t c) {
    const auto bias = in.parameters.find("b_" + side);
    double sum = bias == in.parameters.end() ? 0 : bias->second(t, c);
    for (std::size_t r = 0; r < x.cols(); ++r) sum += x(i, r) * in.parameter("W_" + side)(t, r, c);
    return sum;
  };
  const auto spoken = [&](const Array& maps, const Array& W) {
    Array all(maps.shape);
    for (std::size_t t = 0; t < h; ++t)
      for (std::size_t s = 0; s < h; ++s)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) all(s, i, j) += maps(t, i, j) * W(t, s);
    return all;
  };
  Array e({h, n, n}), a({h, n, n}), heads({h, n, pv});
  for (std::size_t t = 0; t < h; ++t)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t c = 0; c < p; ++c)
          e(t, i, j) += entry("Q", t, i, c) * entry("K", t, j, c) / std::sqrt(double(p));
  e = spoken(e, pre);
  for (std::size_t t = 0; t < h; ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      Row scores(n);
      for (std::size_t j = 0; j < n; ++j) scores[j] = e(t, i, j);
      const Row row = soft(scores, [](std::size_t) { return true; });
      for (std::size_t j = 0; j < n; ++j) a(t, i, j) = row[j];
    }
  }
  a = spoken(a, post);
  for (std::size_t t = 0; t < h; ++t)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t c = 0; c < pv; ++c) heads(t, i, c) += a(t, i, j) * entry("V", t, j, c);
  return {{"scores", e}, {"weights", a}, {"context", merged_by_loops(in, heads)}};
}

extern const Mechanism record{
    .id = "talking-heads",
    .parameters = {{"W_Q", "h dq p"},
                   {"W_K", "h dk p"},
                   {"W_V", "h dv pv"},
                   {"W_O", "h*pv dc"},
                   {"b_Q", "h p", Distribution::zero},
                   {"b_K", "h p", Distribution::zero},
                   {"b_V", "h pv", Distribution::zero},
                   {"b_O", "dc", Distribution::zero},
                   {"W_pre", "h h"},
                   {"W_post", "h h"}},
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), flag_knob("bias", false)},
    .needs_query = true,
    .laws = {.rows_sum_to_one = false, .nonnegative = false},
    .coordinate = "multi-head",
    .behaviour =
        Heads{.split = split_heads, .merge = merge_heads, .scores = scores, .weights = weights}};
}  // namespace attend::talking_heads_entry
