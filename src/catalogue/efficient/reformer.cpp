// SPDX-License-Identifier: Apache-2.0
// LSH attention: the keys are the queries, k_j = q_j / |q_j|; h(x) = argmax([x R ; -x R]); tokens sorted by (h, place)
// are cut into chunks, which attend to themselves and the chunk before, within a bucket; several rounds are combined
// by the softmax of their sums of exponentials
// Kitaev et al. 2020 (Reformer), section 2, arXiv:2001.04451
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/reason.h"

namespace attend::reformer_entry {
namespace {

constexpr double lowest = -1e30;

struct Chunks {
  std::size_t n, size, count;  // tokens, tokens in a chunk, chunks

  // [.. n d] -> [.. count size d], `filler` behind the last row.
  [[nodiscard]] Var own(Var x, double filler) const {
    Shape shape = x.shape();
    if (count * size != n) {
      shape.end()[-2] = count * size - n;
      x = concat({x, fill(x.graph(), shape, filler)}, -2);
    }
    shape.end()[-2] = count;
    shape.insert(shape.end() - 1, size);
    return reshape(x, shape);
  }
  // The chunk before and the own one: [.. count 2 size d].
  [[nodiscard]] Var with_previous(Var x, double filler) const {
    const Var all = own(x, filler);
    Shape shape = all.shape();
    shape.end()[-3] = 1;
    const Var shifted = concat({fill(x.graph(), shape, filler), all}, -3);
    return concat({slice(shifted, -3, 0, count), all}, -2);
  }
  [[nodiscard]] Var flat(Var x) const {  // [.. count size d] -> [.. n d]
    Shape shape = x.shape();
    shape.erase(shape.end() - 3);
    shape.end()[-2] = count * size;
    return slice(reshape(x, shape), -2, 0, n);
  }
};

// [.. rounds p b/2]
Var planes_of(const CoreIn& in) {
  const Var given = in.param("R");
  return given.rank() == in.q.rank() ? expand(given, -3) : given;  // of one round alone
}

Var buckets_of(const CoreIn& in, Var R) {
  if (in.integer("buckets") == 1) {  // of all tokens: no plane divides them
    Shape shape = in.q.shape();
    shape.end()[-2] = in.integer("rounds");
    shape.back() = in.n();
    return fill(in.q.graph(), shape, 0);
  }
  const Var projected = matmul(expand(in.q, -3), R);       // [.. rounds n b/2]
  return argmax(concat({projected, -projected}, -1), -1);  // [.. rounds n]
}

Weighing build(const CoreIn& in) {
  const std::size_t buckets = in.integer("buckets");
  if (buckets % 2 != 0 && buckets != 1) {
    refuse(in.choice.path + "/buckets",
           "buckets come in pairs, x R and -x R: expected 1 or an even number, found " +
               std::to_string(buckets));
  }
  const std::size_t n = in.n(), size = std::min(in.integer("chunk"), n);
  if (2 * size > max_elements / n / in.integer("rounds")) {
    refuse(in.choice.path + "/chunk",
           std::to_string(n) + " tokens that are each compared with " + std::to_string(2 * size) +
               " tokens make more pairs than allowed; use a smaller chunk (the default is 2n / "
               "buckets), more buckets, or fewer rounds or tokens");
  }
  const Chunks chunks{n, size, (n + size - 1) / size};
  // One bucket has no planes.
  const Var planes = buckets == 1 ? Var{} : planes_of(in);
  const Var bucket = let("h", buckets_of(in, planes)), order = let("\\pi", argsort(-bucket));
  in.output(OutputKind{"buckets", TensorRole::output, NumberKind::index}, bucket,
            in.family.heads > 0 ? "h rounds:feature n" : "rounds:feature n");
  const Var back = argsort(-order);                    // where each token went
  const Var sorted = expand(take(bucket, order), -1);  // [.. rounds n 1]
  const Var place = expand(order, -1);                 // [.. rounds n 1]
  const auto at = [order](Var x) { return rows_at(expand(x, -3), order); };  // [.. rounds n d]
  const Var own = chunks.own(place, -1), near = transpose(chunks.with_previous(place, -1));
  const Var met = equal(chunks.own(sorted, -1), transpose(chunks.with_previous(sorted, -2)));
  const Var other =
      met * (1 - equal(own, near)) * (in.causal ? greater(own + 1, near) : scalar(near, 1));
  const Var alone = 1 - max(other, -1, true);
  const Var seen = maximum(other, equal(own, near) * met * alone);  // itself only if it is alone
  const Var e = let("E", matmul(chunks.own(at(in.q), 0),
                                chunks.with_previous(at(unit_rows(in.k)), 0), false, true) /
                             std::sqrt(static_cast<double>(in.p())));  // [.. rounds T c 2c]
  const Var top = cancelled(max(exclude(e, seen, lowest), -1, true));
  const Var sums = sum(exp(where(seen, e - top, scalar(e, 0))) * seen, -1, true);
  const Var weight = top + log(maximum(sums, scalar(sums, 1e-30)));  // [.. rounds T c 1]
  const Var a = softmax(e, seen);
  const auto unsorted = [=](Var x) { return rows_at(chunks.flat(x), back); };   // [.. rounds n d]
  const Var mix = let("w", softmax(transpose(squeeze(unsorted(weight), -1))));  // [.. n rounds]
  const Var share = expand(transpose(mix), -1);                                 // [.. rounds n 1]
  const MaybeIntent form =
      planes ? hashed_intent(in.integer("rounds"), buckets, size, in.causal) : std::nullopt;
  return {[=](Var v) {
    const Var context = sum(share * unsorted(matmul(a, chunks.with_previous(at(v), 0))), -3);
    return form ? in.stated(context, form, {in.q, v, planes}) : context;
  }};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& q = in["query"];
  Array R = in.number("buckets") == 1 ? Array({1, q.cols(), 0}) : in.parameter("R");
  if (R.shape.size() == 2) R.shape.insert(R.shape.begin(), 1);
  const std::size_t n = q.rows(), half = R.cols();
  const std::size_t size = in.integer("chunk");
  const auto bucket_of = [&](std::size_t row, std::size_t round) {
    std::size_t best = 0;
    double highest = -1e300;
    for (std::size_t b = 0; b < 2 * half; ++b) {
      double place =
          sum_over(q.cols(), [&](std::size_t c) { return q(row, c) * R(round, c, b % half); });
      if (b >= half) place = -place;
      if (place > highest) best = b;
      highest = std::max(highest, place);
    }
    return best;
  };
  const auto chunk_of = [&](std::size_t row, std::size_t round) {
    std::size_t before = 0;
    const std::size_t own = bucket_of(row, round);
    for (std::size_t other = 0; other < n; ++other) {
      const std::size_t its = bucket_of(other, round);
      before += its < own || (its == own && other < row) ? 1 : 0;
    }
    return before / size;
  };
  return rows_of_weights(in, [&](std::size_t i) {
    std::vector<Row> exponentials;
    double total = 0;
    for (std::size_t round = 0; round < R.shape[0]; ++round) {
      const std::size_t bucket = bucket_of(i, round), chunk = chunk_of(i, round);
      Row e(n, 0);
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t its = chunk_of(j, round);
        const bool meets = bucket_of(j, round) == bucket && (its == chunk || its + 1 == chunk);
        if (j == i || !meets || (in.flag("causal") && j > i)) continue;
        const Row k = q.row(j);
        e[j] =
            std::exp(inner(q.row(i), k) / std::sqrt(inner(k, k) * static_cast<double>(k.size())));
        sum += e[j];
      }
      if (sum == 0) {
        const double length = std::sqrt(inner(q.row(i), q.row(i)));
        e[i] = sum = std::exp(length / std::sqrt(static_cast<double>(q.cols())));
      }
      total += sum;
      exponentials.push_back(e);
    }
    // A round's softmax times the round's share is its exponentials over the sum of all rounds.
    Row a(n, 0);
    for (const Row& e : exponentials) {
      for (std::size_t j = 0; j < n; ++j) a[j] += e[j] / total;
    }
    return a;
  });
}

extern const Mechanism record{
    .id = "reformer",
    .aliases = {"lsh-attention"},
    .parameters = {{"R", "rounds p buckets/2 | p buckets/2", Distribution::normal}},
    .knobs = {size_knob("buckets", "buckets", 8., 2, 64), size_knob("rounds", "rounds", 1., 1, 8),
              integer_knob("chunk", "ceil(2n/buckets)", 1, 128).at_least(1),
              flag_knob("causal", false)},
    .roles = {{"query", "m p"}, {"value", "m dv", false, "query"}},
    .laws = {.permutation = false},
    .example = R"("buckets": 4, "rounds": 2)",
    .around = R"({"inputs": {"key": null}})",
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build,
                      .masks = causal_mask,
                      .peeks = "chunks-depend-on-all"_reason,
                      .shares_keys = true}};
}  // namespace attend::reformer_entry
