// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "catalogue/parts/cores/core_parts.h"

// Cores that choose some keys by a cheap score and attend to those by softmax.
namespace attend {

// Weights that are computed for some query rows at a time, so that long inputs need no table of all pairs.
struct ByRows {
  std::vector<Var> rows;  // [.. m x] what belongs to the queries
  // [.. r n] the weights of r query rows from the same rows of `rows` and their index [r 1].
  std::function<Var(const std::vector<Var>& rows, Var i)> weights;
};
Weighing weighed_by_rows(const CoreIn& in, const ByRows& by, bool probabilities);
// Whether a table of all pairs may be recorded, for results that are such tables.
bool pairs_fit(const CoreIn& in);

// Blocks of `size` keys, the last of which may be shorter. What is recorded of them is the same for any number of keys
// but for the extents, so that a program may run one row at a time.
struct KeyBlocks {
  std::size_t size, count, keys;
};
KeyBlocks key_blocks(const CoreIn& in, std::string_view knob);
Var block_index(const CoreIn& in, const KeyBlocks& blocks);    // [C]
Var block_of_keys(const CoreIn& in, const KeyBlocks& blocks);  // [n]
// [.. n p] -> [.. C b p]; the last block is filled up with rows of `filler`.
Var in_blocks(Var k, const KeyBlocks& blocks, double filler);
Var block_means(Var k, const KeyBlocks& blocks);         // [.. n p] -> [.. C p]
Var block_sizes(Graph& graph, const KeyBlocks& blocks);  // [C 1]
Var own_block(Var i, const KeyBlocks& blocks);           // [r 1] of each query row

// 1 for the `top` candidates of each row with the largest scores, ties by the lower index: [.. r C]. Those that are
// `forced` (may be empty) come first; those that are not `allowed` are never chosen.
Var chosen(Var scores, Var forced, Var allowed, std::size_t top);
// A choice of blocks [.. r C] as one of keys [.. r n].
Var on_keys(const CoreIn& in, Var choice, const KeyBlocks& blocks);
// [r n] of 0 and 1: the keys that are not after the query row.
Var past_of(const CoreIn& in, Var i);

namespace loops {
// The same choice by plain loops, for references.
std::vector<bool> chosen(const Row& scores, const std::vector<bool>& forced,
                         const std::vector<bool>& allowed, std::size_t top);
}  // namespace loops

}  // namespace attend
