// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/counted_loops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/rows.h"
#include "tests/ops/counted_algebra.h"
#include "tests/ops/counted_decays.h"
#include "tests/ops/counted_hinges.h"
#include "tests/ops/counted_lists.h"

namespace attend::testing {
namespace {

using In = std::vector<CountedTensor>;
using Out = CountedTensor;
using Index = std::vector<std::size_t>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Every cell of the result from the cells that stand at its place in the operands.
template <class Function>
Loop by_cell(Function function) {
  return [function](In& in, Out& out, const Node&) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Index index = unravel(i, out.shape);
      if constexpr (std::is_invocable_v<Function, Counted>) {
        out.at(i) = function(in[0].at(index));
      } else {
        out.at(i) = function(in[0].at(index), in[1].at(index));
      }
    }
  };
}

template <class Function>
Loop one_step(Function function) {
  return by_cell([function](Counted x) { return arithmetic(function, x); });
}

template <class Function>
Loop one_exponential(Function function) {
  return by_cell([function](Counted x) { return exponential(function, x); });
}

// Calls line(cells, place) for every line along the axis of a reduction: the operand's cells on it
// in order, and which line it is.
template <class Line>
void for_each_line(const Shape& shape, long axis, Line line) {
  const auto at =
      static_cast<std::size_t>(axis < 0 ? axis + static_cast<long>(shape.size()) : axis);
  std::size_t place = 0;
  for (std::size_t i = 0; i < element_count(shape); ++i) {
    Index index = unravel(i, shape);
    if (index[at] != 0) continue;
    Index cells;
    for (; index[at] < shape[at]; ++index[at]) cells.push_back(ravel(index, shape));
    line(cells, place++);
  }
}

void sum(In& in, Out& out, const Node& node) {
  for_each_line(in[0].shape, node.attributes[0], [&](const Index& cells, std::size_t place) {
    Counted total = 0;
    for (const std::size_t cell : cells) total = total + in[0].at(cell);
    out.at(place) = total;
  });
}

void cumsum(In& in, Out& out, const Node& node) {
  for_each_line(in[0].shape, node.attributes[0], [&](Index cells, std::size_t) {
    if (node.attributes[1] != 0) std::reverse(cells.begin(), cells.end());
    Counted total = 0;
    for (const std::size_t cell : cells) out.at(cell) = total = total + in[0].at(cell);
  });
}

template <bool place_wanted>
void largest(In& in, Out& out, const Node& node) {
  for_each_line(in[0].shape, node.attributes[0], [&](const Index& cells, std::size_t place) {
    Counted best = -infinity;
    std::size_t which = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!(in[0].at(cells[i]) > best)) continue;
      best = in[0].at(cells[i]);
      which = i;
    }
    out.at(place) = place_wanted ? Counted(static_cast<double>(which)) : best;
  });
}

// What a mask excludes goes through all steps too, as -infinity.
void softmax(In& in, Out& out, const Node&) {
  for_each_line(out.shape, -1, [&](const Index& cells, std::size_t) {
    std::vector<Counted> row;
    std::vector<bool> kept;
    for (const std::size_t cell : cells) {
      kept.push_back(in.size() == 1 || in[1].at(unravel(cell, out.shape)).plain() != 0);
      const Counted x = in[0].at(cell);
      row.push_back(kept.back() ? x : Counted(-infinity));
    }
    Counted most = -infinity, total = 0;
    for (const Counted x : row) most = x > most ? x : most;
    for (Counted& x : row) {
      x = exponential([](double v) { return std::exp(v); }, x - most);
      total = total + x;
    }
    for (std::size_t j = 0; j < row.size(); ++j) {
      const Counted weight = row[j] / total;
      out.at(cells[j]) = kept[j] ? weight : Counted(0);
    }
  });
}

// The largest weight by halving: how much the others get with it falls short of 1 or goes beyond.
void entmax(In& in, Out& out, const Node&) {
  for_each_line(out.shape, -1, [&](const Index& cells, std::size_t) {
    const Counted r = in[1].at(unravel(cells[0], out.shape));
    std::vector<Counted> gaps;
    std::vector<std::size_t> kept;
    Counted most = -infinity;
    for (const std::size_t cell : cells) {
      const Counted x = in[0].at(cell);
      out.at(cell) = 0;
      if (in.size() == 3 && in[2].at(unravel(cell, out.shape)).plain() == 0) continue;
      kept.push_back(cell);
      gaps.push_back(x);
      most = x > most ? x : most;
    }
    if (kept.empty()) return;
    for (Counted& gap : gaps) gap = gap - most;
    const auto power = [](Counted base, Counted to) {
      return exponential([to](double v) { return std::pow(v, to.plain()); }, base);
    };
    const auto weight = [&](Counted gap, Counted p) {
      const Counted y = multiply_add(r, gap / power(p, r), 1);
      return y > 0 ? p * power(y, 1 / r) : Counted(0);
    };
    Counted low = 0, high = 1;
    // As many as the search takes at most: what a primitive costs is said before its data are known.
    for (int step = 0; step < kernels::entmax_most_steps; ++step) {
      const Counted p = (low + high) / 2;
      Counted total = 0;
      for (const Counted gap : gaps) total = total + weight(gap, p);
      (total > 1 ? high : low) = p;
    }
    for (std::size_t j = 0; j < kept.size(); ++j) out.at(kept[j]) = weight(gaps[j], high);
  });
}

