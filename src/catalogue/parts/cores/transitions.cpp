// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/transitions.h"

#include <cmath>

namespace attend::loops {

Arrays by_transitions(const ReferenceIn& in, const Transitions& step) {
  const Array& v = in["value"];
  const std::size_t n = v.rows(), width = step.write(0).size();
  Array map({n, n}), states({n, width, v.cols()}), state({width, v.cols()});
  for (std::size_t j = 0; j < n; ++j) {
    Row x = step.write(j);
    for (std::size_t i = j; i < n; ++i) {
      if (i > j) x = step.carry(i, x);
      map(i, j) = inner(step.read(i), x);
      for (std::size_t c = 0; c < width; ++c) {
        for (std::size_t o = 0; o < v.cols(); ++o) states(i, c, o) += x[c] * v(j, o);
      }
    }
  }
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t o = 0; o < v.cols(); ++o) state(c, o) = states(n - 1, c, o);
  }
  if (step.finish) step.finish(map);
  return {{"context", product(map, v)},
          {"implied", map},
          {"weights", map},
          {"state", state},
          {"states", states}};
}

Row without(Row x, const Row& by, const Row& with) { return plus(x, by, -inner(with, x)); }

Array gates(const ReferenceIn& in, const std::string& name, std::size_t columns,
            const std::function<double(double)>& squash) {
  const Array& x = in["key"];
  Array gate({x.rows(), columns});
  const bool many = in.parameters.contains("W_" + name);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (in.text("gates") == "given") {
        gate(t, c) = in.parameter(name).data[t * columns + c];
        continue;
      }
      double sum = in.parameter("b_" + name).data[c];
      for (std::size_t r = 0; r < x.cols(); ++r)
        sum += x(t, r) * in.parameter((many ? "W_" : "w_") + name).data[r * columns + c];
      gate(t, c) = squash(sum);
    }
  }
  return gate;
}

Array tempered_gates(const ReferenceIn& in, std::size_t columns) {
  return gates(in, "alpha", columns,
               [&](double x) { return std::exp(-softplus(-x) / in.number("tau")); });
}

Array decay_gates(const ReferenceIn& in, std::size_t columns) {
  return gates(in, "alpha", columns, [&](double x) {
    return std::exp(-std::exp(in.parameter("A_log")()) * softplus(x));
  });
}

Array write_strengths(const ReferenceIn& in) {
  return gates(in, "beta", 1,
               [&](double x) { return (in.flag("negative") ? 2 : 1) * logistic(x); });
}

namespace {

Row faded(const Row& x, const Array& alpha, std::size_t t) {
  return alpha.cols() == 1 ? times(x, alpha(t, 0)) : times(x, alpha.row(t));
}

}  // namespace

Arrays by_fading(const ReferenceIn& in, const Array& alpha) {
  return by_transitions(
      in, {.read = [&](std::size_t i) { return times(in["query"].row(i), in.number("scale")); },
           .write = [&](std::size_t j) { return in["key"].row(j); },
           .carry = [&](std::size_t t, const Row& x) { return faded(x, alpha, t); }});
}

Arrays by_delta_rule(const ReferenceIn& in, const Array* alpha) {
  const Array beta = write_strengths(in);
  const auto key = [&](std::size_t t) { return prepared(in, in["key"].row(t)); };
  const auto query = [&](std::size_t i) { return prepared(in, in["query"].row(i)); };
  return by_transitions(
      in, {.read = [&](std::size_t i) { return times(query(i), in.number("scale")); },
           .write = [&](std::size_t j) { return times(key(j), beta(j, 0)); },
           .carry =
               [&](std::size_t t, const Row& x) {
                 return without(alpha ? faded(x, *alpha, t) : x, times(key(t), beta(t, 0)), key(t));
               }});
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

Row prepared(const ReferenceIn& in, Row x) {
  double total = 0, squares = 0;
  for (double& one : x) {
    one = in.text("act") == "silu" ? one * logistic(one) : activate(in.text("act"), one);
    total += one;
    squares += one * one;
  }
  const std::string& how = in.text("normalise");
  const double length = how == "l2"                  ? std::sqrt(squares + 1e-6)
                        : how == "sum" && total != 0 ? total
                                                     : 1;
  return times(std::move(x), 1 / length);
}

}  // namespace attend::loops
