// SPDX-License-Identifier: Apache-2.0
// Biases by buckets of distance:  e_ij + B[bucket(j - i)]. Of u buckets the first x = floor(u/2) hold one distance
// each, the others grow by a constant ratio up to `max`; keys ahead have u buckets of their own, or none
// Raffel et al. 2019 (T5), arXiv:1910.10683
#include "catalogue/entry.h"
#include "catalogue/parts/heads/head_tables.h"
#include "ops/text.h"

namespace attend::pos_t5_bias_entry {
namespace {

// How many buckets one direction has, and how many of them hold a single distance.
struct Sides {
  std::size_t each, single;
};

Sides sides_of(const PositionIn& in) {
  const std::size_t buckets = in.integer("buckets");
  const bool both = in.flag("bidirectional");
  if (both && buckets % 2 != 0)
    refuse(in.choice.path + "/buckets",
           "half of the buckets are for later keys, so the number of buckets must be even; found " +
               std::to_string(buckets));
  const std::size_t each = both ? buckets / 2 : buckets, single = each / 2;
  if (each > 1 && in.integer("max") <= single)
    refuse(in.choice.path + "/max", "each of the first " + std::to_string(single) +
                                        " buckets holds one distance, so max must be above " +
                                        std::to_string(single) + "; found " +
                                        std::to_string(in.integer("max")));
  return {each, single};
}

std::size_t bucket_of(std::size_t distance, const Sides& s, double most) {
  if (distance < s.single || s.each == 1) return s.each == 1 ? 0 : distance;
  const auto x = static_cast<double>(s.single), u = static_cast<double>(s.each);
  const double steps = std::log(static_cast<double>(distance) / x) / std::log(most / x) * (u - x);
  return static_cast<std::size_t>(std::min(u - 1, x + std::floor(steps)));
}

Var score(const PositionIn& in, Var scores) {  // scores [.. m n]
  const Sides s = sides_of(in);
  const Var B = of_each_head(in, "B", "buckets");  // [.. 1 buckets]
  // The bucket of each j - i. From `max` on all keys of a side share its last bucket, so the table serves any length.
  const std::size_t reach = in.integer("max");
  Tensor table{{1, 2 * reach + 1}, std::vector<double>(2 * reach + 1)};
  for (std::size_t at = 0; at < table.data.size(); ++at) {
    const bool ahead = at > reach, both = in.flag("bidirectional");
    const std::size_t distance = ahead ? (both ? at - reach : 0) : reach - at;
    const std::size_t first = ahead && both ? s.each : 0;
    table.data[at] = static_cast<double>(first + bucket_of(distance, s, in.number("max")));
  }
  const Var buckets = in.constant("buckets", table);  // [1 2 reach + 1]
  const auto far = static_cast<double>(reach);
  const auto bucket = [&](Var i, Var j) { return take(buckets, clip(j - i, -far, far) + far); };
  const auto table_by = [&](Var i, Var j) { return take(B, bucket(i, j)); };
  const auto bias = [&](Var i, Var j) { return take(B, let("\\text{bucket}", bucket(i, j))); };
  return scores + let("B_{\\text{bucket}}", in.by_gap(bias, table_by));
}

}  // namespace

// Bucket by bucket: each is as wide as the ratio lets it be.
Arrays reference(const ReferenceIn& in) {
  const bool both = in.flag("bidirectional");
  const double u = both ? in.number("buckets") / 2 : in.number("buckets"), x = std::floor(u / 2);
  return scores_plus(in, [&](std::size_t i, std::size_t j) {
    const double gap = static_cast<double>(j) - static_cast<double>(i);
    const double distance = both ? std::abs(gap) : std::max(0., -gap);
    double bucket = distance;
    if (distance >= x) {
      bucket = x;
      for (double b = x + 1;
           b < u && distance >= x * std::pow(in.number("max") / x, (b - x) / (u - x)) - 1e-9; ++b)
        bucket = b;
    }
    if (both && gap > 0) bucket += u;
    return in.parameter("B")(static_cast<std::size_t>(bucket));
  });
}

extern const Mechanism record{.id = "pos-t5-bias",
                              .parameters = {{"B", "buckets | h buckets"}},
                              .knobs = {size_knob("buckets", "buckets", 32., 1, 64),
                                        integer_knob("max", 128., 16, 1024).at_least(1).log_scale(),
                                        flag_knob("bidirectional", true)},
                              .laws = {.permutation = false},
                              .behaviour = Position{.score = score}};
}  // namespace attend::pos_t5_bias_entry