void matmul(In& in, Out& out, const Node& node) {
  const bool a_turned = node.attributes[0] != 0, b_turned = node.attributes[1] != 0;
  const std::size_t inner = in[0].shape.end()[a_turned ? -2 : -1];
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Index index = unravel(i, out.shape);
    Counted total = 0;
    for (std::size_t k = 0; k < inner; ++k) {
      Index a = index, b = index;
      a.end()[-1] = k;
      b.end()[-2] = k;
      if (a_turned) std::swap(a.end()[-1], a.end()[-2]);
      if (b_turned) std::swap(b.end()[-1], b.end()[-2]);
      total = multiply_add(in[0].at(a), in[1].at(b), total);
    }
    out.at(i) = total;
  }
}

void permute(In& in, Out& out, const Node& node) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Index index = unravel(i, out.shape);
    Index from(index.size());
    for (std::size_t a = 0; a < index.size(); ++a)
      from[static_cast<std::size_t>(node.attributes[a])] = index[a];
    out.at(i) = in[0].at(ravel(from, in[0].shape));
  }
}

void slice(In& in, Out& out, const Node& node) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Index index = unravel(i, out.shape);
    index.end()[node.attributes[0]] += static_cast<std::size_t>(node.attributes[1]);
    out.at(i) = in[0].at(ravel(index, in[0].shape));
  }
}

void concat(In& in, Out& out, const Node& node) {
  std::size_t start = 0;
  for (CountedTensor& part : in) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      Index index = unravel(i, part.shape);
      index.end()[node.attributes[0]] += start;
      out.at(ravel(index, out.shape)) = part.at(i);
    }
    start += part.shape.end()[node.attributes[0]];
  }
}

std::size_t picked(CountedTensor& index, std::size_t at, std::size_t row, std::size_t width) {
  return row * width + static_cast<std::size_t>(index.at(at).plain());
}

void take(In& in, Out& out, const Node&) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out.at(i) = in[0].at(picked(in[1], i, i / out.shape.back(), in[0].shape.back()));
}

void put(In& in, Out& out, const Node&) {
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = 0;
  for (std::size_t i = 0; i < in[0].size(); ++i) {
    Counted& cell = out.at(picked(in[1], i, i / in[0].shape.back(), out.shape.back()));
    cell = cell + in[0].at(i);
  }
}

// Calls visit(cell of the image, cell of the windows) for every number of a window inside the image.
template <class Visit>
void for_each_in_windows(const Shape& image, const Shape& windows, const Node& node, Visit visit) {
  const long kw = node.attributes[1], stride = node.attributes[2];
  const auto C = image.back();
  for (std::size_t i = 0; i < element_count(windows); ++i) {
    Index at = unravel(i, windows);
    const auto place = static_cast<long>(at.back() / C);
    const long y = static_cast<long>(at.end()[-3]) * stride + place / kw - node.attributes[3];
    const long x = static_cast<long>(at.end()[-2]) * stride + place % kw - node.attributes[4];
    if (y < 0 || x < 0 || y >= static_cast<long>(image.end()[-3]) ||
        x >= static_cast<long>(image.end()[-2]))
      continue;
    at.end()[-3] = static_cast<std::size_t>(y);
    at.end()[-2] = static_cast<std::size_t>(x);
    at.back() %= C;
    visit(ravel(at, image), i);
  }
}

void unfold(In& in, Out& out, const Node& node) {
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = 0;
  for_each_in_windows(in[0].shape, out.shape, node,
                      [&](std::size_t from, std::size_t to) { out.at(to) = in[0].at(from); });
}

void fold(In& in, Out& out, const Node& node) {
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = 0;
  for_each_in_windows(out.shape, in[0].shape, node, [&](std::size_t to, std::size_t from) {
    out.at(to) = out.at(to) + in[0].at(from);
  });
}

