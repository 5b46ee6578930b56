// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiment/text/json_parse.h"

namespace attend {

// A change of a document that only gives leaves of its program other numbers: a knob's number, or
// cells of an input or of a given parameter.
struct LeafChange {
  std::string pointer;              // into the document
  Json value;                       // what it holds there
  std::vector<std::string> leaves;  // their keys
  bool knob = false;
  // Of a tensor: the first of the cells that change.
  std::size_t first = 0;
  std::vector<double> numbers;
};

}  // namespace attend
