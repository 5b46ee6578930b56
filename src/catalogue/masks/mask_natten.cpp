// SPDX-License-Identifier: Apache-2.0
// Neighbourhood attention: tokens lie on a grid, and row i sees the kernel around it; at a border the kernel is moved
// inside, so that every row sees equally many keys
// Hassani et al. 2022 (NAT), arXiv:2204.07143
#include "catalogue/entry.h"
#include "ops/text.h"

namespace attend::mask_natten_entry {
namespace {

constexpr std::size_t usual = 3;

// One or two whole numbers of at least 1 that a list names; empty where the document has none.
std::vector<std::size_t> sizes_of(const MaskIn& in, const char* knob) {
  if (!in.has(knob)) return {};
  const Tensor& given = in.matrix(knob);
  const std::string path = in.choice.path + "/" + knob;
  if (given.shape.front() != 1 || given.data.size() > 2)
    refuse(path, "expected one number, or one for rows and one for columns; found shape " +
                     to_text(given.shape));
  std::vector<std::size_t> sizes;
  for (const double size : given.data) {
    if (size < 1 || size > 1e9 || size != std::floor(size))
      refuse(path, "expected whole numbers from 1 to 1000000000, found " + number_exact(size));
    sizes.push_back(static_cast<std::size_t>(size));
  }
  return sizes;
}

struct Places {
  std::vector<std::size_t> grid, kernel;  // one number an axis
};

Places places_of(const MaskIn& in) {
  const std::size_t tokens = in.n - in.inputs.memory;
  Places p{sizes_of(in, "grid"), sizes_of(in, "kernel")};
  const std::string grid = in.choice.path + "/grid", kernel = in.choice.path + "/kernel";
  if (p.grid.empty()) p.grid = {tokens};
  double places = 1;
  for (const std::size_t size : p.grid) places *= static_cast<double>(size);
  if (places != static_cast<double>(tokens))
    refuse(grid, "the grid has " + number_exact(places) + " positions, but there are " +
                     std::to_string(tokens) + " keys");
  if (in.m > tokens)
    refuse(grid, "query i has the position of key i; there are " + std::to_string(in.m) +
                     " queries, but only " + std::to_string(tokens) + " keys");
  if (p.kernel.size() > p.grid.size())
    refuse(kernel, "the kernel has two sizes, but the grid has only one axis");
  if (p.kernel.empty()) {  // no wider than the grid, and odd
    for (const std::size_t size : p.grid)
      p.kernel.push_back(std::min(usual, size - (size % 2 == 0 ? 1 : 0)));
  }
  if (p.kernel.size() < p.grid.size()) p.kernel.push_back(p.kernel.front());
  for (std::size_t axis = 0; axis < p.grid.size(); ++axis) {
    const std::size_t k = p.kernel[axis], size = p.grid[axis];
    if (k % 2 == 0)
      refuse(kernel,
             "the kernel needs a centre, so its size must be odd; found " + std::to_string(k));
    if (k > size)
      refuse(kernel, "the kernel must fit into the grid: use at most " + std::to_string(size) +
                         " along this axis; found " + std::to_string(k));
  }
  return p;
}

// Along one axis of the grid: whether the kernel around i, moved inside, holds j.
Var near(Var i, Var j, std::size_t kernel, std::size_t size) {
  const auto half = static_cast<double>(kernel / 2), last = static_cast<double>(size - 1);
  const Var gap = absolute(clip(i, half, last - half) - j);  // [m n]
  return greater(scalar(gap, half + 0.5), gap);
}

Var build(const MaskIn& in) {
  const Places p = places_of(in);
  const Var i = in.rows(), j = in.columns();  // [m 1] [n]
  if (p.grid.size() == 1)
    return in.stated(near(i, j, p.kernel[0], p.grid[0]),
                     neighbours_intent(p.grid[0], 1, p.kernel[0]));
  const auto width = static_cast<double>(p.grid[1]);
  const Var row_i = floor(i / width), row_j = floor(j / width);
  return in.stated(near(row_i, row_j, p.kernel[0], p.grid[0]) *
                       near(i - row_i * width, j - row_j * width, p.kernel[1], p.grid[1]),
                   neighbours_intent(p.grid[1], p.kernel[0], p.kernel[1]));
}

}  // namespace

// By the first key of each window: as far to the left as the kernel reaches, but inside.
Arrays reference(const ReferenceIn& in) {
  const auto list = [&](const char* knob, double otherwise) {
    const auto given = in.knobs.find(knob);
    return given == in.knobs.end() ? std::vector<double>{otherwise}
                                   : std::get<Tensor>(given->second).data;
  };
  const std::vector<double> grid = list("grid", static_cast<double>(in["key"].rows()));
  const std::vector<double> kernel = list("kernel", 3);
  const auto holds = [](long at, long j, double size, double kernel_size) {
    const long k = static_cast<long>(kernel_size), most = static_cast<long>(size) - k;
    const long start = std::max(0L, std::min(at - k / 2, most));
    return start <= j && j < start + k;
  };
  const long width = static_cast<long>(grid.back());
  return each_pair(in, [&](std::size_t row, std::size_t column) {
    const auto i = static_cast<long>(row), j = static_cast<long>(column);
    if (grid.size() == 1) return holds(i, j, grid[0], kernel[0]);
    return holds(i / width, j / width, grid[0], kernel.front()) &&
           holds(i % width, j % width, grid[1], kernel.back());
  });
}

extern const Mechanism record{.id = "mask-natten",
                              .aliases = {"neighbourhood-grid"},
                              .knobs = {matrix_knob("grid").optionally().or_a_number(),
                                        matrix_knob("kernel").optionally().or_a_number()},
                              .laws = {.permutation = false},
                              .example = R"("kernel": 3)",
                              .behaviour = Mask{build}};
}  // namespace attend::mask_natten_entry