void argsort(In& in, Out& out, const Node&) {
  for_each_line(out.shape, -1, [&](const Index& cells, std::size_t) {
    Index order(cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto before = [&](std::size_t a, std::size_t b) {
      return in[0].at(cells[a]) > in[0].at(cells[b]);
    };
    std::make_heap(order.begin(), order.end(), before);
    std::sort_heap(order.begin(), order.end(), before);
    for (std::size_t j = 0; j < cells.size(); ++j) out.at(cells[j]) = static_cast<double>(order[j]);
  });
}

void sinusoid(In& in, Out& out, const Node&) {
  const std::size_t width = out.shape.back();
  for (std::size_t c = 0; c < width; ++c) {
    const double power = -static_cast<double>(c / 2 * 2) / static_cast<double>(width);
    Counted frequency =
        exponential([&](double base) { return std::pow(base, power); }, in[1].at(0));
    if (in.size() > 2) frequency = frequency / in[2].at(c / 2);
    for (std::size_t p = 0; p < in[0].size(); ++p) {
      const Counted angle = in[0].at(p) * frequency;
      out.at(p * width + c) =
          exponential([&](double v) { return c % 2 == 0 ? std::sin(v) : std::cos(v); }, angle);
    }
  }
}

void where(In& in, Out& out, const Node&) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Index index = unravel(i, out.shape);
    const Counted yes = in[1].at(index), no = in[2].at(index);
    out.at(i) = in[0].at(index).plain() != 0 ? yes : no;
  }
}

void same_order(In& in, Out& out, const Node&) {
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = in[0].at(i);
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

const std::map<std::string_view, Loop>& counted_loops() {
  static const std::map<std::string_view, Loop> loops{
      {"negative", by_cell([](Counted x) { return -x; })},
      {"exp", one_exponential([](double x) { return std::exp(x); })},
      {"log", one_exponential([](double x) { return std::log(x); })},
      {"sqrt", one_step([](double x) { return std::sqrt(x); })},
      {"tanh", one_exponential([](double x) { return std::tanh(x); })},
      {"sigmoid", one_exponential(sigmoid)},
      {"absolute", one_step([](double x) { return std::abs(x); })},
      {"sin", one_exponential([](double x) { return std::sin(x); })},
      {"cos", one_exponential([](double x) { return std::cos(x); })},
      {"erf", one_exponential([](double x) { return std::erf(x); })},
      {"arccos", one_exponential([](double x) { return std::acos(x); })},
      {"floor", one_step([](double x) { return std::floor(x); })},
      {"detach", same_order},
      {"add", by_cell([](Counted a, Counted b) { return a + b; })},
      {"subtract", by_cell([](Counted a, Counted b) { return a - b; })},
      {"multiply", by_cell([](Counted a, Counted b) { return a * b; })},
      {"divide", by_cell([](Counted a, Counted b) { return a / b; })},
      {"maximum", by_cell([](Counted a, Counted b) { return b > a ? b : a; })},
      {"power", by_cell([](Counted a, Counted b) {
         return exponential([b](double x) { return std::pow(x, b.plain()); }, a);
       })},
      {"greater", by_cell([](Counted a, Counted b) { return Counted(a > b ? 1 : 0); })},
      {"equal", by_cell([](Counted a, Counted b) { return Counted(a == b ? 1 : 0); })},
      {"where", where},
      {"sum", sum},
      {"max", largest<false>},
      {"argmax", largest<true>},
      {"cumsum", cumsum},
      {"softmax", softmax},
      {"entmax", entmax},
      {"matmul", matmul},
      {"inverse", inverse},
      {"solve_symmetric", solve_symmetric},
      {"reshape", same_order},
      {"permute", permute},
      {"broadcast_to", by_cell([](Counted x) { return x; })},
      {"slice", slice},
      {"concat", concat},
      {"take", take},
      {"put", put},
      {"squared_gaps", squared_gaps},
      {"gap_sums", gap_sums},
      {"hinges", hinges},
      {"hinge_slopes", hinge_slopes},
      {"decayed_pairs", decayed_pairs},
      {"decayed_sums", decayed_sums},
      {"running_product", running_product},
      {"solve_triangle", solve_triangle},
      {"listed_products", listed_products},
      {"listed_sums", listed_sums},
      {"listed_spread", listed_spread},
      {"unfold", unfold},
      {"fold", fold},
      {"argsort", argsort},
      {"fill",
       [](In&, Out& out, const Node& node) {
         for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = node.attributes.number;
       }},
      {"iota",
       [](In&, Out& out, const Node&) {
         for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = static_cast<double>(i);
       }},
      {"sinusoid", sinusoid}};
  return loops;
}

}  // namespace attend::testing
