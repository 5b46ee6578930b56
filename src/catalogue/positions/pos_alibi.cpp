// SPDX-License-Identifier: Apache-2.0
// Attention with linear biases:  e_ij - m_t |i - j|, a slope m_t for each head t of h:  m_t = 2^(-8 (t+1) / h) where h
// is a power of two, else those of the next lower power followed by the first, third, .. of the next higher one
// Press, Smith, Lewis 2021, arXiv:2108.12409
#include "catalogue/entry.h"
#include "catalogue/parts/heads/head_tables.h"
#include "ops/text.h"

namespace attend::pos_alibi_entry {
namespace {

std::vector<double> usual_slopes(std::size_t h) {
  std::size_t lower = 1;
  while (lower * 2 <= h) lower *= 2;
  std::vector<double> slopes;
  const auto add = [&](std::size_t t, std::size_t of) {
    slopes.push_back(std::exp2(-8. * static_cast<double>(t + 1) / static_cast<double>(of)));
  };
  for (std::size_t t = 0; t < lower; ++t) add(t, lower);
  for (std::size_t t = 0; slopes.size() < h; t += 2) add(t, 2 * lower);
  return slopes;
}

std::vector<double> slopes_of(const PositionIn& in) {
  const std::size_t maps = head_count(in), h = maps / maps_of_each_head(in);
  if (!in.has("slopes")) return for_each_map(in, usual_slopes(h));
  const Tensor& given = in.matrix("slopes");
  const std::size_t found = given.data.size();
  // Documents of before give one slope for each map of a head.
  if (given.shape.front() == 1 && found == h && h != 1) return for_each_map(in, given.data);
  if (given.shape.front() != 1 || (found != maps && found != 1))
    refuse(in.choice.path + "/slopes", "expected one slope, or one for each of " +
                                           std::to_string(h) + (h == 1 ? " head" : " heads") +
                                           "; found shape " + to_text(given.shape));
  return given.data;
}

Var score(const PositionIn& in, Var scores) {  // scores [.. m n]
  const std::vector<double> slopes = slopes_of(in);
  const Var m = by_head(in, in.constant("slopes", {{slopes.size()}, slopes}));  // [.. 1 1]
  const auto bias = [&](Var i, Var j) { return m * absolute(i - j); };          // [m n]
  return scores - let("m|i-j|", in.by_gap(bias));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const auto given = in.knobs.find("slopes");
  const double m =
      given == in.knobs.end() ? std::pow(2., -8.) : std::get<Tensor>(given->second).data[0];
  return scores_plus(in, [&](std::size_t i, std::size_t j) {
    return -m * static_cast<double>(i < j ? j - i : i - j);
  });
}

extern const Mechanism record{
    .id = "pos-alibi",
    .aliases = {"linear-biases"},
    .knobs = {matrix_knob("slopes").optionally().or_a_number().with_one_head(.5)},
    .laws = {.permutation = false, .heads_alike = false},
    .behaviour = Position{.score = score}};
}  // namespace attend::pos_alibi_entry
