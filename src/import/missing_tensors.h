// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "import/checkpoint.h"

namespace attend {

// Throws Error where the config names one of the families by its model_type and only some of the tensors by which that
// family is recognised are there: the message names the others.
void check_recognisable(const Checkpoint& checkpoint, const std::vector<Json>& families);

// Throws where the config names a well-known kind of model that no file of a family describes: the message says why.
void check_known_type(const Checkpoint& checkpoint, const std::vector<Json>& families);

// Throws where the tensors of two families are there: files of two models were given together.
void check_one_model(const Checkpoint& checkpoint, const std::vector<Json>& families);

}  // namespace attend
