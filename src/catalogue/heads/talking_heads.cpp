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
  const std::size_t h = pre.rows(), n = x.rows();
  const auto side = [&](const std::string& name, std::size_t t) {
    const Array rows = product(x, part_of(in.parameter("W_" + name), t));
    const auto bias = in.parameters.find("b_" + name);
    return bias == in.parameters.end() ? rows : plus(rows, part_of(bias->second, t));
  };
  const auto spoken = [&](const Array& maps, const Array& W) {
    Array all(maps.shape);
    for (std::size_t t = 0; t < h; ++t)
      for (std::size_t s = 0; s < h; ++s)
        for (std::size_t i = 0; i < n; ++i) all.add(times(maps.row(t, i), W(t, s)), s, i);
    return all;
  };
  Array e({h, n, n}), a({h, n, n}), heads({h, n, in.parameter("W_V").cols()});
  for (std::size_t t = 0; t < h; ++t)
    put_part(e, t, attended(side("Q", t), side("K", t), x).scores);
  e = spoken(e, pre);
  for (std::size_t t = 0; t < h; ++t) put_part(a, t, soft_rows(part_of(e, t)));
  a = spoken(a, post);
  for (std::size_t t = 0; t < h; ++t) put_part(heads, t, product(part_of(a, t), side("V", t)));
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
