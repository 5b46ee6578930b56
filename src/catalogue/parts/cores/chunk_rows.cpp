// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/chunk_rows.h"

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

// Whether row i of a node's result is made of rows i of its operands.
bool reads_rows_of_all(const Node& node) {
  if (node.primitive != &primitives::concat) return node.primitive->keeps_rows;
  return axis_index(node.attributes[0], node.shape.size()) + 1 == node.shape.size();
}

Shape with_rows(Shape shape, std::size_t rows) {
  shape.end()[-2] = rows;
  return shape;
}

}  // namespace

ChunkRows::ChunkRows(ScanRecorder& steps, std::size_t n, std::size_t chunk, std::size_t each)
    : steps_(steps), n_(n), chunk_(chunk), each_(each) {}

bool ChunkRows::has_rows(Var x) const {
  return x.rank() >= 2 && (x.extent(-2) == n_ || x.extent(-2) == n_ * each_);
}

// Behind row n the last row is repeated: a row that there is has numbers that can be computed with.
Var ChunkRows::blocks(Var x) const {
  const std::size_t n = x.extent(-2), chunk = chunk_ * (n / n_), more = (chunk - n % chunk) % chunk;
  if (more == 0) return row_blocks(x, chunk);
  const Var last = broadcast_to(slice(x, -2, n - 1, n), with_rows(x.shape(), more));
  return row_blocks(concat({x, last}, -2), chunk);
}

Var ChunkRows::computed(Var x) {
  const Node& node = x.node();
  const bool first = node.primitive != nullptr && reads_rows_of_first(node);
  if (node.leaf || node.primitive == nullptr || (!first && !reads_rows_of_all(node)))
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
  if (!has_rows(x)) return x;
  const auto found = made_.find(x.id());
  if (found != made_.end()) return found->second;
  const Var made = computed(x);
  made_[x.id()] = made;
  return made;
}

// The rows of the step, with those behind row n overwritten.
Var ChunkRows::operator()(Var x, double behind) {
  const Var rows = of(x);
  if (!has_rows(x) || n_ % chunk_ == 0) return rows;
  Var& there = there_[x.extent(-2)];
  if (!there) {
    const Var ones = attend::ones(x.graph(), {x.extent(-2), 1});
    there = steps_.row({"x", row_blocks(ones, rows.extent(-2))});
  }
  return where(broadcast_to(there, rows.shape()), rows, scalar(rows, behind));
}

Var ChunkRows::spread(Var x, std::size_t at, double behind) {
  if (each_ == 1) return (*this)(x, behind);
  const Var rows = expand((*this)(x, behind), -2);  // [.. chunk 1 d]
  std::vector<Var> group(each_, fill(rows.graph(), rows.shape(), behind));
  group[at] = rows;
  return reshape(concat(group, -2), with_rows(squeeze(rows, -2).shape(), chunk_ * each_));
}

Var ChunkRows::gathered(Var rows, std::size_t at) const {
  if (each_ == 1) return rows;
  Shape groups = with_rows(rows.shape(), chunk_);
  groups.insert(groups.end() - 1, each_);
  return squeeze(slice(reshape(rows, groups), -2, at, at + 1), -2);
}

}  // namespace attend
