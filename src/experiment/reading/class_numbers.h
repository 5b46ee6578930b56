// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assembly/builder.h"
#include "experiment/reading/document.h"

namespace attend {

// Checks that inputs that are read as numbers of classes hold whole numbers from 0, below the count of
// classes: in the document's inputs and in each of its examples. Throws Error at the input.
void check_classes(const Builder& builder, const Document& document);

}  // namespace attend
