// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "catalogue/slots.h"

// Additive attention of a state over the regions of an image, as several papers write it.
namespace attend {

// Its parameters: what maps the state and the regions; a bias where there is one.
struct RegionNames {
  std::string_view asks, told;
  std::string_view bias = {};
};

// e = tanh(query W_asks + key W_told + bias) . w, weights, context = A key; or what the document's
// slots say.
Tensors ask_regions(const Scope& module, const Tensors& inputs, const RegionNames& names);

// The same scores by plain loops.
Array region_scores_by_loops(const ReferenceIn& in, const RegionNames& names);
// All results with softmax.
Arrays regions_by_loops(const ReferenceIn& in, const RegionNames& names);

}  // namespace attend
