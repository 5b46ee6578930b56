// SPDX-License-Identifier: Apache-2.0
// Structured attention, dependency trees:  a_ij = p(head of i is j) over the projective trees,
//   p(tree) ~ exp(sum of its arcs' scores), a_ii = p(i hangs on the root), which is on the left
// Inside algorithm of Eisner 1996; the marginals are the gradient of the log partition function.
// Kim, Denton, Hoang, Rush 2017 (Structured Attention Networks), section 3.2, arXiv:1702.00887
#include "catalogue/entry.h"
#include "ops/backward.h"

namespace attend::structured_tree_entry {
namespace {

constexpr double never = -1e20;  // the score of what cannot be; sums of many stay finite

Var log_sum(Var x) {  // over the last axis, of [.. rows terms]
  const Var top = detach(max(x, -1, true));
  return squeeze(top, -1) + log(sum(exp(x - top), -1));
}

// Log weights of spans, by where they start (`from`: columns in order of width, row i is place i)
// and by where they end (`to`: widest first, row j is place j).
struct Chart {
  Var from, to;

  void add(Var spans, std::size_t places) {  // [.. places - width]
    Shape gap = spans.shape();
    gap.back() = places - spans.extent(-1);
    const Var none = zeros(spans.graph(), gap);
    const Var start = expand(gap.back() == 0 ? spans : concat({spans, none}, -1), -1);
    const Var end = expand(gap.back() == 0 ? spans : concat({none, spans}, -1), -1);
    from = from ? concat({from, start}, -1) : start;
    to = to ? concat({end, to}, -1) : end;
  }
};

// All spans of one width, put together at each of `terms` places: the left part of width 0, 1, ..
// (of `left`), the right part of what remains (of `right`).
Var joined(const Chart& left, const Chart& right, std::size_t width) {
  const std::size_t places = left.from.extent(-2);
  return slice(left.from, -2, 0, places - width) + slice(right.to, -2, width, places);
}

// The log of the sum over all trees; arcs [.. N N], row the dependent, column the head, place 0 the
// root.
Var log_partition(Var arcs) {
  const std::size_t N = arcs.extent(-1);
  Shape shape = arcs.shape();
  shape.pop_back();
  const Var alone = zeros(arcs.graph(), shape);  // a word by itself
  shape.back() = N * N;
  const Var flat = reshape(arcs, shape);
  // Whole spans are headed by their left or right end; open ones are an arc from end to end with
  // all that hangs below it on this side.
  Chart left_whole, right_whole, left_open, right_open;
  left_whole.add(alone, N);
  right_whole.add(alone, N);
  Var all;
  for (std::size_t width = 1; width < N; ++width) {
    shape.back() = N - width;
    const auto arc = [&](std::size_t first) {
      const double stride = static_cast<double>(N + 1);
      const Var at = iota(arcs.graph(), N - width) * stride + static_cast<double>(first);
      return take(flat, broadcast_to(at, shape));
    };
    // The left end's whole span and the right end's meet, one place apart.
    const Var meet = log_sum(joined(left_whole, right_whole, width));
    left_open.add(meet + arc(width * N), N);
    right_open.add(meet + arc(width), N);
    const Var headed_left = log_sum(joined(left_open, left_whole, width));
    const Var headed_right = log_sum(joined(right_whole, right_open, width));
    left_whole.add(headed_left, N);
    right_whole.add(headed_right, N);
    all = headed_left;
  }
  return all;  // [.. 1]: the span from the root to the last token, headed by the root
}

Var build(const AlignmentIn& in) {  // scores [.. n n]
  const std::size_t n = in.scores.extent(-1);
  if (in.scores.extent(-2) != n) {
    refuse("a tree has a head for every token, so it needs as many queries as keys, found " +
           std::to_string(in.scores.extent(-2)) + " and " + std::to_string(n));
  }
  // Each token has one head, so a number added to its row changes nothing: the best is moved to 0.
  const Var best = detach(max(exclude(in.scores, in.mask, never), -1, true));
  const Var E = let("E'", exclude(in.scores - best, in.mask, never));
  const Var root = sum(E * equal(iota(in.graph(), n, 2), iota(in.graph(), n)), -1, true);
  const Var tokens = concat({root, E}, -1);  // [.. n N]
  Shape above = tokens.shape();
  above.end()[-2] = 1;
  const Var nobody = fill(in.graph(), above, never);  // is the root's head
  const Var log_Z = let("\\ln Z", log_partition(concat({nobody, tokens}, -2)));  // [.. 1]
  const Var marginals = gradients(log_Z, ones(in.graph(), log_Z.shape()), {E})[0];
  if (!in.mask) return marginals;
  const Var possible = greater(log_Z, scalar(log_Z, never / 2));  // some tree has allowed arcs only
  return marginals * in.mask * expand(possible, -1);
}

// Weights of trees, by loops over the head of each span: tree(i, j, h) spans i..j under h; the
// children of h on one side are a sequence of such trees.
class Trees {
 public:
  explicit Trees(const Array& arcs) : n_(arcs.rows()), arcs_(arcs) {
    memo_.assign(n_ * n_ * n_, -1);
  }

