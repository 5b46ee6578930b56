// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/terms.h"
#include "ops/graph.h"

namespace attend {

// How a product of matrices rounds: whoever plans a program chooses.
using Terms = kernels::Terms;

// What keeps its numbers after an evaluation: only what is wanted and the leaves, so that all else
// shares memory; or every node that is computed, so that whatever a change leaves alone is there.
enum class Keep { wanted, all };

// Which nodes are computed, and where their numbers lie in one block of memory. This is known before anything is
// allocated.
struct Plan {
  std::vector<bool> needed;  // by node: computed at all
  std::vector<bool> kept;    // by node: its numbers stay
  std::vector<NodeId> home;  // by node: whose memory it reads: itself, or what it is a view of
  // By node: where its numbers begin, within the block or within those of a leaf that lie elsewhere.
  std::vector<std::size_t> offset;
  std::uint64_t numbers = 0;     // in the whole block
  std::uint64_t hidden = 0;      // besides, the most that the steps of a scan take
  std::uint64_t peak_bytes = 0;  // the most held at once, without the gaps between
  Terms terms = Terms::apart;    // of products of matrices
};

Plan plan(const Graph& graph, const std::vector<Var>& wanted, Keep keep = Keep::wanted);

}  // namespace attend
