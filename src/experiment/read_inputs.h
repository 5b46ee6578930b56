// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "assembly/builder.h"
#include "experiment/json_parse.h"

namespace attend {

// Every input of a document as numbers. Fills the defaults of token features into `inputs` (the
// width, the type), so that the normalised document says them. Throws Error naming the field.
Builder::Inputs read_inputs(Json& inputs, std::uint64_t seed, const std::string& path);

}  // namespace attend
