// SPDX-License-Identifier: Apache-2.0
// Glimpse of the recurrent attention model: k square crops around one place, each twice as wide as
// the one before and shrunk to g x g by means,
//   centre = round((l + 1) / 2 * (size - 1)),  crop s begins at centre - floor(g 2^s / 2)
// Mnih et al. 2014, section 3.1, arXiv:1406.6247
#include <cmath>
#include <vector>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

// [g size]: each of g cells takes the mean of `wide` places in a row, the first from `start` on;
// places outside are 0.
Var means(Var start, std::size_t g, std::size_t wide, std::size_t size) {
  Graph& graph = start.graph();
  const double width = static_cast<double>(wide);
  const Var from = start + iota(graph, g, 2) * width;  // [g 1]
  const Var place = iota(graph, size);                 // [size]
  return greater(place, from - .5) * greater(from + (width - .5), place) / width;
}

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var image = in["image"], location = in.param("location");  // [H W] [1 2]
  const std::size_t k = in.integer("k"), g = in.integer("g");
  const auto centre = [&](std::size_t axis, std::size_t size) {
    const Var at = slice(location, -1, axis, axis + 1);  // [1 1]
    return floor((at + 1) * (static_cast<double>(size - 1) / 2) + .5);
  };
  const Var row = let("y", centre(0, image.extent(0))),
            column = let("x", centre(1, image.extent(1)));
  std::vector<Var> crops;
  for (std::size_t s = 0; s < k; ++s) {
    const std::size_t wide = std::size_t{1} << s;
    const double half = static_cast<double>(g * wide / 2);
    const StepSuffix suffix(in.graph(), "_{" + std::to_string(s) + "}");
    const Var down = let("S_y", means(row - half, g, wide, image.extent(0)));       // [g H]
    const Var across = let("S_x", means(column - half, g, wide, image.extent(1)));  // [g W]
    crops.push_back(expand(matmul(matmul(down, image), across, false, true), 0));   // [1 g g]
  }
  in.output("centre", concat({row, column}, -1), "1 d");
  in.result(let("\\rho", concat(crops, 0)), "k g g");
}

Arrays reference(const ReferenceIn& in) {
  const Array &image = in["image"], &location = in.parameter("location");
  const long k = long(in.number("k")), g = long(in.number("g"));
  const long H = long(image.rows()), W = long(image.cols());
  const long y = std::lround(std::floor((location(0) + 1) / 2 * double(H - 1) + .5));
  const long x = std::lround(std::floor((location(1) + 1) / 2 * double(W - 1) + .5));
  Array out({std::size_t(k), std::size_t(g), std::size_t(g)});
  for (long s = 0; s < k; ++s) {
    const long wide = 1L << s, top = y - g * wide / 2, left = x - g * wide / 2;
    for (long i = 0; i < g * wide; ++i)
      for (long j = 0; j < g * wide; ++j)
        if (top + i >= 0 && left + j >= 0 && top + i < H && left + j < W)
          out(s, i / wide, j / wide) += image(top + i, left + j) / double(wide * wide);
  }
  return {{"output", out}};
}

}  // namespace

namespace catalogue {
extern const Entry ram_glimpse_entry;
const Entry ram_glimpse_entry{
    .words =
        {.title = "Glimpse (recurrent attention model)",
         .formula =
             R"(\rho_s = \operatorname{mean}_{2^s \times 2^s}\, X\big[\,c - g\,2^{s-1},\; c + g\,2^{s-1}\big),\quad c = \operatorname{round}\!\big(\tfrac{l + 1}{2}(\text{size} - 1)\big))",
         .sentence =
             "An eye with a sharp middle: around one place the image is seen in full, and further "
             "out it is seen more and more coarsely.",
         .note =
             "The glimpse alone, at a place that is given in (row, column) from -1 to 1; what is "
             "outside the image is 0. The paper's networks around it choose the next place.",
         .source = {"Mnih et al.", 2014, "section 3.1", "https://arxiv.org/abs/1406.6247"},
         .learns =
             "The place has no gradient: the paper moves it by chance and rewards what worked."},
    .record = {.id = "ram-glimpse",
               .aliases = {"glimpse"},
               .parameters = {{"location", "2", Distribution::zero}},
               .knobs = {integer_knob("k", "Crops k", 3., 1, 6).at_least(1),
                         integer_knob("g", "Side of a crop g", 8., 1, 32).at_least(1)},
               .roles = {{"image", "H W"}},
               .laws = {.permutation = false},
               .example = R"("k": 2, "g": 3)",
               .extents = {{"H", 7}, {"W", 6}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
