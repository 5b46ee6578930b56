// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/reading/interventions.h"
#include "experiment/recording/compile.h"

namespace attend {

// The tensor that an intervention names, and the cells of it that the intervention changes.
struct Selection {
  NodeId node = 0;
  bool leaf = false;
  Shape shape;                     // of the tensor
  std::vector<std::size_t> cells;  // row-major positions, in the order of the value's numbers
  Shape selected;                  // the shape that they have together
};

// Throws Error where there is no such tensor, head or row.
Selection select(const Compiled& compiled, const Intervention& intervention);

// The value's numbers by selected cell, broadcast. One number where there is one.
std::vector<double> values_for(const Selection& selection, const Intervention& intervention);

}  // namespace attend
