// SPDX-License-Identifier: Apache-2.0
#include "ops/compose.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include "ops/error.h"

namespace attend {

Var scalar(Var like, double value) { return fill(like.graph(), {}, value); }
Var operator+(Var a, double b) { return add(a, scalar(a, b)); }
Var operator+(double a, Var b) { return add(scalar(b, a), b); }
Var operator-(Var a, double b) { return subtract(a, scalar(a, b)); }
Var operator-(double a, Var b) { return subtract(scalar(b, a), b); }
Var operator*(Var a, double b) { return multiply(a, scalar(a, b)); }
Var operator*(double a, Var b) { return multiply(scalar(b, a), b); }
Var operator/(Var a, double b) { return divide(a, scalar(a, b)); }
Var operator/(double a, Var b) { return divide(scalar(b, a), b); }

Var transpose(Var x) {
  std::vector<long> axes(x.rank());
  std::iota(axes.begin(), axes.end(), 0L);
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return permute(x, axes);
}

Var sum_to(Var x, const Shape& shape) {
  while (x.rank() > shape.size()) x = sum(x, 0);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != x.shape()[i]) x = sum(x, static_cast<long>(i), true);
  }
  return x;
}

Var mean(Var x, long axis, bool keep) {
  return sum(x, axis, keep) / static_cast<double>(x.extent(axis));
}

// Zero first: on a tie the gradient goes to it, as it does in PyTorch.
Var relu(Var x) { return maximum(scalar(x, 0), x); }

Var clip(Var x, double low, double high) {
  return -maximum(-maximum(x, scalar(x, low)), scalar(x, -high));
}

Var expand(Var x, long axis) {
  Shape shape = x.shape();
  const std::size_t at = axis_index(axis, shape.size() + 1);
  shape.insert(shape.begin() + static_cast<long>(at), 1);
  return reshape(x, shape);
}

Var squeeze(Var x, long axis) {
  Shape shape = x.shape();
  const std::size_t at = axis_index(axis, shape.size());
  if (shape[at] != 1) refuse("only an axis of extent 1 can be dropped from " + to_text(shape));
  shape.erase(shape.begin() + static_cast<long>(at));
  return reshape(x, shape);
}

Var pair_rows(Var x) { return expand(x, -2); }
Var pair_columns(Var x) { return expand(x, -3); }

namespace {
// Puts axes of extent 1 before the last two, until w has the rank that x wants.
Var lift(Var w, std::size_t rank) {
  Shape shape = w.shape();
  while (shape.size() < rank && w.rank() > 2) shape.insert(shape.end() - 2, 1);
  return shape == w.shape() ? w : reshape(w, shape);
}
}  // namespace

Var times(Var x, Var W) { return matmul(x, lift(W, x.rank())); }

Var dot(Var x, Var w) { return squeeze(matmul(x, lift(w, x.rank()), false, true), -1); }

Var norm(Var x, long axis, bool keep) { return sqrt(sum(x * x, axis, keep)); }

Var layer_norm(Var x, Var gamma, Var beta, double eps) {
  return layer_norm(x, gamma, beta, scalar(x, eps));
}

Var layer_norm(Var x, Var gamma, Var beta, Var eps) {
  const Var centred = x - mean(x, -1, true);
  return centred / sqrt(mean(centred * centred, -1, true) + eps) * gamma + beta;
}

Var row(Var x, std::size_t t) { return slice(x, -2, t, t + 1); }

Var one_hot(Var index, std::size_t count) {
  return equal(expand(index, -1), iota(index.graph(), count));
}

Var zeros(Graph& graph, const Shape& shape) { return fill(graph, shape, 0); }
Var ones(Graph& graph, const Shape& shape) { return fill(graph, shape, 1); }

Var activation(std::string_view name, Var x, double leaky_slope) {
  const Var zero = scalar(x, 0);
  // The exponential is taken of values <= 0 only, so that the branch not taken cannot overflow.
  const auto elu = [&](double alpha) {
    const Var above = greater(x, zero);
    return where(above, x, alpha * (exp(where(above, zero, x)) - 1));
  };
  if (name == "identity") return x;
  if (name == "tanh") return tanh(x);
  if (name == "relu") return relu(x);
  if (name == "leaky-relu") return where(greater(x, zero), x, leaky_slope * x);
  if (name == "elu") return elu(1);
  if (name == "selu") return 1.0507009873554804934 * elu(1.6732632423543772848);
  if (name == "gelu") return x * 0.5 * (1 + erf(x / std::numbers::sqrt2));
  if (name == "gelu-tanh") {
    const double root = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // of 2 / pi
    return x * 0.5 * (1 + tanh(root * (x + 0.044715 * (x * x * x))));
  }
  if (name == "silu") return x * sigmoid(x);
  if (name == "relu-squared") {
    const Var above = relu(x);
    return above * above;
  }
  if (name == "sigmoid") return sigmoid(x);
  if (name == "softplus") {
    const Var above = greater(x, zero);
    return where(above, x, zero) + log(1 + exp(where(above, -x, x)));
  }
  refuse("unknown activation \"" + std::string(name) + "\"");
}

Var exclude(Var scores, Var mask, double value) {
  return mask ? where(mask, scores, scalar(scores, value)) : scores;
}

}  // namespace attend
