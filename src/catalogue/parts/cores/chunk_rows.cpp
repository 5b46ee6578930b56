// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/chunk_rows.h"

#include <bit>

#include "catalogue/parts/cores/core_parts.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

// Whether row i of a node's result is made of row i of its first operand, whatever the others are.
bool reads_rows_of_first(const Node& node) {
  namespace p = primitives;
  const Attributes& a = node.attributes;
  if (node.primitive == &p::sum || node.primitive == &p::max) return a[0] == -1 && a[1] != 0;
  return node.primitive == &p::matmul && a[0] == 0;
}

Shape with_rows(Shape shape, std::size_t rows) {
  shape.end()[-2] = rows;
  return shape;
}

}  // namespace

ChunkRows::ChunkRows(ScanRecorder& steps, std::size_t n, std::size_t chunk)
    : steps_(steps), n_(n), chunk_(chunk) {}

// Behind row n the last row is repeated: a row that there is has numbers that can be computed with.
Var ChunkRows::blocks(Var x) const {
  const std::size_t more = (chunk_ - n_ % chunk_) % chunk_;
  if (more == 0) return row_blocks(x, chunk_);
  const Var last = broadcast_to(slice(x, -2, n_ - 1, n_), with_rows(x.shape(), more));
  return row_blocks(concat({x, last}, -2), chunk_);
}

Var ChunkRows::computed(Var x) {
  const Node& node = x.node();
  const bool first = node.primitive != nullptr && reads_rows_of_first(node);
  if (node.leaf || node.primitive == nullptr || (!first && !node.primitive->keeps_rows))
    return steps_.row({"x", blocks(x)});
  Graph& inner = x.graph().innermost();
  std::vector<Var> in;
  for (const NodeId input : node.inputs) {
    const Var one = x.graph().var(input);
    in.push_back(inner.here(first && !in.empty() ? one : of(one)));
  }
  return inner.record(*node.primitive, in, node.attributes);
}

Var ChunkRows::of(Var x) {
  if (x.rank() < 2 || x.extent(-2) != n_) return x;
  const auto known = made_.find(x.id());
  if (known != made_.end()) return known->second;
  const Var made = computed(x);
  made_[x.id()] = made;
  return made;
}

Var ChunkRows::operator()(Var x, double behind) {
  Var rows = of(x);
  const std::size_t all = std::bit_ceil(chunk_);
  if (rows.extent(-2) != chunk_) return rows;
  if (n_ % chunk_ != 0) {
    if (!there_) there_ = steps_.row({"x", row_blocks(ones(x.graph(), {n_, 1}), chunk_)});
    rows = where(broadcast_to(there_, rows.shape()), rows, scalar(rows, behind));
  }
  if (all == chunk_) return rows;
  return concat({rows, fill(rows.graph(), with_rows(rows.shape(), all - chunk_), behind)}, -2);
}

}  // namespace attend
