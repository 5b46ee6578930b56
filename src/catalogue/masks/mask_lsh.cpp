// SPDX-License-Identifier: Apache-2.0
// Hashing: h(x) = argmax([x R ; -x R]); row i sees key j iff some round puts both into one bucket
// Kitaev et al. 2020 (Reformer), section 2, arXiv:2001.04451
#include "catalogue/entry.h"

namespace attend::mask_lsh_entry {
namespace {

Var bucket(Var x, Var R) {  // [n p] [rounds p b/2] -> [rounds n]
  const Var projected = matmul(x, R);
  return argmax(concat({projected, -projected}, -1), -1);
}

Var build(const MaskIn& in) {
  if (!in.inputs.q) refuse("it reads the query, but this module has none");
  const Var q = in.inputs.q, k = in.inputs.k;
  if (q.extent(-1) != k.extent(-1)) {
    refuse("queries and keys share one hash, so they must be equally wide; they are " +
           std::to_string(q.extent(-1)) + " and " + std::to_string(k.extent(-1)) + " wide");
  }
  if (in.integer("buckets") % 2 != 0) {
    refuse(in.choice.path + "/buckets",
           "buckets come in pairs, x R and -x R; found " + std::to_string(in.integer("buckets")));
  }
  const Var given = in.param("R");
  const Var R = given.rank() == 2 ? expand(given, 0) : given;  // of one round alone
  const Var of_query = let("h(Q)", bucket(q, R)), of_key = let("h(K)", bucket(k, R));
  return max(equal(expand(of_query, -1), expand(of_key, -2)), 0);  // [rounds m n] -> [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  Array R = in.parameter("R");
  if (R.shape.size() == 2) R.shape.insert(R.shape.begin(), 1);
  const std::size_t half = R.cols();
  const auto bucket_of = [&](const Array& x, std::size_t row, std::size_t round) {
    std::size_t best = 0;
    double highest = -1e300;
    for (std::size_t b = 0; b < 2 * half; ++b) {
      double place =
          sum_over(x.cols(), [&](std::size_t c) { return x(row, c) * R(round, c, b % half); });
      if (b >= half) place = -place;
      if (place > highest) best = b;
      highest = std::max(highest, place);
    }
    return best;
  };
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    bool met = false;
    for (std::size_t round = 0; round < R.shape[0]; ++round)
      met = met || bucket_of(q, i, round) == bucket_of(k, j, round);
    return met;
  });
}

extern const Mechanism record{
    .id = "mask-lsh",
    .parameters = {{"R", "rounds dk buckets/2 | dk buckets/2", Distribution::normal}},
    .knobs = {size_knob("buckets", "buckets", 4., 2, 32), size_knob("rounds", "rounds", 2., 1, 8)},
    .needs_query = true,
    .behaviour = Mask{build}};
}  // namespace attend::mask_lsh_entry
