// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/terms.h"
#include "ops/cost.h"
#include "ops/graph.h"
#include "ops/list.h"
#include "ops/progress.h"

namespace attend {

// The operands of one forward evaluation, row-major and contiguous; `out` aliases an operand only where the primitive
// works `in_place`.
struct Forward {
  const Node& node;
  std::vector<const real*> in;
  std::vector<const Shape*> in_shapes;
  real* out;
  Progress* progress = nullptr;  // told by whoever takes many steps; null where nobody listens
  StoredNumbers stored = {};     // of the operand whose place in `in` is null: `reads_stored`
  kernels::Terms terms = kernels::Terms::apart;  // of a product of matrices
  std::size_t part = 0;                          // which of `parts` is to be computed
  // Where the primitive may keep what it needs again at the next evaluation of the same node; null: nowhere.
  std::shared_ptr<void>* kept = nullptr;
};

// What a vector-Jacobian product may read: the operands, the result, and the gradient of the
// result.
struct Backward {
  std::vector<Var> in;
  Var out;
  Var gradient;
  const Attributes& attributes;
  std::vector<bool> wanted = {};  // by operand: whether its gradient is asked for; empty: all are
};

// An expression with how tightly its outermost operator binds, so that callers know when to bracket
// it. A literal is a bare number, which Python's functions of tensors do not take.
struct Text {
  std::string text;
  int binding = atom;

  static constexpr int sum = 0, product = 1, prefix = 2, atom = 3, literal = 4;
  // The text, in brackets if it binds less tightly than `level`.
  [[nodiscard]] std::string at(int level) const;
};

// What the printers of LaTeX and Python see of a node.
struct Expression {
  const Node& node;
  std::vector<Text> in;
  std::vector<const Shape*> in_shapes;
  bool torch = true;  // Python only: PyTorch, else NumPy

  [[nodiscard]] long integer(std::size_t i) const { return node.attributes[i]; }
};

// How one cell of a result was computed: `operand(k, flat)` gives cell `flat` of operand k, written
// with its number.
struct CellQuery {
  const Node& node;
  std::vector<const Shape*> in_shapes;
  std::size_t flat;  // which cell of the result
  std::function<Text(std::size_t operand, std::size_t flat)> operand;
  std::function<double(std::size_t operand, std::size_t flat)> value;
};

// A node that is recorded again for `size` examples at once.
struct Batch {
  const Node& node;               // as it was recorded for one example
  std::vector<Var> in;            // the operands in the new graph
  std::vector<bool> led;          // which of them lead with an axis over the examples
  std::vector<const Shape*> one;  // the operands' shapes for one example
  std::size_t size;
};

// What the cost of a node depends on.
struct Sizes {
  const Node& node;
  std::vector<const Shape*> in;  // the operands' shapes
};

// One set of operands on which the tests run a primitive.
struct Sample {
  struct Given {
    List<long> integers = {};
    double number = 0;
  };
  List<List<std::size_t>> shapes;
  Given attributes = {};
  double low = -2, high = 2;  // operands are drawn between these
  bool integers = false;      // the last operand holds indices 0 .. high
  int condition = -1;         // this operand holds 0s and 1s
};

// One primitive: everything that the project knows about it, in one place.
struct Primitive {
  std::string_view name;
  Shape (*shape)(const std::vector<Shape>& in, const Attributes& attributes) = nullptr;
  void (*forward)(const Forward& forward) = nullptr;
  // Gradient for each operand, an empty Var where there is none; null when nothing is
  // differentiable.
  std::vector<Var> (*vjp)(const Backward& backward) = nullptr;
  Text (*latex)(const Expression& expression) = nullptr;
  Text (*python)(const Expression& expression) = nullptr;
  // The cell's computation with the numbers put in.
  Text (*cell)(const CellQuery& query) = nullptr;
  List<Sample> samples = {};
  bool smooth = true;  // a vjp of the vjp exists and passes finite differences
  // A word for a nameless result in exported code; empty: the primitive's name.
  std::string_view noun = {};
  bool view = false;        // only rearranges or makes numbers: as clear written twice as in a line
  bool keeps_rows = false;  // row i reads row i of every operand, or an operand's only row
  // The node for many examples, led by an axis over them; at least one operand is. Rules that fit
  // many primitives are in ops/batch_rules.h; without a rule every example has a node of its own.
  Var (*batch)(const Batch& batch) = nullptr;
  // Of one node; rules that fit many primitives are in ops/cost_rules.h.
  Cost (*cost)(const Sizes& sizes) = nullptr;
  // Whether the node reads its second operand, of that shape, as its file has it.
  bool (*reads_stored)(const Shape& second, const StoredNumbers& stored) = nullptr;
  // In how many parts `forward` computes a node, one behind the other; null: in one.
  std::size_t (*parts)(const Sizes& sizes) = nullptr;
  bool in_place =
      false;  // writes its result over its first operand, a leaf that nothing else reads
};

// Computes all parts of a node.
inline void compute_whole(Forward& forward, std::size_t parts) {
  for (forward.part = 0; forward.part < parts; ++forward.part)
    forward.node.primitive->forward(forward);
}
inline std::size_t parts_of(const Forward& forward) {
  const auto parts = forward.node.primitive->parts;
  return parts == nullptr ? 1 : parts({forward.node, forward.in_shapes});
}

// Records a primitive that has no function of its own in ops/primitives.h:
// apply(primitives::NAME, {x}).
Var apply(const Primitive& primitive, const std::vector<Var>& operands, Attributes attributes = {});

// Every primitive, one a file of src/ops/primitives; the list is generated
// (cmake/primitives.cmake).
std::span<const Primitive* const> all_primitives();

}  // namespace attend
