// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/reading/document.h"

namespace attend {

// The member "examples" of a document, a list of {input: source}: into document.examples, and the
// first of them among document.inputs, for their shapes are those that are recorded. Throws Error
// for no example, and for one that differs from the first in names or shapes.
void read_examples(Json& json, Document& document);

}  // namespace attend
