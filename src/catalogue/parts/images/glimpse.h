// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/scope.h"

// What an eye with a sharp middle sees of an image from one place. Mnih et al. 2014, section 3.1.
namespace attend {

struct Glimpse {
  Var centre;  // [1 2], row and column
  Var crops;   // [k g g]
};

// k square crops around the place [1 2] in (row, column) from -1 to 1, each twice as wide as the one
// before and shrunk to g x g by means; outside of the image [H W] are zeros.
Glimpse glimpse(Var image, Var place, std::size_t k, std::size_t g);

// The same crops by plain loops, one number after another.
Array glimpse_by_loops(const Array& image, double row, double column, long k, long g);

}  // namespace attend
