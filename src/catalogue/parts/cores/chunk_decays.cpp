// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/chunk_decays.h"

#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/cores/recurrent_memory.h"

namespace attend {
namespace {

// [.. rows d] -> [.. pairs 2 half d].
Var in_halves(Var x, std::size_t half) {
  Shape shape = x.shape();
  const std::size_t pairs = shape.end()[-2] / (2 * half);
  shape.end()[-2] = half;
  shape.insert(shape.end() - 2, {pairs, 2});
  return reshape(x, shape);
}

// The first or the second half of each pair, [.. pairs 1 half d].
Var half_of(Var x, std::size_t half, std::size_t which) {
  return slice(in_halves(x, half), -3, which, which + 1);
}

// The same of blocks [.. 2*pairs half half].
Var block_of(Var blocks, std::size_t which) {
  Shape shape = blocks.shape();
  shape.end()[-3] /= 2;
  shape.insert(shape.end() - 2, 2);
  return slice(reshape(blocks, shape), -3, which, which + 1);
}

// Lower triangles, a block and what is below it: [.. pairs 1 half half] thrice -> [.. pairs 2*half 2*half].
Var triangle(Var first, Var below, Var second) {
  if (below.shape() != first.shape()) below = broadcast_to(below, first.shape());
  const Var top = concat({first, zeros(first.graph(), first.shape())}, -1);
  return squeeze(concat({top, concat({below, second}, -1)}, -2), -3);
}

}  // namespace

ChunkDecays::ChunkDecays(Graph& graph, Var decay, std::size_t rows)
    : graph_(graph), rows_(rows), decay_(decay) {
  Var whole = decay;  // of each half, [.. rows/half d]
  for (std::size_t half = 1; half < rows; half *= 2) {
    levels_.push_back({half, before_ ? half_of(before_, half, 1) : before_,
                       behind_ ? half_of(behind_, half, 0) : behind_});
    if (!decay) continue;
    const Var first = half_of(whole, 1, 0), second = half_of(whole, 1, 1);  // [.. pairs 1 1 d]
    const Var one = ones(graph, first.shape());
    const auto times = [&](Var x, Var by) {  // by [.. pairs 2 1 d]
      return reshape(x ? in_halves(x, half) * by : by, decay.shape());
    };
    before_ = times(before_, concat({one, first}, -3));
    behind_ = times(behind_, concat({second, one}, -3));
    whole = squeeze(squeeze(first * second, -2), -2);
  }
  whole_ = whole;
  if (!decay)
    kept_ = greater(iota(graph, rows, 2), iota(graph, rows));
  else if (decay.extent(-1) == 1)
    kept_ = pairs_by_halves(ones(graph, {rows, 1}), ones(graph, {rows, 1}));
}

Var ChunkDecays::half(const Level& level, Var x, bool second) {
  Var& made = halves_[{&x.node(), level.half, second}];
  if (made) return made;
  made = half_of(x, level.half, second ? 1 : 0);
  const Var decays = second ? level.before : level.behind;
  if (decays) made = made * decays;
  return made;
}

Var ChunkDecays::across(const Level& level, Var x, Var y) {
  return matmul(half(level, x, true), half(level, y, false), false,
                true);  // [.. pairs 1 half half]
}

Var ChunkDecays::blocks(Var x, Var y, double value) const {
  Shape shape = memory_shape({x, y, decay_}, 1, 1);
  shape.insert(shape.end() - 2, rows_);
  return fill(graph_, shape, value);  // [.. B 1 1]
}

Var ChunkDecays::pairs_by_halves(Var x, Var y) {
  Var all = blocks(x, y, 0);
  for (const Level& level : levels_)
    all = triangle(block_of(all, 0), across(level, x, y), block_of(all, 1));
  return squeeze(all, -3);
}

Var ChunkDecays::pairs(Var x, Var y, Var own) {
  const Var all = kept_ ? matmul(x, y, false, true) * kept_ : pairs_by_halves(x, y);
  return own ? all + own * identity(graph_, rows_) : all;
}

Var ChunkDecays::sums(Var x, Var y, Var v) {
  Shape shape = memory_shape({x, y, v, decay_}, rows_, v.extent(-1));
  Var all;
  for (const Level& level : levels_) {
    const Var agreed = matmul(half_of(x, level.half, 1), half_of(y, level.half, 0), false, true);
    Var later = matmul(agreed, half(level, v, false));  // [.. pairs 1 half c]
    if (level.before) later = later * level.before;
    const Var both = concat({zeros(graph_, later.shape()), later}, -3);
    const Var sum = reshape(both, shape);
    all = all ? all + sum : sum;
  }
  return all ? all : zeros(graph_, shape);
}

Var ChunkDecays::solving(Var x, Var y) {
  Var all = blocks(x, y, 1);
  for (const Level& level : levels_) {
    const Var first = block_of(all, 0), second = block_of(all, 1);
    all = triangle(first, -matmul(second, matmul(across(level, x, y), first)), second);
  }
  return squeeze(all, -3);
}

Var ChunkDecays::faded(Var state) const { return whole_ ? transpose(whole_) * state : state; }

}  // namespace attend