  long double total() {  // the root's children cover the sentence
    std::vector<long double> upto(n_ + 1, 0);
    upto[0] = 1;
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i <= j; ++i)
        for (std::size_t c = i; c <= j; ++c) upto[j + 1] += upto[i] * tree(i, j, c) * arcs_(c, c);
    return upto[n_];
  }

 private:
  long double tree(std::size_t i, std::size_t j, std::size_t h) {
    long double& known = memo_[(i * n_ + j) * n_ + h];
    if (known >= 0) return known;
    std::vector<long double> right(n_ + 1, 0), left(n_ + 1, 0);  // children cover h+1..k, k..h-1
    right[h] = left[h] = 1;
    for (std::size_t k = h + 1; k <= j; ++k)
      for (std::size_t from = h + 1; from <= k; ++from)
        for (std::size_t c = from; c <= k; ++c)
          right[k] += right[from - 1] * tree(from, k, c) * arcs_(c, h);
    for (std::size_t k = h; k-- > i;)
      for (std::size_t to = k; to < h; ++to)
        for (std::size_t c = k; c <= to; ++c)
          left[k] += left[to + 1] * tree(k, to, c) * arcs_(c, h);
    return memo_[(i * n_ + j) * n_ + h] = left[i] * right[j];
  }

  std::size_t n_;
  const Array& arcs_;
  std::vector<long double> memo_;
};

}  // namespace

// a_ij is the part of the total that goes when the arc goes.
Arrays reference(const ReferenceIn& in) {
  Array arcs = in["scores"], weights(arcs.shape);
  for (std::size_t i = 0; i < arcs.rows(); ++i) {
    double best = -1e300;
    for (std::size_t j = 0; j < arcs.cols(); ++j) best = std::max(best, arcs(i, j));
    for (std::size_t j = 0; j < arcs.cols(); ++j)
      arcs(i, j) = in.allowed(i, j) ? std::exp(arcs(i, j) - best) : 0;
  }
  const long double total = Trees(arcs).total();
  for (std::size_t i = 0; i < arcs.rows() && total > 0; ++i) {
    for (std::size_t j = 0; j < arcs.cols(); ++j) {
      Array without = arcs;
      without(i, j) = 0;
      weights(i, j) = static_cast<double>((total - Trees(without).total()) / total);
    }
  }
  return {{"weights", weights}};
}

extern const Mechanism record{.id = "structured-tree",
                              .aliases = {"syntactic-attention"},
                              .needs_all_rows = true,
                              .laws = {.permutation = false},
                              .extents = {{"m", 5}, {"n", 5}},
                              .behaviour = Alignment{build}};
}  // namespace attend::structured_tree_entry
