// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/reading/document.h"

namespace attend {

// The most modules of a model.
inline constexpr std::size_t max_modules = 256;

// Reads `mechanism`, or `model` and `tie`, into the document, whose inputs are read already. Throws
// Error with the JSON pointer of the field that is wrong.
void read_modules(const Json& json, Document& document);

}  // namespace attend
