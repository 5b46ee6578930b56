// SPDX-License-Identifier: Apache-2.0
#include "catalogue/reference.h"

#include <cmath>
#include <stdexcept>

namespace attend {

Array::Array(Shape extents, double value) {
  data.assign(element_count(extents), value);
  shape = std::move(extents);
}

std::size_t Array::position(const std::vector<std::size_t>& index) const {
  // Of more indices than axes the first are those of axes of extent 1, which the shape leaves out.
  std::size_t flat = 0;
  const std::size_t axes = shape.size(), given = index.size();
  for (std::size_t i = 0; i < axes; ++i) {
    flat = flat * shape[i] + (i + given < axes ? 0 : index[i + given - axes]);
  }
  return flat;
}

namespace {
template <class Map>
const auto& must_find(const Map& map, std::string_view name, const char* what) {
  const auto found = map.find(name);
  if (found == map.end()) {
    throw std::runtime_error(std::string("the reference reads ") + what + " \"" +
                             std::string(name) + "\", which is missing");
  }
  return found->second;
}
}  // namespace

const Array& ReferenceIn::operator[](std::string_view name) const {
  return must_find(tensors, name, "tensor");
}
const Array& ReferenceIn::parameter(std::string_view name) const {
  return must_find(parameters, name, "parameter");
}
double ReferenceIn::number(std::string_view knob) const {
  return std::get<double>(must_find(knobs, knob, "knob"));
}
std::size_t ReferenceIn::integer(std::string_view knob) const {
  return static_cast<std::size_t>(number(knob));
}
bool ReferenceIn::flag(std::string_view knob) const {
  return std::get<bool>(must_find(knobs, knob, "knob"));
}
const std::string& ReferenceIn::text(std::string_view knob) const {
  return std::get<std::string>(must_find(knobs, knob, "knob"));
}

bool ReferenceIn::allowed(std::size_t i, std::size_t j) const {
  return !has("mask") || (*this)["mask"](i, j) != 0;
}

double inner(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

Row mapped(const Row& x, const Array& W) {
  Row y(W.cols(), 0);
  for (std::size_t r = 0; r < x.size(); ++r) {
    for (std::size_t c = 0; c < y.size(); ++c) y[c] += x[r] * W(r, c);
  }
  return y;
}

double activate(const std::string& name, double x) {
  if (name == "tanh") return 1 - 2 / (std::exp(2 * x) + 1);
  if (name == "relu") return x > 0 ? x : 0;
  if (name == "leaky-relu") return x > 0 ? x : 0.01 * x;
  if (name == "elu") return x > 0 ? x : std::expm1(x);
  if (name == "selu") return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
  if (name == "gelu") return x * std::erfc(-x / std::sqrt(2.0)) / 2;
  if (name == "gelu-tanh") {
    // (1 + tanh y) / 2 is a sigmoid of 2 y.
    const double y = std::sqrt(8 / std::acos(-1.0)) * (x + 0.044715 * std::pow(x, 3));
    return x / (1 + std::exp(-y));
  }
  if (name == "silu") return x / (1 + std::exp(-x));
  if (name == "relu-squared") return x > 0 ? std::pow(x, 2) : 0;
  if (name == "sigmoid") return 1 / (1 + std::exp(-x));
  if (name == "softplus") return x > 30 ? x : std::log1p(std::exp(x));
  return x;
}

Arrays each_score(const ReferenceIn& in,
                  const std::function<double(const Row&, const Row&)>& score) {
  const Array &q = in["query"], &k = in["key"];
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t j = 0; j < k.rows(); ++j) e(i, j) = score(q.row(i), k.row(j));
  }
  return {{"scores", e}};
}

Row soft(const Row& scores, const std::function<bool(std::size_t)>& allowed) {
  long double total = 0;
  long double shift = -1e300L;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (allowed(j) && scores[j] > shift) shift = scores[j];
  }
  Row weights(scores.size(), 0);
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (allowed(j)) total += std::exp(static_cast<long double>(scores[j]) - shift);
  }
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (allowed(j))
      weights[j] =
          static_cast<double>(std::exp(static_cast<long double>(scores[j]) - shift) / total);
  }
  return weights;
}

Arrays each_row(const ReferenceIn& in, const std::function<Row(std::size_t, const Row&)>& align) {
  const Array& e = in["scores"];
  Array weights(e.shape);
  for (std::size_t i = 0; i < e.rows(); ++i) {
    const Row row = align(i, e.row(i));
    for (std::size_t j = 0; j < row.size(); ++j) weights(i, j) = row[j];
  }
  return {{"weights", weights}};
}

Arrays each_pair(const ReferenceIn& in,
                 const std::function<bool(std::size_t i, std::size_t j)>& allowed) {
  Array mask({in["query"].rows(), in["key"].rows()});
  for (std::size_t i = 0; i < mask.rows(); ++i) {
    for (std::size_t j = 0; j < mask.cols(); ++j) mask(i, j) = allowed(i, j) ? 1 : 0;
  }
  return {{"mask", mask}};
}

}  // namespace attend
