// SPDX-License-Identifier: Apache-2.0
// Log-linear attention: one memory for each power of two instead of one for all tokens.
//   A_ij = scale lambda_{i, l(i, j)} q_i.k_j prod_{s=j+1..i} alpha_s for j <= i;
//   l(i, i) = 0, else 1 + the place of the highest bit in which i and j differ
// Guo et al. 2025, arXiv:2506.04761
#include <bit>

#include "catalogue/entry.h"
#include "catalogue/parts/cores/chunk_decays.h"
#include "catalogue/parts/cores/chunk_rows.h"
#include "catalogue/parts/cores/chunks.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"
#include "ops/scan.h"

namespace attend::log_linear_entry {
namespace {

// From token t - 1 to t, all levels up to the number of zeros at the end of t go into the next one: a carry.
Var carries(const CoreIn& in) {
  Tensor zeros{{in.n(), 1, 1, 1}, {0}};
  for (std::size_t t = 1; t < in.n(); ++t)
    zeros.data.push_back(static_cast<double>(std::countr_zero(t)));
  return in.constant("carries", zeros);
}

// The states of a scan [n .. L p dv] -> [.. n L p dv].
Var levels_by_row(Var states) {
  std::vector<long> axes;
  const long rank = static_cast<long>(states.rank());
  for (long i = 1; i + 3 < rank; ++i) axes.push_back(i);
  for (const long axis : {0L, rank - 3, rank - 2, rank - 1}) axes.push_back(axis);
  return permute(states, axes);
}

Scanned remembered_by_level(const CoreIn& in, Var q, Var alpha, Var lambda, Var v, bool keeps) {
  const std::size_t levels = lambda.extent(-1);
  Shape shape = memory_shape({q, in.k, alpha, v}, in.p(), v.extent(-1));
  shape.insert(shape.end() - 2, levels);
  const Var level = reshape(iota(in.graph(), levels), {levels, 1, 1});
  ScanRecorder steps(in.graph(), in.n());
  const Var S = steps.state({"S_{t-1}", zeros(in.graph(), shape)});  // [.. L p dv]
  const Var key = steps.row({"k_t", by_step(in.k)}), value = steps.row({"v_t", by_step(v)});
  const Var a = steps.row({"\\alpha_t", by_step(alpha)}), asked = steps.row({"q_t", by_step(q)});
  const Var share = steps.row({"\\lambda_t", by_step(lambda)});
  const Var next = steps.row({"c_t", carries(in)}) + 1;  // [1 1 1]
  const Var joined = sum(S * greater(next, level), -3, true);
  const Var moved = S * greater(level, next) + equal(level, next) * joined;
  const Var own = equal(level, scalar(level, 0)) * expand(matmul(key, value, true, false), -3);
  const Var after = let("S_t", expand(a, -1) * moved + own);
  steps.next(S, after);
  const Var read = squeeze(matmul(expand(asked, -2), after), -2);  // [.. L dv]
  steps.output(matmul(share, read));
  return keeps ? steps.finish() : steps.finish_quietly();
}

std::size_t level_of(std::size_t i, std::size_t j) {
  return static_cast<std::size_t>(std::bit_width(i ^ j));
}

// Chunks of a power of 2 rows, `size`, have the levels up to 1 + log2(size) for the pairs inside a chunk. Of all others
// only the chunks of query and key decide, and so their memories go on from chunk to chunk as those of all levels do
// from token to token.
class LevelsInChunks {
 public:
  LevelsInChunks(const CoreIn& in, Var q, Var alpha, Var lambda, std::size_t size)
      : in_(in),
        q_(q),
        alpha_(alpha),
        lambda_(lambda),
        size_(size),
        count_((in.n() + size - 1) / size),
        inner_(1 + static_cast<std::size_t>(std::countr_zero(size))),
        outer_(lambda.extent(-1) - inner_) {}

