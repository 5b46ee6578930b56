// SPDX-License-Identifier: Apache-2.0
#include "fused/layer_norm.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "fused/record.h"
#include "kernels/norms.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives/records.h"
#include "ops/rewrite.h"

namespace attend::fused {
namespace {

namespace p = primitives;

// Whether these numbers are one for each column of the rows.
bool is_one_row(const Shape& shape, const Shape& rows) {
  return !shape.empty() && shape.back() == rows.back() && element_count(shape) == rows.back();
}

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  if (in[0].empty() || in[0].back() == 0 || !is_one_row(in[1], in[0]) ||
      !is_one_row(in[2], in[0]) || element_count(in[3]) != 1)
    refuse("a LayerNorm needs rows, gamma and beta of the same width, and one eps");
  return in[0];
}

kernels::NormRows rows_of(const Forward& f) {
  const std::size_t cols = f.in_shapes[0]->back();
  return {f.in[0], f.in[1], *f.in[3], element_count(*f.in_shapes[0]) / cols, cols};
}

void forward(const Forward& f) { kernels::layer_norm_rows(rows_of(f), f.in[2], f.out); }

void backward(const Forward& f) {
  GradientPlaces places(f);
  real* const x = places.take(0);
  real* const gamma = places.take(1);
  kernels::layer_norm_slopes(rows_of(f), f.in[5], {x, gamma, places.take(2)});
}

// For each number so many steps, and for each row two quotients, a sum and a root.
template <std::uint64_t steps>
Cost cost_by_number(const Sizes& s) {
  Cost cost = cost::moved(s);
  const std::uint64_t numbers = cost::cells(*s.in[0]);
  cost.multiply_adds = steps * numbers + 4 * numbers / s.in[0]->back();
  return cost;
}

constexpr Form form{
    .name = "layer_norm",
    .gradient_name = "layer_norm_gradient",
    .in_latex = "\\operatorname{LN}",
    .shape = shape,
    .forward = forward,
    .backward = backward,
    // Sum, difference, square, quotient, and one multiply-add.
    .cost = cost_by_number<5>,
    // Sum, difference, square; then y, h, four sums, and three steps of the result.
    .backward_cost = cost_by_number<12>,
    .constant = [](const Attributes&, std::size_t operand) { return operand == 3; }};

// Finds the formula that ends in one node.
class Finder {
 public:
  explicit Finder(const Program& program)
      : graph_(program.graph()), learned_(program.graph().size(), false) {
    for (const Program::Leaf& leaf : program.leaves())
      learned_[leaf.node] = leaf.kind == LeafKind::weight;
  }

  // x, gamma, beta and eps.
  [[nodiscard]] std::optional<std::vector<NodeId>> ending_in(NodeId id) const {
    const Node *sum = is(id, p::add), *product = operand(sum, 0, p::multiply),
               *quotient = operand(product, 0, p::divide),
               *centred = operand(quotient, 0, p::subtract),
               *deviation = operand(quotient, 1, p::sqrt), *under = operand(deviation, 0, p::add);
    if (centred == nullptr || under == nullptr) return std::nullopt;
    const NodeId x = centred->inputs[0], eps = under->inputs[1];
    const Node *square = summed(under->inputs[0]), *mean = summed(centred->inputs[1]);
    const std::vector<NodeId> in{x, product->inputs[1], sum->inputs[1], eps};
    if (mean != &graph_[x] || square == nullptr || square->primitive != &p::multiply ||
        square->inputs != std::vector<NodeId>{centred->id, centred->id} || !is_constant(eps))
      return std::nullopt;
    const Shape& rows = graph_[x].shape;
    const bool fits = sum->shape == rows && is_one_row(graph_[in[1]].shape, rows) &&
                      is_one_row(graph_[in[2]].shape, rows);
    return fits ? std::optional(in) : std::nullopt;
  }

 private:
  [[nodiscard]] const Node* is(NodeId id, const Primitive& primitive) const {
    return !graph_[id].leaf && graph_[id].primitive == &primitive ? &graph_[id] : nullptr;
  }
  [[nodiscard]] const Node* operand(const Node* of, std::size_t k,
                                    const Primitive& primitive) const {
    return of == nullptr ? nullptr : is(of->inputs[k], primitive);
  }

  // Of a mean over the last axis, what is averaged.
  [[nodiscard]] const Node* summed(NodeId mean) const {
    const Node *quotient = is(mean, p::divide), *sum = operand(quotient, 0, p::sum),
               *count = operand(quotient, 1, p::fill);
    if (sum == nullptr || count == nullptr || sum->attributes != Attributes{{-1, 1}})
      return nullptr;
    const Node& of = graph_[sum->inputs[0]];
    const bool whole = !of.shape.empty() && element_count(count->shape) == 1 &&
                       count->attributes.number == static_cast<double>(of.shape.back());
    return whole ? &of : nullptr;
  }

  [[nodiscard]] bool is_constant(NodeId eps) const {
    const Node& node = graph_[eps];
    return element_count(node.shape) == 1 && !learned_[eps] &&
           (node.leaf || node.primitive == &p::fill);
  }

  const Graph& graph_;
  std::vector<bool> learned_;
};

}  // namespace

const Primitive layer_norm = record_of<form>();

Program with_layer_norms(const Program& program) {
  const Finder finder(program);
  Rewrite to(program);
  to.copy_whole();
  for (NodeId id = 0; id < program.graph().size(); ++id) {
    if (const auto in = finder.ending_in(id)) to.graph().replace(id, layer_norm, *in, {});
  }
  return to.program();
}

}  // namespace attend::fused
