// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ops/evaluate.h"
#include "ops/graph.h"

namespace attend {

// A named node or leaf that a cell was computed from, and which of its cells were read.
struct Feed {
  NodeId node;
  std::vector<std::size_t> cells;  // flat positions, ascending
};

// One term e^{e_j} of the softmax row that a weight belongs to.
struct Term {
  double value;      // all of a row are divided by the largest when one of them would overflow
  bool chosen;       // the term above the fraction
  std::size_t cell;  // the key's index in its row
};

// A row that is cut at a level: the weight is the part of a bar above the level, to the power.
struct Cut {
  double level = 0, power = 1;
  std::vector<Term> bars;  // allowed keys in order; empty where nothing is cut
};

// How one cell came about.
struct Explanation {
  double value;
  std::string formula;      // LaTeX, by symbols
  std::string numbers;      // LaTeX, the same for this cell with the numbers put in
  std::vector<Feed> feeds;  // by node, ascending
  std::vector<Term> terms;  // of a softmax only, allowed keys in order
  Cut cut;                  // of an entmax only
};

// The nodes whose values `explain` may read for cells of `node`: keep these when evaluating.
std::vector<NodeId> explained_from(const Graph& graph, NodeId node);

// Explains cell `flat` of `node`. A node that merely passes on a cell of another explains that one.
// Throws Error when there is no such cell, or a value that is needed was not kept.
Explanation explain(const Graph& graph, const Values& values, NodeId node, std::size_t flat);

}  // namespace attend