  struct Found {
    Var read, state;  // [.. n dv] [.. L p dv]
  };
  [[nodiscard]] Found operator()(Var v) const {
    const std::size_t cells = in_.p() * v.extent(-1);
    const Shape shape = memory_shape({q_, in_.k, alpha_, v}, outer_ + 1, cells);
    const Var whole = fill(in_.graph(), memory_shape({alpha_}, 1, 1), 1);
    ScanRecorder steps(in_.graph(), count_);
    ChunkRows rows(steps, in_.n(), size_);
    // The levels that the last chunk read with what it wrote as one more row, and the share of those levels that its
    // decays leave. One product makes the levels of this chunk, in less time than three passes over all of them.
    const Var last = steps.state({"S", zeros(in_.graph(), shape)});  // [.. outer+1 p*dv]
    const Var fading = steps.state({"f", whole});                    // [.. 1 1]
    const Var S = matmul(moves(steps.row({"c", carries()}), fading), last);
    const Var k = rows(in_.k), values = rows(v), alpha = rows(alpha_, 1), lambda = rows(lambda_);
    ChunkDecays decays(in_.graph().innermost(), alpha, size_);
    const Var q = rows(q_),
              later = q * alpha;  // what is read of another row fades by the own decay too
    const Var pairs = decays.pairs(later, k, sum(q * k, -1, true)) * shares(lambda);
    steps.output(matmul(pairs, values) + read_before(decays.since_start(later), lambda, S));
    Var written = matmul(decays.until_end(k), values, true, false);
    Shape flat = S.shape();
    flat.end()[-2] = 1;
    written = broadcast_to(reshape(written, flattened(written.shape())), flat);
    steps.next(last, concat({S, written}, -2));
    steps.next(fading, decays.faded(whole));
    const Scanned done = steps.finish_quietly();
    // What the last chunk wrote is not among the levels before it: its rows still have their own.
    const Var before = done.last[1] * slice(done.last[0], -2, 0, outer_);
    return {rows_of_blocks(done.outputs[0], in_.n()), levels_at_end(before, v)};
  }

 private:
  [[nodiscard]] Var level() const { return iota(in_.graph(), outer_, 2); }  // [outer 1]

  // [.. a b] -> [.. 1 a*b].
  static Shape flattened(Shape shape) {
    shape.back() *= shape.end()[-2];
    shape.end()[-2] = 1;
    return shape;
  }

  // The level that the chunk before goes into, and with it all that are below. Before the first there is none.
  [[nodiscard]] Var carries() const {
    Tensor levels{{count_, 1, 1}, {0}};
    for (std::size_t c = 1; c < count_; ++c)
      levels.data.push_back(static_cast<double>(std::countr_zero(c)));
    return in_.constant("chunk carries", levels);
  }

  // [.. outer outer+1]: which levels become which, faded, and which one takes what was written.
  [[nodiscard]] Var moves(Var into, Var fading) const {
    const Var from = iota(in_.graph(), outer_ + 1),
              written = scalar(from, static_cast<double>(outer_));
    const Var kept =
        equal(level(), from) * greater(level(), into) + equal(level(), into) * greater(into, from);
    return fading * kept + equal(level(), into) * equal(from, written);
  }

  // lambda_{i, l(i, j)} for the pairs of a chunk, [.. B B].
  [[nodiscard]] Var shares(Var lambda) const {
    Tensor levels{{size_, size_}, {}};
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j)
        levels.data.push_back(static_cast<double>(level_of(i, j)));
    }
    Shape shape = lambda.shape();
    shape.back() = size_;
    return take(lambda, broadcast_to(in_.constant("chunk levels", levels), shape));
  }

  // What rows read of the chunks before theirs: one product with the memories of all levels below each other.
  [[nodiscard]] Var read_before(Var q, Var lambda, Var S) const {
    const Var share = slice(lambda, -1, inner_, inner_ + outer_);
    const Var asked = expand(share, -1) * expand(q, -2);  // [.. B outer p]
    Shape flat = squeeze(slice(asked, -2, 0, 1), -2).shape(), memories = S.shape();
    flat.back() *= outer_;
    memories.end()[-2] = flat.back();
    memories.back() /= in_.p();
    return matmul(reshape(asked, flat), reshape(S, memories));
  }

