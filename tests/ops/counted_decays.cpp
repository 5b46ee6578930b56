// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/counted_decays.h"

namespace attend::testing {
namespace {

using In = std::vector<CountedTensor>;
using Out = CountedTensor;

// Calls visit(block, feature, j, i) with j < i and `number`, which is all decays in between times what stands at j.
template <class Start, class Visit>
void for_each_pair(CountedTensor& decay, Start start, Visit visit) {
  const std::size_t rows = decay.shape.end()[-2], p = decay.shape.back();
  for (std::size_t block = 0; block < decay.size() / (rows * p); ++block) {
    for (std::size_t c = 0; c < p; ++c) {
      for (std::size_t j = 0; j < rows; ++j) {
        Counted number = start(block, j, c);
        for (std::size_t i = j + 1; i < rows; ++i) {
          visit(block, c, j, i, number);
          if (i + 1 < rows) number = number * decay.at((block * rows + i) * p + c);
        }
      }
    }
  }
}

void clear(Out& out) {
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = 0;
}

}  // namespace

void decayed_pairs(In& in, Out& out, const Node&) {
  const std::size_t rows = out.shape.back(), p = in[0].shape.back();
  clear(out);
  for_each_pair(
      in[2],
      [&](std::size_t block, std::size_t j, std::size_t c) {
        return in[1].at((block * rows + j) * p + c);
      },
      [&](std::size_t block, std::size_t c, std::size_t j, std::size_t i, Counted y) {
        Counted& cell = out.at((block * rows + i) * rows + j);
        cell = multiply_add(in[0].at((block * rows + i) * p + c), y, cell);
      });
}

void decayed_sums(In& in, Out& out, const Node& node) {
  const std::size_t rows = out.shape.end()[-2], p = out.shape.back();
  const bool back = node.attributes[0] != 0;
  clear(out);
  for_each_pair(
      in[2], [](std::size_t, std::size_t, std::size_t) { return Counted(1); },
      [&](std::size_t block, std::size_t c, std::size_t j, std::size_t i, Counted left) {
        const std::size_t from = back ? i : j, to = back ? j : i;
        Counted& cell = out.at((block * rows + to) * p + c);
        cell = multiply_add(in[0].at((block * rows + i) * rows + j),
                            in[1].at((block * rows + from) * p + c) * left, cell);
      });
}

void running_product(In& in, Out& out, const Node& node) {
  const std::size_t rows = out.shape.end()[-2], p = out.shape.back();
  const bool back = node.attributes[0] != 0;
  for (std::size_t start = 0; start < out.size(); start += rows * p) {
    for (std::size_t c = 0; c < p; ++c) {
      Counted product = 1;
      for (std::size_t k = 0; k < rows; ++k) {
        const std::size_t at = start + (back ? rows - 1 - k : k) * p + c;
        out.at(at) = product;
        product = product * in[0].at(at);
      }
    }
  }
}

void solve_triangle(In& in, Out& out, const Node& node) {
  const std::size_t rows = out.shape.end()[-2], width = out.shape.back();
  const bool transposed = node.attributes[0] != 0;
  for (std::size_t block = 0; block < out.size() / (rows * width); ++block) {
    for (std::size_t k = 0; k < rows; ++k) {
      const std::size_t i = transposed ? rows - 1 - k : k;
      for (std::size_t c = 0; c < width; ++c) {
        Counted known = 0;
        for (std::size_t j = transposed ? i + 1 : 0; j < (transposed ? rows : i); ++j) {
          const std::size_t at = transposed ? j * rows + i : i * rows + j;
          known = multiply_add(in[0].at(block * rows * rows + at),
                               out.at((block * rows + j) * width + c), known);
        }
        out.at((block * rows + i) * width + c) = in[1].at((block * rows + i) * width + c) - known;
      }
    }
  }
}

}  // namespace attend::testing
