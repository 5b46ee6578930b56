// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/counted_lists.h"

namespace attend::testing {
namespace {

using In = std::vector<CountedTensor>;
using Out = CountedTensor;

// Calls visit(place of the lists, row that has the list, row that it names) for matrices of m and n rows.
template <class Visit>
void for_each_listed(CountedTensor& index, std::size_t n, Visit visit) {
  const std::size_t t = index.shape.back(), m = index.shape.end()[-2];
  for (std::size_t at = 0; at < index.size(); ++at)
    visit(at, at / t, at / t / m * n + static_cast<std::size_t>(index.at(at).plain()));
}

}  // namespace

void squared_gaps(In& in, Out& out, const Node&) {
  const std::size_t m = out.shape.end()[-2], n = out.shape.back(), p = in[0].shape.back();
  for (std::size_t cell = 0; cell < out.size(); ++cell) {
    const std::size_t r = cell / (m * n), i = r * m + cell / n % m, j = r * n + cell % n;
    Counted sum = 0;
    for (std::size_t c = 0; c < p; ++c) {
      const Counted gap = in[0].at(i * p + c) - in[1].at(j * p + c);
      sum = multiply_add(gap, gap, sum);
    }
    out.at(cell) = sum;
  }
}

void gap_sums(In& in, Out& out, const Node& node) {
  const std::size_t m = in[0].shape.end()[-2], n = in[0].shape.back(), p = out.shape.back();
  const bool columns = node.attributes[0] != 0;
  const std::size_t rows = columns ? n : m, others = columns ? m : n;
  for (std::size_t cell = 0; cell < out.size(); ++cell) {
    const std::size_t c = cell % p, i = cell / p % rows, r = cell / (p * rows);
    Counted sum = 0;
    for (std::size_t j = 0; j < others; ++j) {
      const Counted gap = in[1].at(cell) - in[2].at((r * others + j) * p + c);
      sum = multiply_add(in[0].at(r * m * n + (columns ? j * n + i : i * n + j)), gap, sum);
    }
    out.at(cell) = sum;
  }
}

void listed_products(In& in, Out& out, const Node&) {
  const std::size_t p = in[0].shape.back();
  for_each_listed(in[2], in[1].shape.end()[-2], [&](std::size_t at, std::size_t i, std::size_t j) {
    Counted sum = 0;
    for (std::size_t c = 0; c < p; ++c)
      sum = multiply_add(in[0].at(i * p + c), in[1].at(j * p + c), sum);
    out.at(at) = sum;
  });
}

void listed_sums(In& in, Out& out, const Node&) {
  const std::size_t d = out.shape.back();
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = 0;
  for_each_listed(in[2], in[1].shape.end()[-2], [&](std::size_t at, std::size_t i, std::size_t j) {
    for (std::size_t c = 0; c < d; ++c) {
      Counted& to = out.at(i * d + c);
      to = multiply_add(in[0].at(at), in[1].at(j * d + c), to);
    }
  });
}

void listed_spread(In& in, Out& out, const Node&) {
  const std::size_t d = out.shape.back();
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = 0;
  for_each_listed(in[2], out.shape.end()[-2], [&](std::size_t at, std::size_t i, std::size_t j) {
    for (std::size_t c = 0; c < d; ++c) {
      Counted& to = out.at(j * d + c);
      to = multiply_add(in[0].at(at), in[1].at(i * d + c), to);
    }
  });
}

}  // namespace attend::testing