  // All levels as the last row has them.
  [[nodiscard]] Var levels_at_end(Var S, Var v) const {
    const std::size_t first = (count_ - 1) * size_, last = in_.n() - 1;
    const auto rest = [&](Var x, double behind) {
      const Var known = slice(x, -2, first, last + 1);
      Shape shape = known.shape();
      shape.end()[-2] = size_ - shape.end()[-2];
      return shape.end()[-2] == 0 ? known : concat({known, fill(x.graph(), shape, behind)}, -2);
    };
    Tensor own{{inner_, size_, 1}, std::vector<double>(inner_ * size_, 0)};
    for (std::size_t j = first; j <= last; ++j) own.data[level_of(last, j) * size_ + j - first] = 1;
    const ChunkDecays decays(in_.graph(), rest(alpha_, 1), size_);
    const Var keys = expand(decays.until_end(rest(in_.k, 0)), -3) * in_.constant("last chunk", own);
    const Var inside = matmul(keys, expand(rest(v, 0), -3), true, false);  // [.. inner p dv]
    Shape all = S.shape();
    all.end()[-1] = in_.p();
    all.push_back(v.extent(-1));
    const Var before = reshape(S, all);  // [.. outer p dv]
    all.end()[-3] = inner_;
    return concat({inside.shape() == all ? inside : broadcast_to(inside, all), before}, -3);
  }

  const CoreIn& in_;
  Var q_, alpha_, lambda_;
  std::size_t size_, count_, inner_, outer_;
};

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var alpha =
      let("\\alpha", row_gate(in, "alpha", [](Var x) { return sigmoid(x); }));  // [.. n 1]
  const Var lambda =
      let("\\lambda", gate(in, "lambda", [](Var x) { return activation("softplus", x); }));
  const std::size_t levels = lambda.extent(-1), needed = 1 + std::bit_width(in.n() - 1);
  if (levels < needed) {
    refuse("lambda has " + std::to_string(levels) + " columns, and " + std::to_string(in.n()) +
           " tokens need at least " + std::to_string(needed) +
           ": one for the token itself and one for each power of two");
  }
  const Var q = scaled_query(in);
  const std::size_t chunk = in.integer("chunk");
  return {[=, first = true](Var v) mutable {
            const bool keeps = first && states_fit(in, levels * in.p(), v),
                       by_steps = chunk >= in.n();
            Scanned all;
            if (by_steps || keeps) all = remembered_by_level(in, q, alpha, lambda, v, keeps);
            LevelsInChunks::Found found;
            if (by_steps)
              found = {by_row(all.outputs[0]), all.last[0]};
            else
              found = LevelsInChunks(in, q, alpha, lambda, std::bit_floor(chunk))(v);
            const std::string front = in.family.heads > 0 ? "h " : "";
            if (first) in.output(out::state, found.state, front + "L:feature p dv");
            if (keeps) {
              in.label("t", in.k);
              in.output(out::state.as("states"), levels_by_row(all.states[0]),
                        front + "t L:feature p dv");
            }
            first = false;
            return found.read;
          },
          {},
          "n",
          false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"];
  const std::size_t n = k.rows();
  const Array alpha = loops::gates(in, "alpha", 1, loops::logistic);
  const std::size_t levels =
      in.text("gates") == "given" ? in.parameter("lambda").cols() : in.parameter("b_lambda").cols();
  const Array lambda = loops::gates(in, "lambda", levels, loops::softplus);
  Array map({n, n}), states({n, levels, k.cols(), v.cols()}), state({levels, k.cols(), v.cols()});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      std::size_t level = 0;
      for (std::size_t differ = i ^ j; differ > 0; differ /= 2) ++level;
      double kept = 1;
      for (std::size_t s = j + 1; s <= i; ++s) kept *= alpha(s, 0);
      map(i, j) = in.number("scale") * lambda(i, level) * inner(q.row(i), k.row(j)) * kept;
      for (std::size_t c = 0; c < k.cols(); ++c) {
        for (std::size_t o = 0; o < v.cols(); ++o) {
          states(i, level, c, o) += kept * k(j, c) * v(j, o);
          if (i + 1 == n) state(level, c, o) += kept * k(j, c) * v(j, o);
        }
      }
    }
  }
  return {{"context", product(map, v)},
          {"implied", map},
          {"weights", map},
          {"state", state},
          {"states", states}};
}

extern const Mechanism record{
    .id = "log-linear",
    .aliases = {"log-linear-attention"},
    .parameters = {{"alpha", "n", Distribution::half},
                   {"lambda", "n L", Distribution::one},
                   {"w_alpha", "dx"},
                   {"b_alpha", "", Distribution::zero},
                   {"W_lambda", "dx L"},
                   {"b_lambda", "L", Distribution::zero}},
    .symbols = {{"L", "bits_below_n+1"}},
    .knobs = {gates_knob, integer_knob("chunk", 64., 1, 256).at_least(1),
              number_knob("scale", 1., .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::log_linear_entry
