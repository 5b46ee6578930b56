// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "assembly/recording.h"
#include "experiment/reading/document.h"

namespace attend {

// Checks that inputs that are read as numbers of classes hold whole numbers from 0, below the count of
// classes: in the document's inputs and in each of its examples. Throws Error at the input.
void check_classes(const std::vector<Leaf>& leaves, const Document& document);

}  // namespace attend
