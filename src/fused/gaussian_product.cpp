// SPDX-License-Identifier: Apache-2.0
#include "fused/gaussian_product.h"

#include <map>

#include "fused/gaussian.h"
#include "fused/operands.h"
#include "fused/record.h"
#include "ops/cost_rules.h"
#include "ops/intent.h"
#include "ops/plan.h"
#include "ops/primitives/records.h"

namespace attend::fused {
namespace {

Attention attention_of(const Node& node, const std::vector<const real*>& in,
                       const std::vector<const Shape*>& shapes) {
  Attention a;
  a.heads = batch_of(*shapes[0]);
  a.m = shapes[0]->end()[-2];
  a.d = shapes[0]->back();
  a.n = shapes[1]->end()[-2];
  a.dv = shapes[2]->back();
  a.q = rows_in(in[0], *shapes[0], a.heads);
  a.k = rows_in(in[1], *shapes[1], a.heads);
  a.v = rows_in(in[2], *shapes[2], a.heads);
  a.scale = static_cast<real>(node.attributes.number);
  return a;
}

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  Shape out = in[0];
  out.back() = in[2].back();
  return out;
}

void forward(const Forward& f) {
  const Attention a = attention_of(f.node, f.in, f.in_shapes);
  attend_gaussian(a, {f.out, a.dv, a.m * a.dv});
}

void backward(const Forward& f) {
  const Attention a = attention_of(f.node, f.in, f.in_shapes);
  GradientPlaces places(f);
  const Gradients gradients{places.take(0, a.q), places.take(1, a.k), places.take(2, a.v), {}};
  const std::size_t width = a.dv, head = a.m * a.dv;
  attend_gaussian_backward(a, {f.in[3], width, head}, {f.in[4], width, head}, gradients);
}

// For each pair `products` multiply-adds and the steps of an exponential relative to the row's largest; for each row
// and key half its square.
Cost cost_of_pairs(const Sizes& s, std::uint64_t products) {
  const Shape &q = *s.in[0], &k = *s.in[1];
  Cost cost = cost::moved(s);
  const std::uint64_t rows = batch_of(q) * q.end()[-2], keys = batch_of(k) * k.end()[-2];
  const std::uint64_t pairs = rows * k.end()[-2], width = q.back();
  // Rows and keys go to the mean of the keys.
  const std::uint64_t mean = (rows + 2 * keys + batch_of(k)) * width;
  cost.multiply_adds = pairs * (products + 5) + (rows + keys) * (width + 1) + mean;
  cost.exponentials = pairs;
  return cost;
}

// Each row is brought to its own scale at the end.
Cost forward_cost(const Sizes& s) {
  Cost cost = cost_of_pairs(s, s.in[0]->back() + s.in[2]->back());
  const std::uint64_t rows = batch_of(*s.in[0]) * s.in[0]->end()[-2];
  cost.multiply_adds += rows * (2 + s.in[2]->back());
  cost.exponentials += rows;
  return cost;
}

// The exponents once more; then the gradients of weights, values, queries and keys, and of the halves of squares.
Cost backward_cost(const Sizes& s) {
  Cost cost = cost_of_pairs(s, 3 * s.in[0]->back() + 2 * s.in[2]->back());
  cost.multiply_adds += cost::cells(*s.in[0]) + cost::cells(*s.in[1]) + cost::cells(*s.in[3]);
  return cost;
}

constexpr Form form{.name = "gaussian_product",
                    .gradient_name = "gaussian_product_gradient",
                    .in_latex = "\\operatorname{Gaussian}",
                    .shape = shape,
                    .forward = forward,
                    .backward = backward,
                    .cost = forward_cost,
                    .backward_cost = backward_cost};

// One product of a kernel, or of its transpose, with values.
struct Use {
  NodeId product, values;
  bool transposed;
};

// The node behind names.
NodeId behind_names(const Graph& graph, NodeId id) {
  while (graph[id].primitive == &primitives::reshape &&
         graph[graph[id].inputs[0]].shape == graph[id].shape)
    id = graph[id].inputs[0];
  return id;
}

// The node's intent if it is a kernel, else null.
const Intent* kernel_of(const Graph& graph, NodeId id) {
  const Intent* intent = intent_of(graph, id);
  return intent != nullptr && intent->kind == Intent::gaussian ? intent : nullptr;
}

// Whether the kernel takes these shapes and gives the product's: values of its batch, or one for all.
bool fits(const Graph& graph, const Intent& kernel, const Use& use) {
  const Shape &v = graph[use.values].shape, &out = graph[use.product].shape;
  Shape made = graph[kernel.operands[use.transposed ? 1 : 0]].shape;
  if (made.size() < 2 || v.size() < 2) return false;
  made.back() = v.back();
  return made == out && (batch_of(v) == batch_of(out) || batch_of(v) == 1);
}

}  // namespace

const Primitive gaussian_product = record_of<form>();

std::size_t fuse_gaussians(Graph& graph, const std::vector<Var>& wanted, std::size_t from_weights) {
  const Plan all = plan(graph, wanted);
  // The products of every kernel; one that is read otherwise, or wanted, stays.
  std::map<NodeId, std::vector<Use>> uses;
  std::map<NodeId, bool> stays;
  for (const Var& var : wanted) stays[behind_names(graph, var.id())] = true;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!all.needed[id] || behind_names(graph, id) != id) continue;
    const Node& node = graph[id];
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const NodeId from = behind_names(graph, node.inputs[k]);
      const Intent* kernel = kernel_of(graph, from);
      if (kernel == nullptr || element_count(graph[from].shape) < from_weights) continue;
      const bool product =
          k == 0 && node.primitive == &primitives::matmul && node.attributes[1] == 0;
      const Use use{id, node.inputs.back(), product && node.attributes[0] != 0};
      if (product && fits(graph, *kernel, use)) {
        uses[from].push_back(use);
      } else {
        stays[from] = true;
      }
    }
  }
  std::size_t found = 0;
  for (const auto& [id, products] : uses) {
    if (stays[id]) continue;
    const Intent& kernel = *graph[id].intent;
    for (const Use& use : products) {
      const NodeId q = kernel.operands[use.transposed ? 1 : 0],
                   k = kernel.operands[use.transposed ? 0 : 1];
      graph.replace(use.product, gaussian_product, {q, k, use.values}, {{}, kernel.scale});
      ++found;
    }
  }
  return found;
}

}  // namespace attend::fused
