// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/knob.h"

namespace attend {

// A small table in double for the references, which compute each formula by plain loops, away from
// the graph.
struct Array : Tensor {
  Array() = default;
  explicit Array(const Tensor& tensor) : Tensor(tensor) {}
  explicit Array(Shape extents, double value = 0);

  // Element by index; indices in front may be left out when their extent is 1 (a scalar is a()).
  template <class... Index>
  double& operator()(Index... index) {
    return data[position({static_cast<std::size_t>(index)...})];
  }
  template <class... Index>
  double operator()(Index... index) const {
    return data[position({static_cast<std::size_t>(index)...})];
  }
  [[nodiscard]] std::size_t rows() const { return shape.size() < 2 ? 1 : shape[shape.size() - 2]; }
  [[nodiscard]] std::size_t cols() const { return shape.empty() ? 1 : shape.back(); }
  // The numbers along the last axis, at these indices of the others; the same set to `numbers`.
  template <class... Index>
  [[nodiscard]] std::vector<double> row(Index... index) const {
    const auto start = data.begin() + static_cast<long>(position_of_row(index...));
    return {start, start + static_cast<long>(cols())};
  }
  template <class... Index>
  void set(const std::vector<double>& numbers, Index... index) {
    std::copy(numbers.begin(), numbers.end(),
              data.begin() + static_cast<long>(position_of_row(index...)));
  }
  template <class... Index>
  void add(const std::vector<double>& numbers, Index... index) {  // to those that are there
    double* at = data.data() + position_of_row(index...);
    for (const double number : numbers) *at++ += number;
  }

 private:
  // (A table without columns has no position of its own.)
  template <class... Index>
  [[nodiscard]] std::size_t position_of_row(Index... index) const {
    return cols() == 0 ? 0 : position({static_cast<std::size_t>(index)..., 0});
  }
  [[nodiscard]] std::size_t position(const std::vector<std::size_t>& index) const;
};

using Arrays = std::map<std::string, Array, std::less<>>;

// What a reference reads: tensors that enter the mechanism (roles; for an alignment also scores and
// mask), its parameters by symbol, its knobs.
struct ReferenceIn {
  Arrays tensors, parameters;
  std::map<std::string, KnobValue, std::less<>> knobs;
  std::map<std::string, std::vector<std::string>> labels = {};  // of the inputs' rows

  const Array& operator[](std::string_view name) const;
  const Array& parameter(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return tensors.contains(name); }
  [[nodiscard]] double number(std::string_view knob) const;
  [[nodiscard]] std::size_t integer(std::string_view knob) const;
  [[nodiscard]] bool flag(std::string_view knob) const;
  [[nodiscard]] const std::string& text(std::string_view knob) const;
  // 1 where query row i may attend to key j; without a mask everywhere.
  [[nodiscard]] bool allowed(std::size_t i, std::size_t j) const;
};

// Results by the name of the output that they must equal.
using Reference = Arrays (*)(const ReferenceIn&);

// Plain helpers of the references, none shared with the build.
using Row = std::vector<double>;
double inner(const Row& a, const Row& b);
Row mapped(const Row& x, const Array& W);  // x W
double activate(const std::string& name, double x);
Arrays each_score(const ReferenceIn& in,
                  const std::function<double(const Row& q, const Row& k)>& score);
// Softmax of a row over the allowed keys by direct exponentials in long double; zeros when none is
// allowed.
Row soft(const Row& scores, const std::function<bool(std::size_t)>& allowed);
Arrays each_row(const ReferenceIn& in,
                const std::function<Row(std::size_t i, const Row& scores)>& align);
// The mask of the pairs (query row i, key j) that may attend.
Arrays each_pair(const ReferenceIn& in,
                 const std::function<bool(std::size_t i, std::size_t j)>& allowed);

}  // namespace attend
