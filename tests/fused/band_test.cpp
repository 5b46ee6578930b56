// SPDX-License-Identifier: Apache-2.0
#include "fused/band.h"

#include "ops/compose.h"
#include "tests/ops/run.h"

namespace attend::band_test {
namespace {

struct Masks {
  Graph graph;
  Var row = iota(graph, 7, 2), column = iota(graph, 9);
};

// The band drawn as 0 and 1 must be the mask itself.
void check_band(Var mask) {
  const auto band = fused::band_of(mask.graph(), mask.id());
  REQUIRE(band);
  const std::vector<real> values = testing::value(mask, {});
  const auto columns = static_cast<std::ptrdiff_t>(mask.extent(-1));
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    const auto i = static_cast<std::ptrdiff_t>(cell) / columns;
    const auto j = static_cast<std::ptrdiff_t>(cell) % columns;
    CAPTURE(i);
    CAPTURE(j);
    const auto block = static_cast<std::ptrdiff_t>(band->block);
    const bool together = block == 0 || i / block == j / block;
    CHECK((values[cell] != 0) == (together && j >= i - band->before && j <= i + band->after));
  }
}

TEST_CASE("a mask that compares indices is read as the band that it draws") {
  Masks m;
  for (const double shift : {-2., -.5, 0., .5, 1., 3.}) {
    CAPTURE(shift);
    check_band(greater(m.row + shift, m.column));
    check_band(greater(m.column + shift, m.row));
    check_band(greater(m.column - shift, m.row * 1.));
    check_band(greater(2 * m.row, m.column * 2 + shift));
    const Var gap = absolute(m.row - m.column);
    check_band(greater(scalar(gap, shift), gap));
    check_band(greater(scalar(gap, 2 + shift), absolute(m.column - m.row)) *
               greater(m.row + 1, m.column));
  }
}

TEST_CASE("blocks of indices are read, cut by a band or not") {
  Masks m;
  for (const double size : {1., 2., 3., 5., 20.}) {
    CAPTURE(size);
    const Var blocks = equal(floor(m.row / size), floor(m.column / size));
    check_band(blocks);
    CHECK(fused::band_of(m.graph, blocks.id())->block == static_cast<std::size_t>(size));
    check_band(equal(floor(m.column / size), floor(m.row / size)));
    check_band(blocks * greater(m.row + 1, m.column));
    check_band(greater(m.column, m.row) * blocks * blocks);
  }
}

TEST_CASE("a mask that is no band, or that data decides, is not taken for one") {
  Masks m;
  testing::Data data;
  const Var given = testing::leaf(m.graph, data, {7, 9}, std::vector<real>(63, 1));
  const Var causal = greater(m.row + 1, m.column);
  for (const Var mask :
       {given, causal * given, 1 - equal(m.row, m.column), greater(2 * m.row, m.column),
        greater(m.row, scalar(m.row, 3)), greater(absolute(m.row - m.column), scalar(m.row, 2)),
        greater(floor(m.row / 2) * 2, m.column), equal(floor(m.row / 2), floor(m.column / 3)),
        equal(floor(m.row / 2), floor(m.row / 2)), equal(floor(m.row / 2.5), floor(m.column / 2.5)),
        equal(floor(m.row / 2), floor((m.column + 1) / 2)),
        equal(floor(m.row / 2), floor(m.column / 2)) *
            equal(floor(m.row / 3), floor(m.column / 3))}) {
    CHECK(!fused::band_of(m.graph, mask.id()));
  }
}

}  // namespace
}  // namespace attend::band_test
